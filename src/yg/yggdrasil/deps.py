"""What a node needs: its relations, of one class or of all."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from yg.kernel.dependencies import Edge, Needs, Target
from yg.kernel.dependencies import dependency_tree as walked

if TYPE_CHECKING:
    from yg.kernel.dependencies import DependencyTree
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Relation


class RelationClass(StrEnum):
    """Which relations to follow."""

    STRUCTURAL = "structural"
    EVENT = "event"
    ALL = "all"

    def covers(self, relation: Relation) -> bool:
        """Tell whether a relation belongs to this class."""
        wanted = RelationClass.STRUCTURAL if relation.kind.is_structural else RelationClass.EVENT
        return self in (RelationClass.ALL, wanted)


def dependency_tree(
    graph: Graph, root: str, depth: int | None, only: RelationClass
) -> DependencyTree:
    """Follow relations from a node; without a depth, to their end."""

    def edges(path: str) -> list[Edge]:
        node = graph.nodes.get(path)
        relations = node.relations if node else ()
        return [Edge(str(each.kind), each.target.text) for each in relations if only.covers(each)]

    return walked(Needs(edges, lambda path: _target(graph, path)), root, depth)


def _target(graph: Graph, path: str) -> Target:
    node = graph.nodes.get(path)
    return Target(
        is_blackbox=node is not None and node.is_blackbox,
        is_broken=node is None,
        is_bad=node is None and graph.nodes.reading(path) is not None,
    )
