"""Contradictory guidance, and the warnings of a context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.specgraph.context.document import collapsed, listed
from yg_old.specgraph.context.guidance import guidance_of
from yg_old.specgraph.model import DECISION, POLICY, Strictness
from yg_old.text.suggest import listing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from yg_old.specgraph.context.context import PrunedGuidance
    from yg_old.specgraph.context.surroundings import Guide
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode
    from yg_old.specgraph.resolve import MissingLink

SHOWN_IDS = 10  # of a cycle


def competing_decisions(decisions: Iterable[SpecNode]) -> dict[str, tuple[str, ...]]:
    """Return the categories with several decisions, and these decisions, sorted."""
    found: dict[str, list[str]] = {}
    for node in decisions:
        if node.category:
            found.setdefault(node.category, []).append(node.id)
    return {category: tuple(sorted(ids)) for category, ids in sorted(found.items()) if len(ids) > 1}


def overlapping_policies(
    nodes: Iterable[SpecNode],
) -> list[tuple[tuple[SpecNode, ...], tuple[SpecNode, ...]]]:
    """Return the hard and the soft policies that make the same statement, in the order of ids."""
    found: dict[str, tuple[list[SpecNode], list[SpecNode]]] = {}
    policies = (node for node in nodes if node.type == POLICY and node.text)
    for node in sorted(policies, key=lambda policy: policy.id):
        hard, soft = found.setdefault(" ".join(node.text.split()).casefold(), ([], []))
        if node.severity in list(Strictness):
            (hard if node.severity == Strictness.HARD else soft).append(node)
    every = ((tuple(hard), tuple(soft)) for hard, soft in found.values() if hard and soft)
    return sorted(every, key=lambda pair: pair[0][0].id)


def warnings_of(
    graph: SpecGraph,
    included: Sequence[SpecNode],  # the target first
    guides: Mapping[str, Guide],
    missing: Sequence[MissingLink],
    pruned: Sequence[PrunedGuidance],
) -> Iterator[str]:
    """Yield the warnings of a context, in order."""
    target = included[0]
    if by := graph.superseders(target.id):
        yield f"Target superseded by {listed(by)}."
    for link in missing:
        yield f"Missing target: {link.source} {link.edge_type} {collapsed(link.target)}."
    for group in _cycles(graph.cycle_of, (node.id for node in included)):
        yield f"depends_on cycle among: {listing(group, SHOWN_IDS)}."
    yield from _contradictions(graph, guides)
    for decision in sorted(node.id for node in included if _lacks_rationale(node)):
        yield f"Decision {decision} has no metadata.rationale."
    guiding = (target.id, *guides)
    for group in _cycles(guidance_of(graph).supersession_cycle_of, guiding, at_least=2):
        yield f"Supersedes cycle: {listing(group, SHOWN_IDS)}."
    for item in pruned:
        yield f"Pruned: {item.id} (superseded by {listed(item.superseded_by)})."


def _cycles(
    cycle_of: Mapping[str, tuple[str, ...]], ids: Iterable[str], at_least: int = 1
) -> list[Collection[str]]:
    """Return the cycles that have some of the ids, sorted."""
    if not cycle_of:
        return []
    found: dict[str, int] = {}  # by the first id of a cycle, which is in no other
    for node_id in ids:
        if group := cycle_of.get(node_id):
            found[group[0]] = found.get(group[0], 0) + 1
    return [cycle_of[first] for first, count in sorted(found.items()) if count >= at_least]


def _contradictions(graph: SpecGraph, guides: Mapping[str, Guide]) -> Iterator[str]:
    passed_on = (graph.nodes[node_id] for node_id, guide in guides.items() if guide.via_layers)
    decisions = competing_decisions(node for node in passed_on if node.type == DECISION)
    for category, ids in decisions.items():
        yield f"Ambiguous propagated decisions in category '{collapsed(category)}': {listed(ids)}."
    for hard, soft in overlapping_policies(graph.nodes[node_id] for node_id in guides):
        first, second = (listed(node.id for node in side) for side in (hard, soft))
        yield f"Hard policies {first} override soft policies {second} (same statement)."


def _lacks_rationale(node: SpecNode) -> bool:
    return node.type == DECISION and not node.rationale
