"""Impact: the nodes that a change to a node, an aspect or a flow can affect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.digraph import inverted
from yg.kernel.impact import (
    AncestorLink,
    Dependent,
    EventLink,
    NodeImpact,
    Sharing,
    Tie,
    dependents,
)
from yg.kernel.import_names import SEPARATOR
from yg.yggdrasil.external import find, relying_on, split
from yg.yggdrasil.model import RelationKind
from yg.yggdrasil.resolve import (
    ancestors,
    effective_aspects,
    effective_ids,
    expanded,
    flows_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Aspect, Flow, Node, Relation
    from yg.yggdrasil.resolve import Reason


class Carrier(Struct, frozen=True):
    """A node to which an aspect applies, and why."""

    node: str
    reasons: tuple[Reason, ...]


class AspectImpact(Struct, frozen=True, kw_only=True):
    """The nodes and flows that a change to an aspect can affect."""

    aspect: str
    carriers: tuple[Carrier, ...]
    flows: tuple[str, ...]
    implied_by: tuple[str, ...]
    implies: tuple[str, ...]

    @property
    def affected(self) -> tuple[str, ...]:
        """Every affected node, sorted by path."""
        return tuple(carrier.node for carrier in self.carriers)


class FlowImpact(Struct, frozen=True, kw_only=True):
    """The nodes that a change to a flow can affect."""

    flow: str
    name: str
    participants: tuple[
        tuple[str, bool], ...
    ]  # path, and whether it is a descendant of a listed node
    aspects: tuple[str, ...]

    @property
    def affected(self) -> tuple[str, ...]:
        """Every affected node, sorted by path."""
        return tuple(path for path, _ in self.participants)


def node_impact(graph: Graph, node: Node, method: str = "") -> NodeImpact:
    """Find what a change to a node affects; with a method, only through its consumers."""
    direct = tuple(_direct(graph, node.path, method))
    aspects = tuple(effective.aspect.id for effective in effective_aspects(graph, node))
    return NodeImpact(
        node=node.path,
        method=method,
        consumed=_consumed(graph, node.path),
        direct=direct,
        transitive=dependents(incoming(graph), node.path, (dependent.node for dependent in direct)),
        events=_events(graph, node),
        through_ancestors=_through_ancestors(graph, node.path),
        descendants=descendants(graph, node.path),
        flows=tuple(flow.id for flow in flows_of(graph, node.path)),
        aspects=aspects,
        sharing=tuple(_sharing(graph, node.path, aspects)),
    )


def external_impact(graph: Graph, target: str, method: str = "") -> NodeImpact:
    """Find what a change to a node of another repository affects here."""
    ties: dict[str, list[Tie]] = {}
    events: dict[EventLink, None] = {}
    consumed: set[str] = set()
    known = find(graph, target)
    for node, relation in relying_on(graph, target):
        consumed.update(relation.consumes)
        if not relation.kind.is_structural:
            event = relation.event_name or (known.name if known else target)
            events[EventLink(node.path, str(relation.kind), event)] = None
        elif not method or not relation.consumes or method in relation.consumes:
            ties.setdefault(node.path, []).append(Tie(str(relation.kind), relation.consumes))
    return NodeImpact(
        node=target,
        method=method,
        consumed=tuple(sorted(consumed)),
        direct=tuple(Dependent(path, tuple(found)) for path, found in ties.items()),
        transitive=dependents(incoming(graph), "", ties),
        events=tuple(sorted(events, key=lambda link: (link.node, link.kind, link.event))),
        through_ancestors=_through_external_ancestors(graph, target),
        descendants=(),
        flows=(),
        aspects=(),
        sharing=(),
    )


def _through_external_ancestors(graph: Graph, target: str) -> tuple[AncestorLink, ...]:
    """Return the relations of nodes to the ancestors of a node of another repository."""
    name, path = split(target)
    above = {f"{name}{SEPARATOR}{ancestor}" for ancestor in paths.lineage(path)}
    links = (
        AncestorLink(node.path, str(relation.kind), relation.target.text)
        for node in graph.nodes
        for relation in node.external
        if relation.target.text in above
    )
    return tuple(dict.fromkeys(links))


def _direct(graph: Graph, path: str, method: str) -> Iterator[Dependent]:
    for node in graph.nodes:
        ties = tuple(
            Tie(str(relation.kind), relation.consumes)
            for relation in node.relations
            if relation.kind.is_structural
            and relation.target.text == path
            and (not method or not relation.consumes or method in relation.consumes)
        )
        if ties and node.path != path:
            yield Dependent(node.path, ties)


def _consumed(graph: Graph, path: str) -> tuple[str, ...]:
    """Return the names that other nodes consume of a node, sorted."""
    names = {
        name
        for node in graph.nodes
        if node.path != path
        for relation in node.relations
        if relation.target.text == path
        for name in relation.consumes
    }
    return tuple(sorted(names))


def incoming(graph: Graph) -> dict[str, list[str]]:
    """Return the direct dependents of each node, by path."""
    return inverted({node.path: node.structural_targets for node in graph.nodes})


def _events(graph: Graph, target: Node) -> tuple[EventLink, ...]:
    """Find the nodes that exchange events with the target."""
    found: dict[EventLink, None] = {}
    for node in graph.nodes:
        for relation in node.relations:
            if not relation.kind.is_structural and relation.target.text == target.path:
                found[EventLink(node.path, str(relation.kind), _event(graph, relation))] = None
    listeners = {link.node for link in found if link.kind == RelationKind.LISTENS}
    for relation in target.relations:
        if relation.kind is RelationKind.EMITS:
            link = EventLink(relation.target.text, RelationKind.LISTENS, _event(graph, relation))
            is_known = link in found or (not relation.event_name and link.node in listeners)
            if not is_known and graph.nodes.get(link.node) is not None:
                found[link] = None
                listeners.add(link.node)
    others = (link for link in found if link.node != target.path)
    return tuple(sorted(others, key=lambda link: (link.node, link.kind, link.event)))


def _event(graph: Graph, relation: Relation) -> str:
    target = graph.nodes.get(relation.target.text)
    return relation.event_name or (target.name if target else relation.target.text)


def _through_ancestors(graph: Graph, path: str) -> tuple[AncestorLink, ...]:
    """Return the relations of other nodes to the ancestors of a node, each once, by node."""
    above = {ancestor.path for ancestor in ancestors(graph, path)}
    links = (
        AncestorLink(node.path, str(relation.kind), relation.target.text)
        for node in (graph.nodes if above else ())
        if node.path != path
        for relation in node.relations
        if relation.target.text in above and relation.target.text != node.path
    )
    return tuple(dict.fromkeys(links))


def descendants(graph: Graph, path: str) -> tuple[str, ...]:
    """Return the nodes below a node, sorted by path."""
    return tuple(
        node.path for node in graph.nodes if node.path != path and paths.is_inside(node.path, path)
    )


def _sharing(graph: Graph, path: str, aspects: tuple[str, ...]) -> Iterator[Sharing]:
    for node in graph.nodes if aspects else ():
        if node.path == path:
            continue
        ids = effective_ids(graph, node)
        shared = tuple(aspect for aspect in aspects if aspect in ids)
        if shared:
            yield Sharing(node.path, shared)


def aspect_impact(graph: Graph, aspect: Aspect) -> AspectImpact:
    """Find what a change to an aspect affects."""
    carriers = (
        Carrier(node.path, effective.reasons)
        for node in graph.nodes
        for effective in effective_aspects(graph, node)
        if effective.aspect.id == aspect.id
    )
    return AspectImpact(
        aspect=aspect.id,
        carriers=tuple(carriers),
        flows=tuple(
            flow.id for flow in graph.flows if aspect.id in expanded(graph, flow.aspect_ids)
        ),
        implied_by=tuple(
            other.id
            for other in graph.aspects
            if any(aspect.id == word.text for word in other.implies)
        ),
        implies=tuple(word.text for word in aspect.implies),
    )


def flow_impact(graph: Graph, flow: Flow) -> FlowImpact:
    """Find what a change to a flow affects."""
    found = {}
    for node in graph.nodes:
        if node.path in flow.participants:
            found[node.path] = False
        elif not flow.participants.isdisjoint(paths.lineage(node.path)):
            found[node.path] = True
    return FlowImpact(
        flow=flow.id,
        name=flow.name,
        participants=tuple(sorted(found.items())),
        aspects=flow.aspect_ids,
    )
