"""The order in which nodes are made real: decisions and contracts, foundations, behaviors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import plan as kernel
from yg.kernel.digraph import gathered
from yg.kernel.errors import RefusedError
from yg.specgraph.model import FOUNDATION, UPSTREAM, LinkKind, Shape

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from yg.kernel.plan import Plan
    from yg.specgraph.graph import Graph
    from yg.specgraph.model import Node

TURNS = 3


def plan_of(graph: Graph, only: Collection[str] | None = None) -> Plan:
    """Order the nodes that are no groups by what they depend on; `only` keeps some of them.

    Whatever states what has to hold comes first, then foundations, then behaviors. A node that
    depends on one of a later turn waits for it.
    """
    needs = _links(graph, (LinkKind.DEPENDS_ON,))
    kinds = {each: node for each, node in graph.nodes.items() if not node.is_group}
    chosen = frozenset(each for each in kinds if only is None or each in only)
    left_out = (("grouping", len(graph.nodes) - len(kinds)),)
    whole = kernel.plan_of(needs, chosen, left_out)
    if whole is None:
        hint = "'yg validate' writes every cycle out (E109)."
        raise RefusedError("there is no order: depends_on links form a cycle", hint=hint)
    turns = gathered(needs, {each: 1 << _turn(node) for each, node in kinds.items()})
    stages: list[tuple[str, ...]] = []
    for turn in range(TURNS):
        now = frozenset(each for each in chosen if turns[each].bit_length() - 1 == turn)
        part = kernel.plan_of(needs, now)
        stages += part.stages if part else ()
    return kernel.Plan(stages=tuple(stages), critical=whole.critical, left_out=left_out)


def _turn(node: Node) -> int:
    if node.kind.shape is Shape.BEHAVIOR:
        return 2
    return 1 if node.type == FOUNDATION else 0


def needed_for(graph: Graph, node_id: str) -> frozenset[str]:
    """Return a node and everything that its upstream links lead to."""
    return kernel.needed_for(_links(graph, UPSTREAM), node_id)


def _links(graph: Graph, kinds: Iterable[LinkKind]) -> dict[str, list[str]]:
    """Return the nodes that each node has links of some kinds to; one to itself says nothing."""
    return {
        each: list(
            dict.fromkeys(
                to
                for kind in kinds
                for to in node.targets(kind)
                if to in graph.nodes and to != each
            )
        )
        for each, node in graph.nodes.items()
    }
