"""Impact: the nodes that a change to a node, an aspect or a flow can affect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from yg_old.kernel.digraph import inverted
from yg_old.kernel.document import Document, Record, Text, about
from yg_old.kernel.impact import (
    AncestorLink,
    Dependent,
    EventLink,
    Names,
    NodeImpact,
    NodePath,
    Sharing,
    SomeNames,
    Tie,
    dependents,
)
from yg_old.kernel.inventory_names import SEPARATOR
from yg_old.text import paths
from yg_old.yggdrasil.inventories.relations import find, relying_on, split
from yg_old.yggdrasil.model import RelationKind
from yg_old.yggdrasil.resolve import (
    Reason,
    ancestors,
    effective_aspects,
    effective_ids,
    expanded,
    flows_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Aspect, Flow, Node, Relation


class Carrier(Record, frozen=True, kw_only=True):
    """A node to which the aspect applies."""

    HIDDEN = ("reasons",)

    node: NodePath
    because: Annotated[SomeNames, about("All declarations that apply the aspect to the node.")]
    reasons: tuple[Reason, ...]


class AspectImpact(Document, frozen=True, kw_only=True):
    """The nodes and flows that a change to an aspect can affect."""

    HIDING: ClassVar[tuple[str, ...]] = ("carriers",)

    mode: Annotated[Literal["aspect"], about("The kind of query.")] = "aspect"
    aspect: Annotated[Text, about("The id of the aspect that changes.")]
    carriers: Annotated[tuple[Carrier, ...], about("The nodes to which it applies, by path.")]
    flows: Annotated[
        Names, about("The ids of the flows that bring it to their participants, sorted.")
    ]
    implied_by: Annotated[Names, about("The ids of the aspects that imply it, sorted.")]
    implies: Annotated[
        tuple[Text, ...], about("The ids of the aspects that it implies, as declared.")
    ]

    @property
    def affected(self) -> tuple[str, ...]:
        """Every affected node, sorted by path."""
        return tuple(carrier.node for carrier in self.carriers)


class Participant(Record, frozen=True, kw_only=True):
    """A node that takes part in the flow."""

    node: NodePath
    descendant: Annotated[bool, about("Whether it participates through an ancestor.")]


class FlowImpact(Document, frozen=True, kw_only=True):
    """The nodes that a change to a flow can affect."""

    mode: Annotated[Literal["flow"], about("The kind of query.")] = "flow"
    flow: Annotated[Text, about("The id of the flow that changes.")]
    name: Annotated[Text, about("The name of that flow.")]
    participants: Annotated[tuple[Participant, ...], about("The nodes that take part, by path.")]
    aspects: Annotated[
        tuple[Text, ...], about("The ids of the aspects that it brings, as declared.")
    ]

    @property
    def affected(self) -> tuple[str, ...]:
        """Every affected node, sorted by path."""
        return tuple(participant.node for participant in self.participants)


def node_impact(
    graph: Graph, node: Node, method: str = "", using: frozenset[str] = frozenset()
) -> NodeImpact:
    """Find what a change to a node affects; with a method, only through its consumers.

    `using` are the nodes whose code is known to use the method.
    """
    direct = tuple(_direct(graph, node.path, method, using))
    aspects = tuple(effective.aspect.id for effective in effective_aspects(graph, node))
    return NodeImpact(
        node=node.path,
        method=method or None,
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
        method=method or None,
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


def _direct(graph: Graph, path: str, method: str, using: frozenset[str]) -> Iterator[Dependent]:
    for node in graph.nodes:
        is_every = not method or node.path in using
        ties = tuple(
            Tie(str(relation.kind), relation.consumes)
            for relation in node.relations
            if relation.kind.is_structural
            and relation.target.text == path
            and (is_every or not relation.consumes or method in relation.consumes)
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
    """Yield the other nodes with some of the aspects, except those below the node."""
    for node in graph.nodes if aspects else ():
        if paths.is_inside(node.path, path):
            continue
        ids = effective_ids(graph, node)
        shared = tuple(aspect for aspect in aspects if aspect in ids)
        if shared:
            yield Sharing(node.path, shared)


def aspect_impact(graph: Graph, aspect: Aspect) -> AspectImpact:
    """Find what a change to an aspect affects."""
    carriers = (
        Carrier(
            node=node.path,
            because=tuple(map(str, effective.reasons)),
            reasons=effective.reasons,
        )
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
        participants=tuple(
            Participant(node=path, descendant=is_descendant)
            for path, is_descendant in sorted(found.items())
        ),
        aspects=flow.aspect_ids,
    )
