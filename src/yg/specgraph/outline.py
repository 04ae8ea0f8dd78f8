"""The tree of a Spec Graph's nodes by what contains what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.dependencies import Edge, Needs, Target, dependency_tree
from yg.kernel.overview import Outline, OutlineEntry, OutlineNode
from yg.specgraph.model import LinkKind
from yg.specgraph.resolve import contents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.dependencies import Dependency
    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node


def outline(graph: Graph, root: str = paths.ROOT, depth: int | None = None) -> Outline:
    """List a node, or all of them, with what each contains, opened where it is met first."""
    return Outline(
        root=root,
        links="links",
        shows_names=True,
        entries=tuple(_entries(graph, root, depth)),
    )


def _entries(graph: Graph, root: str, depth: int | None) -> Iterator[OutlineEntry]:
    tops = _tops(graph) if root == paths.ROOT else []

    def inside(node_id: str) -> list[Edge]:
        below = tops if node_id == paths.ROOT else _members(graph, node_id)
        return [Edge(LinkKind.CONTAINS, each) for each in below]

    tree = dependency_tree(Needs(inside, lambda _: Target()), root, depth)
    if root == paths.ROOT:
        yield OutlineEntry(path=root, label=f"{graph.folder}/", level=0, is_last=True)
    else:
        yield _entry(graph, root)
    yield from (_entry(graph, line.path, line) for line in tree.lines)


def _entry(graph: Graph, node_id: str, line: Dependency | None = None) -> OutlineEntry:
    node = graph.get(node_id)
    return OutlineEntry(
        path=node_id,
        label=node_id,
        level=line.level if line else 0,
        is_last=line.is_last if line else True,
        node=None if node is None else _described(node),
        is_bad=node is None,
        repeat=line.repeat if line else None,
    )


def _described(node: Node) -> OutlineNode:
    links = sum(len(node.targets(kind)) for kind in node.links)
    return OutlineNode(name=node.title, type=node.type, links=links)


def _members(graph: Graph, node_id: str) -> list[str]:
    """Return what a node contains of that graph.json lists, in the author's order."""
    node = graph.get(node_id)
    inside = node.targets(LinkKind.CONTAINS) if node else ()
    return [each for each in inside if each in graph.references]


def _tops(graph: Graph) -> list[str]:
    """Return where the tree begins: nodes that nothing contains, and one of each closed circle."""
    every = graph.references
    tops = [each for each in every if not set(graph.parents(each)) - {each}]
    seen = set(contents(graph, tops))
    for each in every:
        if each not in seen:
            tops.append(each)
            seen.update(contents(graph, [each], seen))
    return tops
