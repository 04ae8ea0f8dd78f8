"""The layers of a graph: its node types, in the order in which they may use each other."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.yggdrasil.model import NodeType


def type_layers(types: Mapping[str, NodeType]) -> tuple[str, ...]:
    """Return the types from the top down: each one before those that it may use.

    Without a rule for each type, or if types may use each other in a circle, there are no layers.
    """
    sorter = TopologicalSorter(dict.fromkeys(types, ()))
    for kind in types.values():
        if kind.may_use is None:
            return ()
        for used in kind.may_use:
            if used.text in types and used.text != kind.name:
                sorter.add(used.text, kind.name)
    try:
        sorter.prepare()
    except CycleError:
        return ()
    return tuple(_in_order(sorter, [*types]))


def _in_order(sorter: TopologicalSorter[str], names: list[str]) -> Iterator[str]:
    """Yield the names in the order of the sorter, those it leaves open as they are listed."""
    while sorter.is_active():
        ready = sorted(sorter.get_ready(), key=names.index)
        yield from ready
        sorter.done(*ready)
