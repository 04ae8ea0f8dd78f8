"""Render search results as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.kernel.find import Match
    from yg.render.plain import Palette
    from yg.render.shapes.find import FindDocument
    from yg.render.shapes.issues import Skipped


def matches_text(matches: Sequence[Match], palette: Palette) -> str:
    """Write the path, the summary and the matched words of each node, best matches first."""
    if not matches:
        return "No node has any of these words in its name, path or responsibility.\n"
    return "".join(_entry(match, palette) for match in matches)


def _entry(match: Match, palette: Palette) -> str:
    card = match.card
    head = f"{palette.bold(visible(card.path))} {palette.dim(f'[{visible(card.type)}]')}"
    spots = ", ".join(f"'{word}' in its {spot.name.lower()}" for word, spot in match.spots)
    summary = card.about.summary
    lines = [f"{head} {visible(card.name)}"]
    lines += [f"  {visible(summary)}"] if summary else []
    lines += [f"  {palette.dim('exact path' if match.is_exact else spots)}"]
    return "".join(f"{line}\n" for line in lines)


def matches_data(
    words: Iterable[str], matches: Iterable[Match], skipped: list[Skipped]
) -> FindDocument:
    """Return search results as data."""
    from yg.render.shapes.find import FindDocument, FoundNode, FoundWord

    nodes = [
        FoundNode(
            path=match.card.path,
            name=match.card.name,
            type=match.card.type,
            summary=match.card.about.summary,
            exact=match.is_exact,
            found=[FoundWord(word=word, spot=spot.name.lower()) for word, spot in match.spots],
        )
        for match in matches
    ]
    return FindDocument(words=list(dict.fromkeys(words)), nodes=nodes, skipped=skipped)
