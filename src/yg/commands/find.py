"""`yg find`: search the texts of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from yg.commands.command import Command, Tool, standard_notes
from yg.commands.issues import SkippedEntries, skipped_data
from yg.commands.request import Argument, Operand, Option, Request, Revision
from yg.kernel.document import Count, Document, Positive, Text, about
from yg.kernel.find import Found, Query, Unknown, marks, parse_query
from yg.kernel.palette import visible
from yg.workspace.searching import search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.commands.command import Run
    from yg.kernel.palette import Palette

FEW = 20  # results, unless another number is asked for


def joined(words: Sequence[str]) -> str:
    """Return the words of a command line as one query."""
    return " ".join(map(_quoted, words))


def _quoted(word: str) -> str:
    """Put an argument with blanks in quotes: the shell has removed them."""
    if '"' in word or len(word.split()) == 1:
        return word
    minus = "-" if word.startswith("-") else ""
    return f'{minus}"{word.removeprefix("-")}"'


class FindRequest(Request["Search"], frozen=True, kw_only=True):
    """What to search for, and where."""

    words: Annotated[
        str,
        Operand(
            "WORD",
            'word, "a phrase", prefix* or -word to leave out',
            join=joined,
            may_exclude=True,
        ),
        Argument(
            'Words, "a phrase", prefix*, or -word to leave out.',
            "payment refund*",
            example_in_specs="sign in*",
        ),
    ]
    kind_of: Annotated[
        Literal["node", "aspect", "flow", "decision"] | None,
        Option(metavar="KIND", help="only in one of: node, aspect, flow, decision"),
        Argument("Only in nodes, aspects, flows or decisions.", "aspect", in_specs=None),
    ] = None
    limit: Annotated[
        Positive,
        Option(metavar="N", help=f"maximum number of results (default {FEW})"),
        Argument(f"Maximum results (default {FEW}).", 5, most=1_000),
    ] = FEW
    at: Revision = None


class Search(Document, frozen=True, kw_only=True, tag="yg-find/1"):
    """What `yg find --json` prints: the documents that match a query, the best first."""

    HIDDEN = ("query",)

    words: Annotated[
        tuple[Text, ...],
        Meta(min_length=1),
        about("The words and phrases of the query, in lower case."),
    ]
    excluded: Annotated[tuple[Text, ...], about("The words and phrases that must not occur.")]
    total: Annotated[Count, about("The number of documents that match.")]
    results: Annotated[tuple[Found, ...], about("The best of them, in order.")]
    unknown: Annotated[
        tuple[Unknown, ...], about("If nothing was found: the words that do not occur.")
    ]
    skipped: SkippedEntries
    query: Query

    @property
    def exit_code(self) -> int:
        """Whether nothing was found."""
        return 0 if self.results else 1


def ask(run: Run, request: FindRequest) -> Search:
    """Search the names, paths and texts of the graph, or of one kind of its parts."""
    query = parse_query(request.words)
    workspace = run.workspace
    if request.kind_of not in (None, "node"):
        workspace.require_yggdrasil(f"a search in {request.kind_of}s")
    found = search(workspace, query, request.kind_of or "", request.limit)
    return Search(
        words=tuple(term.text for term in query.wanted),
        excluded=tuple(term.text for term in query.excluded),
        total=found.total,
        results=found.found,
        unknown=found.unknown,
        skipped=skipped_data(found.unread),
        query=query,
    )


def text(search: Search, palette: Palette) -> str:
    """Write the path, document, line number and line of each result, the best first."""
    return "".join(_entry(search.query, found, palette) for found in search.results)


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


def _notes(search: Search, palette: Palette) -> str:
    """Write that nothing was found, and why, and what could not be searched."""
    return _nothing_found(search) + standard_notes(search, palette)


def _nothing_found(search: Search) -> str:
    if search.results:
        return ""
    if not search.unknown:
        return "Nothing found: every word occurs, but no document matches the whole query.\n"
    return "Nothing found.\n" + "".join(map(_unknown_text, search.unknown))


def _unknown_text(unknown: Unknown) -> str:
    near = ", ".join(map(visible, unknown.near))
    return f"  '{visible(unknown.word)}' does not occur{f'; nearest: {near}' if near else ''}\n"


COMMAND = Command(
    request=FindRequest,
    documents=(Search,),
    ask=ask,
    text=text,
    notes=_notes,
    tool=Tool(
        title="Search all texts",
        when="Use when you know a topic or an identifier but not the path. Searches all names, "
        "paths and texts; all words must occur in one document; best match first.",
        when_in_specs="Use when you know the topic but not the id. Best match first.",
    ),
)
