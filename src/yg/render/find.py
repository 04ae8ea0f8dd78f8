"""Render search results as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.find import Match
    from yg.render.plain import Palette


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


def matches_data(matches: Sequence[Match]) -> list[dict[str, Any]]:
    """Return search results as plain data."""
    return [
        {
            "path": match.card.path,
            "name": match.card.name,
            "type": match.card.type,
            "summary": match.card.about.summary,
            "exact": match.is_exact,
            "found": [{"word": word, "in": spot.name.lower()} for word, spot in match.spots],
        }
        for match in matches
    ]
