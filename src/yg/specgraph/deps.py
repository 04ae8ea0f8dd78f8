"""The dependencies of a node, and the build order of all nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel import dependencies
from yg.kernel import plan as kernel
from yg.kernel.dependencies import Edge, Needs, Target
from yg.kernel.digraph import cyclic_groups, gathered
from yg.kernel.errors import RefusedError
from yg.specgraph.model import FOUNDATION, UPSTREAM, LinkKind, Shape

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

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


def plan_of(
    graph: SpecGraph, only: Collection[str] | None = None, *, lenient: bool = False
) -> Plan:
    """Order all nodes except groups by their dependencies; `only` restricts them.

    Decisions and contracts come first, then foundations, then behaviors. A node that depends on
    one of a later turn comes after it. With `lenient`, nodes on a cycle and nodes that need them
    are left out; otherwise a cycle raises RefusedError.
    """
    needs: Mapping[str, Sequence[str]] = _links(graph, (LinkKind.DEPENDS_ON,))
    faulty = {node_id: "is on a cycle" for group in cyclic_groups(needs) for node_id in group}
    if faulty and not lenient:
        hint = "'yg validate' writes every cycle out (E109); --lenient leaves these nodes out."
        raise RefusedError("there is no order: depends_on links form a cycle", hint=hint)
    reasons = kernel.unordered(needs, faulty)
    needs = kernel.without(needs, reasons)
    kinds = {node_id: node for node_id, node in graph.nodes.items() if not node.is_group}
    wanted = frozenset(node_id for node_id in kinds if only is None or node_id in only)
    chosen = wanted.difference(reasons)
    left_out = (("grouping", len(graph.nodes) - len(kinds)),)
    unordered = [kernel.Unordered(left, reasons[left]) for left in reasons if left in wanted]
    whole = kernel.plan_of(needs, chosen, left_out, unordered)
    turns = gathered(needs, {node_id: 1 << _turn(node) for node_id, node in kinds.items()})
    stages: list[tuple[str, ...]] = []
    for turn in range(TURNS):
        now = frozenset(node_id for node_id in chosen if turns[node_id].bit_length() - 1 == turn)
        part = kernel.plan_of(needs, now)
        stages += part.stages
    return replace(whole, stages=tuple(stages))


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
