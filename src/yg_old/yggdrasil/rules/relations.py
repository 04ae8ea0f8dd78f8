"""Rules about relations between nodes and between aspects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.digraph import cyclic_groups, inner_edges, others, shortest_cycle, written_out
from yg_old.kernel.issue import Finding, Place, Severity
from yg_old.kernel.rule import rule
from yg_old.text import paths
from yg_old.yggdrasil.levels import refuses_cycles
from yg_old.yggdrasil.model import RelationKind
from yg_old.yggdrasil.resolve import is_drafted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.yggdrasil.model import Node, Relation
    from yg_old.yggdrasil.rules.survey import Survey


@rule("W007", "high-fan-out", Severity.WARNING, title="Too many relations")
def high_fan_out(survey: Survey) -> Iterator[Finding]:
    """No node has more relations than `quality.max_direct_relations`.

    Relations to nodes of other repositories count too. Nodes whose texts are all drafts (W025) are
    not checked: `yg draft` writes the relations that the code has.

    Why: a node with this many relations usually has more than one responsibility, and each relation
    makes its package larger.
    Fix: split the node, or replace several targets with one node that represents them: a relation
    to a parent stands for imports of all nodes below it.
    Example:
        quality:
          max_direct_relations: 10    # W007 on a node with 11 relations
    """
    most = survey.graph.config.quality.max_direct_relations
    for node in survey.nodes:
        count = len(node.relations) + len(node.external)
        if count > most and not is_drafted(survey.graph, node):
            message = f"{count} direct relations (maximum: {most})"
            advice = ("Consider splitting the node.", *_instead(survey, node, count - most))
            yield Finding(node.path, message, Place(node.file), advice)


def _instead(survey: Survey, node: Node, surplus: int) -> Iterator[str]:
    """Yield the parent to which one relation can stand for several that a node has.

    Of the parents that save enough relations, that for the fewest; if none does, for the most.
    """
    counts: dict[str, int] = {}
    for target in node.structural_targets:
        for place in (target, *paths.lineage(target)[1:]):
            counts[place] = counts.get(place, 0) + 1
    above = {node.path, *paths.lineage(node.path)}
    saved = {
        place: count - 1
        for place, count in counts.items()
        if count > 1 and survey.graph.nodes.get(place) and place not in above
    }
    if not saved:
        return
    enough = [place for place in saved if saved[place] >= surplus]
    most = max(saved.values())
    wanted = min(saved[place] for place in enough) if enough else most
    alike = (place for place in saved if saved[place] == wanted)
    parent = min(alike, key=lambda place: (-len(paths.lineage(place)), place))
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
    # Event names by source node, relation kind and target node.
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
    advice = f"Add a relation of type '{other}' to '{node.path}' there, or remove this one."
    also = (relation.target.text,)
    return Finding(node.path, message, node.place(relation.target), (advice,), also)


@rule("E010", "structural-cycle", Severity.ERROR)
def structural_cycle(survey: Survey) -> Iterator[Finding]:
    """Structural relations (uses, calls, extends, implements) do not form a cycle.

    A cycle through a blackbox node is allowed, because nothing is built from that node. Cycles that
    share a node are one issue, which lists every relation on them, the shortest cycle first
    (`yg preflight` and refusals show the first ones). For code that really is cyclic, set
    `rules: {E010: warning}`: packages are built, and `yg plan` puts the nodes into one stage.

    Why: the nodes of a cycle cannot be built in any order, because each needs another one first.
    Fix: reverse or remove one relation, replace it with an event, or move the shared part to a
    third node.
    Example:
        # orders: calls payments; payments: calls orders
        orders -> payments -> orders    # E010
    """
    nodes = {node.path: node for node in survey.nodes if not node.is_blackbox}
    edges: dict[str, list[str]] = {}
    for path, node in nodes.items():
        targets = node.structural_targets
        edges[path] = [target for target in targets if target != path]
        if path in targets:
            yield Finding(path, "has a relation to itself", _structural(node, path), (_NO_SELF,))
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first = nodes[cycle[0]]
        message = f"structural cycle: {written_out(cycle)}"
        ways_out = f"{_REVERSE}{_LOWER}." if refuses_cycles(survey.graph) else f"{_REVERSE}."
        relations = inner_edges(edges, group, cycle)
        listed = (f"  {source} -> {target}" for source, target in relations)
        advice = ("Relations on a cycle:", *listed, ways_out)
        yield Finding(first.path, message, _structural(first, cycle[1]), advice, group)


_NO_SELF = "Remove the relation: the package of a node always has its own files."
_REVERSE = "Reverse or remove one of them"
_LOWER = ", or, if the code really is cyclic, set 'rules: {E010: warning}' in yg-config.yaml"


def _structural(node: Node, target: str) -> Place:
    """Return the position of a node's first structural relation to a target."""
    words = (relation.target for relation in node.relations if relation.kind.is_structural)
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
    aspects = {aspect.id: aspect for aspect in survey.aspects}
    edges = {
        aspect_id: [implied.text for implied in aspect.implies]
        for aspect_id, aspect in aspects.items()
    }
    for group in cyclic_groups(edges):
        cycle = shortest_cycle(edges, group)
        first, second = aspects[cycle[0]], cycle[1 % len(cycle)]
        implied = next(implied for implied in first.implies if implied.text == second)
        message = f"'implies' cycle: {written_out(cycle)}"
        subject = f"aspects/{first.id}"
        advice = (_REMOVE_IMPLIED, *others(group, cycle, "aspect"))
        yield Finding(subject, message, first.place(implied), advice)


_REMOVE_IMPLIED = "Remove one 'implies' entry of the cycle, or merge the aspects."
