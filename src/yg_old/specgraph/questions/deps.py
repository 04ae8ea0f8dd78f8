"""The dependencies of a node, and the build order of all nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel import dependencies
from yg_old.kernel import plan as kernel
from yg_old.kernel.dependencies import Edge, Needs, Target
from yg_old.kernel.digraph import components, gathered
from yg_old.kernel.errors import RefusedError
from yg_old.specgraph.model import FOUNDATION, UPSTREAM, LinkKind, Shape
from yg_old.specgraph.resolve import ancestors, group_needs

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from yg_old.kernel.dependencies import DependencyTree
    from yg_old.kernel.plan import Plan
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode

TURNS = 3


def dependency_tree(graph: SpecGraph, node_id: str, depth: int | None) -> DependencyTree:
    """Return the tree of the upstream links of a node and of the groups around it."""

    def edges(name: str) -> list[Edge]:
        node = graph.get(name)
        own = [Edge(kind, to) for kind in UPSTREAM for to in (node.targets(kind) if node else ())]
        return own if name != node_id else [*own, *_required(graph, node_id, own)]

    def target(name: str) -> Target:
        is_broken = graph.get(name) is None
        return Target(is_broken=is_broken, is_bad=is_broken and name in graph.references)

    return dependencies.dependency_tree(Needs(edges, target), node_id, depth)


def _required(graph: SpecGraph, node_id: str, own: Iterable[Edge]) -> Iterator[Edge]:
    """Yield the links of the groups around a node that it does not have itself."""
    known = {node_id, *(edge.target for edge in own)}
    groups: dict[tuple[LinkKind, str], list[str]] = {}
    for group in sorted(ancestors(graph, node_id)):
        for link in group_needs(graph.nodes[group]):
            groups.setdefault(link, []).append(group)
    for (kind, target), requiring in sorted(groups.items()):
        if target not in known:
            yield Edge(kind, target, tuple(requiring))


def plan_of(
    graph: SpecGraph, only: Collection[str] | None = None, *, lenient: bool = False
) -> Plan:
    """Order all nodes except groups by their dependencies; `only` restricts them.

    Decisions and contracts come first, then foundations, then behaviors. A node that depends on
    one of a later turn comes after it. Nodes on a cycle that only the links of groups close, and
    nodes that need them, are left out. With `lenient` this holds for every cycle; otherwise a cycle
    of depends_on links raises RefusedError.
    """
    if not lenient and any(len(group) > 1 for group in graph.dependency_cycles):
        hint = "'yg validate' writes every cycle out (E109); --lenient leaves these nodes out."
        raise RefusedError("there is no order: depends_on links form a cycle", hint=hint)
    order = graph.once(_BuildOrder)
    kinds = {node_id: node for node_id, node in graph.nodes.items() if not node.is_group}
    wanted = frozenset(node_id for node_id in kinds if only is None or node_id in only)
    chosen = wanted.difference(order.reasons)
    needed = kernel.needed_for(order.needs, chosen)
    needs = {path: targets for path, targets in order.needs.items() if path in needed}
    left_out = (("grouping", len(graph.nodes) - len(kinds)),)
    unordered = [
        kernel.Unordered(left, reason) for left, reason in order.reasons.items() if left in wanted
    ]
    whole = kernel.plan_of(needs, chosen, left_out, unordered)
    stages: list[tuple[str, ...]] = []
    for turn in range(TURNS):
        now = frozenset(node_id for node_id in chosen if order.turn(node_id) == turn)
        part = kernel.plan_of(needs, now)
        stages += part.stages
    return replace(whole, stages=tuple(stages))


class _BuildOrder:
    """What each node of a graph needs, without the nodes that have no place in the order."""

    def __init__(self, graph: SpecGraph) -> None:
        needs: Mapping[str, Sequence[str]] = _order(graph)
        self.reasons = kernel.unordered(needs, dict(_cyclic(graph, needs)))  # for those left out
        self.needs = kernel.without(needs, self.reasons)
        turns = {node_id: 1 << _turn(node) for node_id, node in graph.nodes.items()}
        self._turns = gathered(self.needs, turns)

    def turn(self, node_id: str) -> int:
        """Return the turn in which a node is built: its own, or a later one of what it needs."""
        return self._turns[node_id].bit_length() - 1


def _turn(node: SpecNode) -> int:
    if node.kind.shape is Shape.BEHAVIOR:
        return 2
    return 1 if node.type == FOUNDATION else 0


def needed_for(graph: SpecGraph, node_id: str) -> frozenset[str]:
    """Return a node, or the nodes of a group, and all nodes that they need."""
    found = kernel.needed_for(graph.once(_upstream), [_built(graph, node_id)])
    return frozenset(found & graph.nodes.keys())


def _upstream(graph: SpecGraph) -> dict[str, list[str]]:
    return _order(graph, UPSTREAM)


# Besides nodes, the order has two ids for each node that contains others. They have blanks, as no
# node has, and say in a message what they stand for.


def _inside(node_id: str) -> str:
    return f"all in {node_id}"


def _around(node_id: str) -> str:
    return f"what {node_id} needs"


def _built(graph: SpecGraph, node_id: str) -> str:
    """Return what has to be built for a link to a node: of a group, all that it contains."""
    return _inside(node_id) if graph.nodes[node_id].is_group else node_id


def _order(
    graph: SpecGraph, kinds: Iterable[LinkKind] = (LinkKind.DEPENDS_ON,)
) -> dict[str, list[str]]:
    """Return what each node needs: by its own links of some kinds, and by those of its groups."""
    found: dict[str, list[str]] = {}
    for node_id, node in graph.nodes.items():
        above = list(map(_around, graph.parents(node_id)))
        own = [(kind, to) for kind in kinds for to in node.targets(kind)]
        links = list(group_needs(node)) if node.is_group else own
        targets = (to for _, to in links if to in graph.nodes and to != node_id)
        needs = [*(_built(graph, to) for to in targets), *above]
        if not node.is_group:
            found[node_id] = needs
        if _has_members(node):
            found[_around(node_id)] = needs if node.is_group else above
            found[_inside(node_id)] = [*_members(graph, node), _around(node_id)]
    return found


def _has_members(node: SpecNode) -> bool:
    return node.is_group or LinkKind.CONTAINS in node.links


def _members(graph: SpecGraph, node: SpecNode) -> Iterator[str]:
    for member in node.targets(LinkKind.CONTAINS):
        if member in graph.nodes:
            yield _built(graph, member)
            if _has_members(graph.nodes[member]):
                yield _inside(member)


def _cyclic(graph: SpecGraph, needs: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Yield the nodes on cycles with the reason that they have no place in the order.

    A group may depend on a node in it, which then needs itself; that is not a cycle.
    """
    for group in components(needs):
        nodes = [node_id for node_id in group if node_id in graph.nodes]
        if len(nodes) > 1:
            for node_id in nodes:
                is_own = len(graph.cycle_of.get(node_id, ())) > 1
                yield node_id, "is on a cycle" if is_own else "is on a cycle through its groups"
    for cycle in graph.dependency_cycles:
        if len(cycle) > 1:
            yield from ((_built(graph, node_id), "is on a cycle") for node_id in cycle)
