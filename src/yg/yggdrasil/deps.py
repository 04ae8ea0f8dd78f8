"""Dependency trees, and the order in which nodes can be built."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from yg.kernel import plan as kernel
from yg.kernel.dependencies import Edge, Needs, Target
from yg.kernel.dependencies import dependency_tree as tree_of
from yg.kernel.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Collection

    from yg.kernel.dependencies import DependencyTree
    from yg.kernel.plan import Plan
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Relation


class RelationClass(StrEnum):
    """The relations to follow."""

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
    """Return the tree of relations from a node, down to a depth if one is given."""

    def edges(path: str) -> list[Edge]:
        node = graph.nodes.get(path)
        relations = node.relations if node else ()
        followed = (relation for relation in relations if only.covers(relation))
        return [Edge(str(relation.kind), relation.target.text) for relation in followed]

    return tree_of(Needs(edges, lambda path: _target(graph, path)), root, depth)


def _target(graph: Graph, path: str) -> Target:
    node = graph.nodes.get(path)
    return Target(
        is_blackbox=node is not None and node.is_blackbox,
        is_broken=node is None,
        is_bad=node is None and graph.nodes.reading(path) is not None,
    )


def plan_of(graph: Graph, only: Collection[str] | None = None) -> Plan:
    """Order the mapped nodes that are not blackboxes; `only` selects some of them.

    Dependencies through excluded nodes count, except through blackboxes.
    """
    nodes = tuple(graph.nodes)
    buildable = (node.path for node in nodes if node.mapping and not node.is_blackbox)
    chosen = frozenset(path for path in buildable if only is None or path in only)
    excluded = (
        ("blackbox", sum(node.is_blackbox for node in nodes)),
        ("unmapped", sum(not node.mapping and not node.is_blackbox for node in nodes)),
    )
    plan = kernel.plan_of(_needs(graph), chosen, excluded)
    if plan is None:
        hint = "'yg validate' writes every cycle out (E010)."
        raise RefusedError("there is no order: structural relations form a cycle", hint=hint)
    return plan


def needed_for(graph: Graph, path: str) -> frozenset[str]:
    """Return a node and its transitive dependencies."""
    return kernel.needed_for(_needs(graph), path)


def _needs(graph: Graph) -> dict[str, tuple[str, ...]]:
    """Return the structural targets of each node, without blackboxes."""
    nodes = {node.path: node for node in graph.nodes if not node.is_blackbox}
    return {
        path: tuple(target for target in node.structural_targets if target in nodes)
        for path, node in nodes.items()
    }
