"""Write the imports between nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.palette import visible
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.kernel.dependencies import ImportingNode

MOST_PLACES = 3


def import_lines(
    title: str, nodes: Sequence[ImportingNode], *, is_use: bool = False
) -> Iterator[str]:
    """Write nodes with the first places of their imports, below a title."""
    yield f"{title}:" if nodes else f"{title}: (none)"
    for found in nodes:
        first = found.places[:MOST_PLACES]
        shown = ", ".join(f"{visible(place.file)}:{place.line}" for place in first)
        rest = len(found.places) - MOST_PLACES
        more = f" and {rest} more" if rest > 0 else ""
        number = len(found.places)
        count = counted(number, "use") if is_use else import_count(number)
        yield f"  {visible(found.node)} ({count}: {shown}{more})"


def import_count(count: int) -> str:
    """Write a number of imports."""
    return counted(count, "import") if count else "no import found"
