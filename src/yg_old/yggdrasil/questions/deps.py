"""Dependency trees, and the order in which nodes can be built."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from yg_old.kernel import plan as kernel
from yg_old.kernel.dependencies import Edge, Needs, Target
from yg_old.kernel.dependencies import dependency_tree as tree_of
from yg_old.kernel.digraph import cyclic_groups
from yg_old.yggdrasil.inventories.relations import find, is_external, split
from yg_old.yggdrasil.levels import refuses_cycles

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from yg_old.kernel.dependencies import DependencyTree
    from yg_old.kernel.plan import Plan
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Relation


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
        relations = (*node.relations, *node.external) if node else ()
        followed = (relation for relation in relations if only.covers(relation))
        return [Edge(str(relation.kind), relation.target.text) for relation in followed]

    return tree_of(Needs(edges, lambda path: _target(graph, path)), root, depth)


def _target(graph: Graph, path: str) -> Target:
    node = graph.nodes.get(path)
    if node is None and is_external(path):
        name, _ = split(path)
        return Target(
            is_blackbox=False,
            is_broken=find(graph, path) is None,
            is_bad=graph.inventories.fault(name) is not None,
            is_external=True,
        )
    return Target(
        is_blackbox=node is not None and node.is_blackbox,
        is_broken=node is None,
        is_bad=node is None and graph.nodes.reading(path) is not None,
    )


def plan_of(
    graph: Graph,
    only: Collection[str] | None = None,
    *,
    unmapped: bool = False,
    lenient: bool = False,
) -> Plan:
    """Order the mapped nodes that are not blackboxes; `only` selects some of them.

    Dependencies through excluded nodes count, except through blackboxes. With `unmapped`, unmapped
    nodes are included. With `lenient`, nodes that have no place in the order are left out.
    """
    nodes = tuple(graph.nodes)
    is_mapped = {node.path: bool(node.mapping) for node in nodes if not node.is_blackbox}
    needs = _needs(graph)
    reasons = kernel.unordered(needs, _faulty(graph, needs)) if lenient else {}
    wanted = frozenset(
        path
        for path, mapped in is_mapped.items()
        if (mapped or unmapped) and (only is None or path in only)
    )
    excluded = (
        ("blackbox", len(nodes) - len(is_mapped)),
        ("unmapped", 0 if unmapped else sum(not mapped for mapped in is_mapped.values())),
    )
    listed = (path for path in reasons if path in wanted or (only is None and path not in needs))
    return kernel.plan_of(
        kernel.without(needs, reasons),
        wanted.difference(reasons),
        excluded,
        [kernel.Unordered(path, reasons[path]) for path in listed],
    )


def _faulty(graph: Graph, needs: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the nodes whose dependencies cannot be ordered, each with the reason."""
    faulty = {
        path: "could not be read"
        for path, reading in graph.nodes.all.items()
        if reading.value is None
    }
    for path in needs:
        node = graph.nodes.get(path)
        for target in node.structural_targets if node else ():
            if graph.nodes.get(target) is None:
                what = "could not be read" if target in faulty else "does not exist"
                faulty.setdefault(path, f"needs '{target}', which {what}")
    if refuses_cycles(graph):
        on_cycles = (path for group in cyclic_groups(needs) for path in group)
        faulty.update(dict.fromkeys(on_cycles, "is on a cycle"))
    return faulty


def needed_for(graph: Graph, path: str) -> frozenset[str]:
    """Return a node and its transitive dependencies."""
    return kernel.needed_for(_needs(graph), [path])


def _needs(graph: Graph) -> dict[str, tuple[str, ...]]:
    """Return the structural targets of each node, without blackboxes and the node itself."""
    nodes = {node.path: node for node in graph.nodes if not node.is_blackbox}
    return {
        path: tuple(
            target for target in node.structural_targets if target in nodes and target != path
        )
        for path, node in nodes.items()
    }
