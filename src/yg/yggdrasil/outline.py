"""The tree of a graph's nodes, with what each declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.outline import Outline, OutlineEntry, OutlineNode
from yg.yggdrasil.resolve import children

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


def outline(graph: Graph, root: str = paths.ROOT, depth: int | None = None) -> Outline:
    """List a directory of the model and everything below it, parents first."""
    return Outline(
        root=root,
        links="relations",
        shows_names=False,
        entries=tuple(_entries(graph, root, depth)),
    )


def _entries(graph: Graph, root: str, depth: int | None) -> Iterator[OutlineEntry]:
    below_each = children(graph)
    waiting = [(root, 0, True)]
    while waiting:
        path, level, is_last = waiting.pop()
        node = graph.nodes.get(path)
        yield OutlineEntry(
            path=path,
            label=_label(graph, path) if level == 0 else f"{paths.name_of(path)}/",
            level=level,
            is_last=is_last,
            node=None if node is None else _described(node),
            is_bad=node is None and path in graph.nodes.all,
        )
        if depth is None or level < depth:
            below = sorted(below_each.get(path, ()))
            last = len(below) - 1
            waiting.extend([(each, level + 1, at == last) for at, each in enumerate(below)][::-1])


def _label(graph: Graph, path: str) -> str:
    top = paths.name_of(graph.nodes.label.tree)
    return f"{top}/" if path == paths.ROOT else f"{top}/{path}/"


def _described(node: Node) -> OutlineNode:
    return OutlineNode(
        name=node.name,
        type=node.type.text,
        links=len(node.relations),
        aspects=node.aspect_ids,
        is_blackbox=node.is_blackbox,
        mapping=tuple(word.text for word in node.mapping),
    )
