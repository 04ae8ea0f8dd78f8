"""What a node needs: its upstream links, and those of what they lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import dependencies
from yg.kernel.dependencies import Edge, Needs, Target
from yg.specgraph.model import UPSTREAM

if TYPE_CHECKING:
    from yg.kernel.dependencies import DependencyTree
    from yg.specgraph.graph import Graph


def dependency_tree(graph: Graph, node_id: str, depth: int | None) -> DependencyTree:
    """Follow upstream links from a node; without a depth, to their end."""

    def edges(each: str) -> list[Edge]:
        node = graph.get(each)
        return [Edge(kind, to) for kind in UPSTREAM for to in (node.targets(kind) if node else ())]

    def target(each: str) -> Target:
        is_broken = graph.get(each) is None
        return Target(is_broken=is_broken, is_bad=is_broken and each in graph.references)

    return dependencies.dependency_tree(Needs(edges, target), node_id, depth)
