"""What lies around one node of an Export."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel.digraph import reached
from yg.kernel.export import EdgeKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.export import Export

_STEPS = (EdgeKind.CONTAINS, EdgeKind.RELATION, EdgeKind.EVENT)
_BELONGINGS = (EdgeKind.HAS_ASPECT, EdgeKind.IMPLIES, EdgeKind.PARTICIPATES)


def neighbourhood(export: Export, start: str, depth: int) -> Export:
    """Keep what lies within some steps of a vertex, and what that stands in or belongs to.

    A step leads along a relation in either direction, to a parent or to a child. Aspects and flows
    are kept with the nodes that have them but lead no further: they would join everything.
    """
    steps = _ends(export, _STEPS)
    near = reached(_grouped((*steps, *_turned(steps))), (start,), depth)
    framed = reached(_grouped(_turned(_ends(export, (EdgeKind.CONTAINS,)))), near)
    kept = reached(_grouped(_ends(export, _BELONGINGS)), framed)
    return replace(
        export,
        vertices=tuple(each for each in export.vertices if each.id in kept),
        edges=tuple(e for e in export.edges if e.source in kept and e.target in kept),
    )


def _ends(export: Export, kinds: Iterable[EdgeKind]) -> list[tuple[str, str]]:
    wanted = frozenset(kinds)
    return [(edge.source, edge.target) for edge in export.edges if edge.kind in wanted]


def _turned(ends: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(target, source) for source, target in ends]


def _grouped(ends: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for source, target in ends:
        found.setdefault(source, []).append(target)
    return found
