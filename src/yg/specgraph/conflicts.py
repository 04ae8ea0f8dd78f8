"""Contradictory guidance, and the warnings of a context."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.specgraph.document import collapsed, listed
from yg.specgraph.guidance import guidance_of
from yg.specgraph.model import DECISION, POLICY, Strictness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg.specgraph.graph import SpecGraph
    from yg.specgraph.model import SpecNode
    from yg.specgraph.resolve import Missing
    from yg.specgraph.surroundings import Guide


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
    included: Sequence[SpecNode],  # the target among them
    guides: Mapping[str, Guide],
    missing: Sequence[Missing],
) -> Iterator[str]:
    """Yield all warnings except the one about the target, in order."""
    for link in missing:
        yield f"Missing target: {link.source} {link.edge_type} {collapsed(link.target)}."
    for group in sorted(
        {graph.cycle_of[node.id] for node in included if node.id in graph.cycle_of}
    ):
        yield f"depends_on cycle among: {listed(group)}."
    yield from _contradictions(graph, guides)
    for decision in sorted(node.id for node in included if _lacks_rationale(node)):
        yield f"Decision {decision} has no metadata.rationale."
    for group in guidance_of(graph).supersession_cycles:
        if sum(node_id in guides for node_id in group) > 1:
            yield f"Supersedes cycle: {listed(group)}."


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
