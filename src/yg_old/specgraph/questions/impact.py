"""The nodes that a change to a node affects: those whose full context lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.impact import Dependent, Guided, NodeImpact, Reached, Tie, dependents
from yg_old.specgraph.context.guidance import guidance_of
from yg_old.specgraph.context.layers import layers_of
from yg_old.specgraph.model import DOWNSTREAM, FOUNDATION, LAYER, UPSTREAM, LinkKind
from yg_old.specgraph.resolve import ancestors, contents, group_needs

if TYPE_CHECKING:
    from collections.abc import Collection, Container, Iterable, Iterator, Mapping

    from yg_old.specgraph.graph import SpecGraph

_VIA_LAYER = "via layer"


def node_impact(graph: SpecGraph, node_id: str) -> NodeImpact:
    """Find every node whose full context lists a node, in a section or as affected."""
    direct = _pointing(graph, node_id, UPSTREAM)
    transitive = dependents(
        graph.once(_incoming), node_id, (dependent.node for dependent in direct)
    )
    needing = dict.fromkeys(
        (
            node_id,
            *(dependent.node for dependent in direct),
            *(dependent.node for dependent in transitive),
        )
    )
    return NodeImpact(
        node=node_id,
        direct=direct,
        transitive=transitive,
        named_by=_pointing(graph, node_id, DOWNSTREAM),
        guided=tuple(
            Guided(other, (f"{reason.how} {reason.by}",))
            for other, reason in sorted(_guided(graph, {node_id}, needing).items())
        ),
        descendants=tuple(sorted(_below(graph, [node_id]).keys() - {node_id})),
    )


def nodes_reached(graph: SpecGraph, node_ids: Iterable[str]) -> dict[str, Reached]:
    """Find all other nodes whose full contexts list one of some nodes, each by one step to it."""
    targets = {node_id: None for node_id in node_ids if node_id in graph.nodes}
    needing = {found.node: found for found in dependents(graph.once(_incoming), "", targets)}
    steps = {
        **{other: why.by for other, why in _guided(graph, targets, targets | needing).items()},
        **_below(graph, targets),
        **{found.node: to for to in targets for found in _pointing(graph, to, DOWNSTREAM)},
    }
    others = {other: _reached(other, by) for other, by in steps.items() if other not in targets}
    return others | needing


def _reached(node_id: str, by: str) -> Reached:
    return Reached(node_id, by, 2, (by, node_id))


def _pointing(graph: SpecGraph, node_id: str, kinds: Iterable[LinkKind]) -> tuple[Dependent, ...]:
    """Return the nodes with links of some kinds to a node."""
    found: dict[str, list[Tie]] = {}
    for kind in kinds:
        for source in graph.sources(kind, node_id):
            if source != node_id:
                found.setdefault(source, []).append(Tie(kind))
    return tuple(Dependent(source, tuple(ties)) for source, ties in sorted(found.items()))


def _incoming(graph: SpecGraph) -> Mapping[str, list[str]]:
    """Return the nodes that need each node, in the order of ids."""
    found: dict[str, dict[str, None]] = {}
    for node in graph.nodes.values():
        for kind in UPSTREAM:
            for target in node.targets(kind):
                found.setdefault(target, {})[node.id] = None
    return {target: list(nodes) for target, nodes in found.items()}


class _Reason(Struct, frozen=True):
    """Why a context includes a node without a link of its own: a phrase, and a node."""

    how: str
    by: str


def _guided(
    graph: SpecGraph, targets: Collection[str], needing: Collection[str]
) -> dict[str, _Reason]:
    """Return the nodes that include one of the targets for another reason than their own links.

    A context includes what its guides and its groups need, so the guides and groups that need a
    target count too. Each node is listed with the nearest reason.
    """
    found = dict(_Guiding(graph, needing).reasons())
    for other, group in _below(graph, _passing_needs_on(graph, targets, needing)).items():
        if other != group:
            found.setdefault(other, _Reason("member of", group))
    for other, layer in _with_layers(graph, _layers_showing(graph, targets, needing)).items():
        found.setdefault(other, _Reason(_VIA_LAYER, layer))
    return {other: reason for other, reason in found.items() if other not in targets}


class _Guiding:
    """Some nodes as guides of others."""

    def __init__(self, graph: SpecGraph, node_ids: Iterable[str]) -> None:
        self.graph = graph
        self.guidance = guidance_of(graph)
        self.guides = self.guidance.union(node_ids)
        constrained = {
            target: None
            for guide in self.guidance.members(self.guides)
            for target in graph.nodes[guide].targets(LinkKind.CONSTRAINS)
        }
        self._groups = _below(graph, constrained)
        layers = (layer for layer in graph.nodes if self._hands_on(layer, self.guides))
        self._layers = _with_layers(graph, layers)

    def reasons(self) -> Iterator[tuple[str, _Reason]]:
        """Yield the nodes that some of the guides reach, each with the nearest reason."""
        for node_id in self.graph.nodes if self.guides else ():
            if guides := self.guidance.left(node_id) & self.guides:
                yield node_id, self._reason(node_id, guides)

    def _reason(self, node_id: str, guides: int) -> _Reason:
        if direct := self._constraining(node_id, guides):
            return _Reason("constrained by", self.guidance.members(direct, 1)[0])
        if guides & self.guidance.constraining[node_id]:
            return _Reason("inherited via", self._group(node_id, guides))
        return _Reason(_VIA_LAYER, self._layer(node_id, guides))

    def _constraining(self, node_id: str, guides: int) -> int:
        return guides & self.guidance.direct.get(node_id, 0)

    def _group(self, node_id: str, guides: int) -> str:
        """Return a node around a node that one of its guides constrains."""
        near = self._groups[node_id]
        if self._constraining(near, guides):
            return near
        above = ancestors(self.graph, node_id)  # the guide of the nearest is superseded here
        return next(group for group in above if self._constraining(group, guides))

    def _layer(self, node_id: str, guides: int) -> str:
        """Return a layer of a node that hands on one of its guides."""
        near = self._layers[node_id]
        if near != node_id and self._hands_on(near, guides):
            return near
        every = layers_of(self.graph).paths(node_id)
        return next(layer.id for layer in every if self._hands_on(layer.id, guides))

    def _hands_on(self, layer: str, guides: int) -> bool:
        is_layer = self.graph.nodes[layer].type == LAYER
        return is_layer and bool(self.guidance.of_layer[layer] & guides)


def _below(graph: SpecGraph, node_ids: Iterable[str]) -> dict[str, str]:
    """Return readable nodes and their contents, each with the given node it was reached from."""
    below = contents(graph, node_ids)
    return {other: via for other, via in below.items() if other in graph.nodes}


def _passing_needs_on(
    graph: SpecGraph, targets: Container[str], needing: Container[str]
) -> Iterator[str]:
    """Yield the nodes whose contents include a target because these need it."""
    for other, node in graph.nodes.items():
        if other in needing and other not in targets:
            is_needed = any(target in needing for _, target in group_needs(node))
            if is_needed or not node.is_group:
                yield other


def _layers_showing(
    graph: SpecGraph, targets: Container[str], needing: Container[str]
) -> Iterator[str]:
    """Yield the layers whose users include a target: targets, and those that need a foundation."""
    for layer, node in graph.nodes.items():
        if node.type == LAYER:
            needs = node.targets(LinkKind.DEPENDS_ON)
            foundations = (to for to in needs if to in graph.nodes and to in needing)
            is_needed = any(graph.nodes[to].type == FOUNDATION for to in foundations)
            if layer in targets or is_needed:
                yield layer


def _with_layers(graph: SpecGraph, layers: Iterable[str]) -> dict[str, str]:
    """Return the nodes that have some of the layers, each with the nearest one."""
    found: dict[str, str] = {}
    waiting = [(layer, layer) for layer in layers]
    for current, layer in waiting:  # grows while it is read
        node = graph.nodes[current]
        members = node.targets(LinkKind.CONTAINS) if node.is_group else ()
        for above in (*graph.dependents(current), *members):
            if above in graph.nodes and above not in found:
                found[above] = layer
                waiting.append((above, layer))
    return found
