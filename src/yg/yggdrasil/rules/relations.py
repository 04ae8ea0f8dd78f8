"""Rules about how nodes are tied together."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
