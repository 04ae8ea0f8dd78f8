"""Rules about how nodes are tied together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.digraph import cyclic_groups, others, shortest_cycle, written_out
from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.yggdrasil.model import RelationKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.model import Node, Relation
    from yg.yggdrasil.survey import Survey


@rule("W007", "high-fan-out", Severity.WARNING)
def high_fan_out(survey: Survey) -> Iterator[Finding]:
    """No node has more relations than `quality.max_direct_relations`.

    Why: a node that needs so many others has more than one responsibility, and its package grows
    with each of them.
    Fix: split the node, or let it talk to one node that stands for several.
    Example:
        quality:
          max_direct_relations: 10    # W007 on a node with 11 relations
    """
    most = survey.graph.config.quality.max_direct_relations
    for node in survey.nodes:
        if len(node.relations) > most:
            message = f"{len(node.relations)} direct relations (maximum: {most})"
            yield Finding(node.path, message, Place(node.file), ("Consider splitting the node.",))


@rule("W009", "unpaired-event", Severity.WARNING)
def unpaired_event(survey: Survey) -> Iterator[Finding]:
    """Every event is declared on both sides: `emits` here, `listens` there.

    Two relations are a pair when they name each other's nodes and, where both give an event name,
    the same one.

    Why: one side works with an event that the other side does not know of.
    Fix: declare the other side, correct the event name, or remove the relation.
    Example:
        # orders/order-service
        relations:
          - target: email-service    # W009 unless email-service listens to orders/order-service
            type: emits
            event_name: OrderPlaced
    """
    # The event names that each node uses in relations of one kind to another node.
    names: dict[tuple[str, str, str], set[str]] = {}
    for node in survey.nodes:
        for relation in node.relations:
            if not relation.kind.is_structural:
                key = (node.path, str(relation.kind), relation.target.text)
                names.setdefault(key, set()).add(relation.event_name)
    for node in survey.nodes:
        for relation in node.relations:
            target = survey.graph.nodes.get(relation.target.text)
            if relation.kind.is_structural or target is None:
                continue
            is_emitted = relation.kind is RelationKind.EMITS
            other = RelationKind.LISTENS if is_emitted else RelationKind.EMITS
            there = names.get((target.path, str(other), node.path), set())
            name = relation.event_name
            if not (there if not name else {"", name} & there):
                yield _unpaired(node, relation)


def _unpaired(node: Node, relation: Relation) -> Finding:
    event = f" '{relation.event_name}'" if relation.event_name else ""
    if relation.kind is RelationKind.EMITS:
        message = f"emits{event} to '{relation.target}', which does not listen for it"
        other = RelationKind.LISTENS
    else:
        start = f"listens for{event} from" if event else "listens to"
        message = f"{start} '{relation.target}', which does not emit it"
        other = RelationKind.EMITS
    advice = f"Add a relation '{other}' to '{node.path}' there, or remove this one."
    also = (relation.target.text,)
    return Finding(node.path, message, node.place(relation.target), (advice,), also)


@rule("E010", "structural-cycle", Severity.ERROR)
def structural_cycle(survey: Survey) -> Iterator[Finding]:
    """Structural relations (uses, calls, extends, implements) form no cycle.

    A cycle that passes through a blackbox node is tolerated: nothing is built from that node.

    Why: in a cycle there is no order in which nodes can be built, and no first contract.
    Fix: turn one relation round, replace it by an event, or move what both need to a third node.
    Example:
        # orders: calls payments; payments: calls orders
        orders -> payments -> orders    # E010
    """
    nodes = {node.path: node for node in survey.nodes if not node.is_blackbox}
    edges = {path: node.structural_targets for path, node in nodes.items()}
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first, second = nodes[cycle[0]], cycle[1 % len(cycle)]
        relation = next(
            each
            for each in first.relations
            if each.kind.is_structural and each.target.text == second
        )
        message = f"structural cycle: {written_out(cycle)}"
        yield Finding(
            first.path, message, first.place(relation.target), others(group, cycle), group
        )


@rule("E017", "aspect-implies-cycle", Severity.ERROR)
def aspect_implies_cycle(survey: Survey) -> Iterator[Finding]:
    """Aspects do not imply one another in a circle.

    Why: every aspect of the circle means all of them, so that their difference says nothing.
    Fix: take one `implies` out of the circle, or make the aspects one.
    Example:
        # aspects/audit: implies logging; aspects/logging: implies audit
        audit -> logging -> audit    # E017
    """
    aspects = {aspect.id: aspect for aspect in survey.aspects}
    edges = {each: [word.text for word in aspect.implies] for each, aspect in aspects.items()}
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first, second = aspects[cycle[0]], cycle[1 % len(cycle)]
        word = next(word for word in first.implies if word.text == second)
        message = f"aspects imply one another: {written_out(cycle)}"
        subject = f"aspects/{first.id}"
        yield Finding(subject, message, first.place(word), others(group, cycle))
