"""The tree of a graph's nodes, with what each declares, as a flat list of lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.value import value

if TYPE_CHECKING:
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


@value
class OutlineEntry:
    """One directory of the model: a node, a bad node, or a directory on the way to nodes."""

    path: str
    level: int
    is_last: bool
    is_declared: bool
    node: Node | None


def outline(graph: Graph, root: str = paths.ROOT, depth: int | None = None) -> list[OutlineEntry]:
    """List a directory of the model and everything below it, parents first."""
    children = _children(graph)
    entries = []
    waiting = [(root, 0, True)]
    while waiting:
        path, level, is_last = waiting.pop()
        is_declared = path in graph.nodes.all
        entries.append(OutlineEntry(path, level, is_last, is_declared, graph.nodes.get(path)))
        if depth is None or level < depth:
            below = sorted(children.get(path, ()))
            last = len(below) - 1
            waiting.extend([(each, level + 1, at == last) for at, each in enumerate(below)][::-1])
    return entries


def _children(graph: Graph) -> dict[str, dict[str, None]]:
    """Return the directories below each directory that are nodes or lead to nodes."""
    children: dict[str, dict[str, None]] = {}
    for path in graph.nodes.all:
        for above in reversed(paths.lineage(path)):
            siblings = children.setdefault(above, {})
            if path in siblings:
                break
            siblings[path] = None
            path = above  # noqa: PLW2901
    return children
