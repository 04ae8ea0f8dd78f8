"""Render search results as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.find import marks
from yg.render.plain import visible

if TYPE_CHECKING:
    from yg.kernel.find import Found, Query, Search, Unknown
    from yg.render.plain import Palette
    from yg.render.shapes.find import FindDocument
    from yg.render.shapes.issues import Skipped


def found_text(query: Query, search: Search, palette: Palette) -> str:
    """Write the path, document, line number and line of each result, the best first."""
    return "".join(_entry(query, found, palette) for found in search.found)


def _entry(query: Query, found: Found, palette: Palette) -> str:
    place = f"{visible(found.document)}:{found.line}"
    line = _marked(query, found.text, palette)
    return f"{palette.bold(visible(found.path))}  {palette.dim(place)}  {line}\n"


def _marked(query: Query, line: str, palette: Palette) -> str:
    """Write a line with the words that the query asks for in colour."""
    if not palette.is_on:
        return visible(line)
    pieces, done = [], 0
    for start, end in marks(line, query):
        pieces += [visible(line[done:start]), palette.red(visible(line[start:end]))]
        done = end
    return "".join((*pieces, visible(line[done:])))


def nothing_found_text(search: Search) -> str:
    """Write that nothing was found, and why; nothing if something was found."""
    if search.found:
        return ""
    if not search.unknown:
        return "Nothing found: every word occurs, but no document matches the whole query.\n"
    return "Nothing found.\n" + "".join(_unknown(word) for word in search.unknown)


def _unknown(unknown: Unknown) -> str:
    near = ", ".join(map(visible, unknown.near))
    return f"  '{visible(unknown.word)}' does not occur{f'; nearest: {near}' if near else ''}\n"


def search_data(query: Query, search: Search, skipped: list[Skipped]) -> FindDocument:
    """Return search results as data."""
    from yg.render.shapes.find import FindDocument, FoundDocument, UnknownWord

    return FindDocument(
        words=[term.text for term in query.wanted],
        excluded=[term.text for term in query.excluded],
        total=search.total,
        results=[
            FoundDocument(
                kind=found.kind,
                path=found.path,
                document=found.document,
                file=found.file,
                line=found.line,
                text=found.text,
                whole=found.is_whole,
                named=found.is_named,
            )
            for found in search.found
        ],
        unknown=[UnknownWord(word=each.word, near=list(each.near)) for each in search.unknown],
        skipped=skipped,
    )
