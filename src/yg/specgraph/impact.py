"""The nodes that a change to a node affects: those whose full context lists it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.impact import Dependent, Guided, NodeImpact, Tie, dependents
from yg.specgraph.guidance import guidance_of
from yg.specgraph.layers import layers_of
from yg.specgraph.model import DOWNSTREAM, FOUNDATION, LAYER, UPSTREAM, LinkKind
from yg.specgraph.resolve import ancestors, contents, group_needs

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    from yg.specgraph.graph import SpecGraph


def node_impact(graph: SpecGraph, node_id: str) -> NodeImpact:
    """Find every node whose full context lists a node, in a section or as affected."""
    direct = _pointing(graph, node_id, UPSTREAM)
    transitive = dependents(_incoming(graph), node_id, (dependent.node for dependent in direct))
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
        guided=_guided(graph, node_id, needing),
        descendants=tuple(sorted(_below(graph, [node_id]).keys() - {node_id})),
    )


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


def _guided(graph: SpecGraph, node_id: str, needing: Mapping[str, None]) -> tuple[Guided, ...]:
    """Return the nodes that include the node for another reason than their own links.

    A context includes what its guides and its groups need, so the guides and groups that need the
    node count too. Each node is listed with the nearest reason.
    """
    found = dict(_Guiding(graph, needing).reasons())
    for other, group in _below(graph, _passing_needs_on(graph, node_id, needing)).items():
        if other != group:
            found.setdefault(other, f"member of {group}")
    for other, layer in _with_layers(graph, _layers_showing(graph, node_id, needing)).items():
        found.setdefault(other, f"via layer {layer}")
    found.pop(node_id, None)
    return tuple(Guided(other, (reason,)) for other, reason in sorted(found.items()))


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

    def reasons(self) -> Iterator[tuple[str, str]]:
        """Yield the nodes that some of the guides reach, each with the nearest reason."""
        for node_id in self.graph.nodes if self.guides else ():
            if guides := self.guidance.left(node_id) & self.guides:
                yield node_id, self._reason(node_id, guides)

    def _reason(self, node_id: str, guides: int) -> str:
        if direct := self._constraining(node_id, guides):
            return f"constrained by {self.guidance.members(direct, 1)[0]}"
        if guides & self.guidance.constraining[node_id]:
            return f"inherited via {self._group(node_id, guides)}"
        return f"via layer {self._layer(node_id, guides)}"

    def _constraining(self, node_id: str, guides: int) -> int:
        return guides & self.guidance.union(self.graph.constrainers(node_id))

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


def _passing_needs_on(graph: SpecGraph, node_id: str, needing: Container[str]) -> Iterator[str]:
    """Yield the nodes whose contents include the node because these need it."""
    for other, node in graph.nodes.items():
        if other in needing and other != node_id:
            is_needed = any(target in needing for _, target in group_needs(node))
            if is_needed or not node.is_group:
                yield other


def _layers_showing(graph: SpecGraph, node_id: str, needing: Container[str]) -> Iterator[str]:
    """Yield the layers whose users include the node: itself, and those that need its foundation."""
    for layer, node in graph.nodes.items():
        if node.type == LAYER:
            targets = node.targets(LinkKind.DEPENDS_ON)
            foundations = (to for to in targets if to in graph.nodes and to in needing)
            is_needed = any(graph.nodes[to].type == FOUNDATION for to in foundations)
            if layer == node_id or is_needed:
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
