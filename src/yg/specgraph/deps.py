"""The dependencies of a node, and the build order of all nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import dependencies
from yg.kernel import plan as kernel
from yg.kernel.dependencies import Edge, Needs, Target
from yg.kernel.digraph import gathered
from yg.kernel.errors import RefusedError
from yg.specgraph.model import FOUNDATION, UPSTREAM, LinkKind, Shape

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from yg.kernel.dependencies import DependencyTree
    from yg.kernel.plan import Plan
    from yg.specgraph.graph import SpecGraph
    from yg.specgraph.model import SpecNode

TURNS = 3


def dependency_tree(graph: SpecGraph, node_id: str, depth: int | None) -> DependencyTree:
    """Return the tree of upstream links of a node, down to a depth."""

    def edges(name: str) -> list[Edge]:
        node = graph.get(name)
        return [Edge(kind, to) for kind in UPSTREAM for to in (node.targets(kind) if node else ())]

    def target(name: str) -> Target:
        is_broken = graph.get(name) is None
        return Target(is_broken=is_broken, is_bad=is_broken and name in graph.references)

    return dependencies.dependency_tree(Needs(edges, target), node_id, depth)


def plan_of(graph: SpecGraph, only: Collection[str] | None = None) -> Plan:
    """Order all nodes except groups by their dependencies; `only` restricts them.

    Decisions and contracts come first, then foundations, then behaviors. A node that depends on
    one of a later turn comes after it.
    """
    needs = _links(graph, (LinkKind.DEPENDS_ON,))
    kinds = {node_id: node for node_id, node in graph.nodes.items() if not node.is_group}
    chosen = frozenset(node_id for node_id in kinds if only is None or node_id in only)
    left_out = (("grouping", len(graph.nodes) - len(kinds)),)
    whole = kernel.plan_of(needs, chosen, left_out)
    if whole is None:
        hint = "'yg validate' writes every cycle out (E109)."
        raise RefusedError("there is no order: depends_on links form a cycle", hint=hint)
    turns = gathered(needs, {node_id: 1 << _turn(node) for node_id, node in kinds.items()})
    stages: list[tuple[str, ...]] = []
    for turn in range(TURNS):
        now = frozenset(node_id for node_id in chosen if turns[node_id].bit_length() - 1 == turn)
        part = kernel.plan_of(needs, now)
        stages += part.stages if part else ()
    return kernel.Plan(stages=tuple(stages), critical=whole.critical, left_out=left_out)


def _turn(node: SpecNode) -> int:
    if node.kind.shape is Shape.BEHAVIOR:
        return 2
    return 1 if node.type == FOUNDATION else 0


def needed_for(graph: SpecGraph, node_id: str) -> frozenset[str]:
    """Return a node and all nodes that its upstream links reach."""
    return kernel.needed_for(_links(graph, UPSTREAM), node_id)


def _links(graph: SpecGraph, kinds: Iterable[LinkKind]) -> dict[str, list[str]]:
    """Return the targets of each node by links of some kinds, without itself."""
    return {
        node_id: list(
            dict.fromkeys(
                to
                for kind in kinds
                for to in node.targets(kind)
                if to in graph.nodes and to != node_id
            )
        )
        for node_id, node in graph.nodes.items()
    }
