"""Rules about relations between nodes and between aspects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.digraph import cyclic_groups, inner_edges, others, shortest_cycle, written_out
from yg.kernel.issue import Finding, Place, Severity
from yg.kernel.rule import rule
from yg.text import paths
from yg.yggdrasil.model import RelationType
from yg.yggdrasil.rules.levels import refuses_cycles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node, Relation
    from yg.yggdrasil.survey import Survey


@rule("E010", "structural-cycle", Severity.ERROR)
def structural_cycle(survey: Survey) -> Iterator[Finding]:
    """Structural relations (uses, calls, extends, implements) do not form a cycle.

    A cycle through a blackbox node is allowed, because nothing is built from that node. Cycles that
    share a node are one issue, which lists every relation on them, the shortest cycle first. For
    code that really is cyclic, set `rules: {E010: warning}`: packages are built, and `yg plan` puts
    the nodes into one stage.

    Why: the nodes of a cycle cannot be built in any order, because each needs another one first.
    Fix: reverse or remove one relation, replace it with an event, or move the shared part to a
    third node.
    Example:
        # orders: calls payments; payments: calls orders
        orders -> payments -> orders    # E010
    """
    nodes = {path: node for path, node in survey.graph.nodes.items() if not node.blackbox}
    edges: dict[str, list[str]] = {}
    for path, node in nodes.items():
        targets = node.structural_targets if node.relations else ()
        edges[path] = [target for target in targets if target != path]
        if path in targets:
            yield Finding(path, "has a relation to itself", _structural(node, path), (_NO_SELF,))
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first = nodes[cycle[0]]
        message = f"structural cycle: {written_out(cycle)}"
        lowers = _LOWER if refuses_cycles(survey.graph.config) else ""
        relations = inner_edges(edges, group, cycle)
        listed = (f"  {source} -> {target}" for source, target in relations)
        advice = ("Relations on a cycle:", *listed, f"{_REVERSE}{lowers}.")
        yield Finding(first.path, message, _structural(first, cycle[1]), advice, group)


_NO_SELF = "Remove the relation: the package of a node always has its own files."
_REVERSE = "Reverse or remove one of them"
_LOWER = ", or, if the code really is cyclic, set 'rules: {E010: warning}' in yg-config.yaml"


def _structural(node: Node, target: str) -> Place:
    """Return the position of a node's first structural relation to a target."""
    words = (relation.target for relation in node.relations if relation.type.is_structural)
    return node.place(next(word for word in words if word.text == target))


@rule("E017", "aspect-implies-cycle", Severity.ERROR, title="Aspects imply each other")
def aspect_implies_cycle(survey: Survey) -> Iterator[Finding]:
    """Aspects do not imply each other in a cycle.

    Why: the aspects of a cycle always apply together, so there is no reason to keep them separate.
    Fix: remove one `implies` entry from the cycle, or merge the aspects.
    Example:
        # aspects/audit: implies logging; aspects/logging: implies audit
        audit -> logging -> audit    # E017
    """
    aspects = survey.graph.aspects
    edges = {
        aspect_id: [implied.text for implied in aspect.implies]
        for aspect_id, aspect in aspects.items()
    }
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first, second = aspects[cycle[0]], cycle[1 % len(cycle)]
        implied = next(implied for implied in first.implies if implied.text == second)
        message = f"'implies' cycle: {written_out(cycle)}"
        advice = (_REMOVE_IMPLIED, *others(group, cycle, "aspect"))
        yield Finding(f"aspects/{first.id}", message, first.place(implied), advice)


_REMOVE_IMPLIED = "Remove one 'implies' entry of the cycle, or merge the aspects."


@rule("W007", "high-fan-out", Severity.WARNING, title="Too many relations")
def high_fan_out(survey: Survey) -> Iterator[Finding]:
    """No node has more relations than `quality.max_direct_relations`.

    Why: a node with this many relations usually has more than one responsibility, and each relation
    makes its package larger.
    Fix: split the node, or replace several targets with one node that represents them: a relation
    to a parent stands for imports of all nodes below it.
    Example:
        quality:
          max_direct_relations: 10    # W007 on a node with 11 relations
    """
    most = survey.graph.config.quality.max_direct_relations
    for node in survey.graph.nodes.values():
        count = len(node.relations)
        if count > most:
            message = f"{count} direct relations (maximum: {most})"
            instead = _instead(survey.graph, node, count - most)
            advice = ("Consider splitting the node.", *instead)
            yield Finding(node.path, message, Place(node.file), advice)


def _instead(graph: Graph, node: Node, surplus: int) -> Iterator[str]:
    """Yield the parent to which one relation can stand for several that a node has.

    Of the parents that save enough relations, that for the fewest; if none does, for the most.
    """
    counts: dict[str, int] = {}
    for target in node.structural_targets:
        if target in graph.nodes:
            for place in (target, *paths.lineage(target)[1:]):
                counts[place] = counts.get(place, 0) + 1
    above = {node.path, *paths.lineage(node.path)}
    saved = {
        place: count - 1
        for place, count in counts.items()
        if count > 1 and place in graph.nodes and place not in above
    }
    if not saved:
        return
    enough = [number for number in saved.values() if number >= surplus]
    wanted = min(enough) if enough else max(saved.values())
    alike = (place for place in saved if saved[place] == wanted)
    parent = min(alike, key=lambda place: (-place.count("/"), place))
    yield f"A relation to '{parent}' would stand for {wanted + 1} of them."


@rule("W009", "unpaired-event", Severity.WARNING)
def unpaired_event(survey: Survey) -> Iterator[Finding]:
    """Every event is declared on both sides: `emits` on one node, `listens` on the other.

    Two relations form a pair if each names the node of the other and, where both set `event_name`,
    the names are equal.

    Why: one side relies on an event that the other side does not know about.
    Fix: declare the other side, correct the event name, or remove the relation.
    Example:
        # orders/order-service
        relations:
          - target: email-service    # W009 unless email-service listens to orders/order-service
            type: emits
            event_name: OrderPlaced
    """
    events = [
        (node, relation)
        for node in survey.graph.nodes.values()
        for relation in node.relations
        if relation.type in _OTHER_SIDE
    ]
    # Event names by source node, relation type and target node.
    names: dict[tuple[str, RelationType, str], set[str]] = {}
    for node, relation in events:
        names.setdefault((node.path, relation.type, relation.target.text), set()).add(
            relation.event_name
        )
    for node, relation in events:
        target, name = relation.target.text, relation.event_name
        if target in survey.graph.nodes:
            there = names.get((target, _OTHER_SIDE[relation.type], node.path), set())
            if not (there if not name else {"", name} & there):
                yield _unpaired(node, relation)


_OTHER_SIDE = {
    RelationType.EMITS: RelationType.LISTENS,
    RelationType.LISTENS: RelationType.EMITS,
}


def _unpaired(node: Node, relation: Relation) -> Finding:
    event = f" '{relation.event_name}'" if relation.event_name else ""
    other = _OTHER_SIDE[relation.type]
    if relation.type is RelationType.EMITS:
        message = f"emits{event} to '{relation.target}', which does not listen for it"
    else:
        start = f"listens for{event} from" if event else "listens to"
        message = f"{start} '{relation.target}', which does not emit it"
    advice = f"Add a relation of type '{other}' to '{node.path}' there, or remove this one."
    also = (relation.target.text,)
    return Finding(node.path, message, node.place(relation.target), (advice,), also)
