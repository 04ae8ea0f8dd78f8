"""Cycles in words, as messages tell of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHOWN = 40  # links of a cycle that are written out


def written_out(cycle: Sequence[str]) -> str:
    """Write a cycle as links from its first member back to it, a long one without its middle."""
    links = [*cycle, cycle[0]]
    if len(cycle) > MOST_SHOWN:
        half = MOST_SHOWN // 2
        links[half:-half] = [f".. {len(links) - MOST_SHOWN} more .."]
    return " -> ".join(links)


def others(group: Sequence[str], cycle: Sequence[str]) -> tuple[str, ...]:
    """Tell how many more are in the group that a cycle was found in."""
    rest = len(group) - len(cycle)
    return (f"{rest} more in the same tangle of cycles.",) if rest else ()
