"""Which entries of a document can be cut so that it fits, and in which order.

Affected nodes are cut first, all at once, because the line about one of them is hardly longer than
a line in the list of cuts. Entries follow, one step for each level, the farthest from the target
first; at the first level, groups are cut before other nodes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.cuts import Cuttable
from yg_old.specgraph.context.entry import IncludedNode
from yg_old.specgraph.context.item import AFFECTED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.specgraph.context.item import Item

AFFECTED_STEP = 1


def cuttable(items: Sequence[Item]) -> Iterator[Cuttable]:
    """Yield what can be cut: single entries, and the affected nodes as a whole."""
    entries = [(at, item, item.entry) for at, item in enumerate(items)]
    included = [(at, item, entry) for at, item, entry in entries if isinstance(entry, IncludedNode)]
    deepest = max((entry.level for _, _, entry in included), default=0)
    for at, item, entry in included:
        if not entry.is_binding and not item.same_as:
            yield Cuttable(
                places=(at,), subject=item.subject, name=item.subject, step=_step(entry, deepest)
            )
    if affected := tuple(at for at, item in enumerate(items) if item.kind == AFFECTED):
        yield Cuttable(places=affected, subject="", name=AFFECTED, step=AFFECTED_STEP)


def cut_steps(items: Sequence[Item]) -> dict[tuple[str, str], int]:
    """Return the step in which each entry is cut, by its section and node.

    A section that is cut as a whole has an entry without a node.
    """
    return {(items[what.places[0]].kind, what.subject): what.step for what in cuttable(items)}


def _step(entry: IncludedNode, deepest: int) -> int:
    """Return the step in which an entry is cut."""
    is_kept_longest = entry.level == 1 and not entry.is_namespace
    return AFFECTED_STEP + 1 + deepest - entry.level + is_kept_longest
