"""Validation: the issues of a Spec Graph, or of a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.issue import Verdict
from yg_old.kernel.rule import check_in_steps
from yg_old.kernel.steps import finished
from yg_old.specgraph.resolve import contents
from yg_old.specgraph.rules import budget, digests, guidance, links, locks, reading

if TYPE_CHECKING:
    from yg_old.kernel.issue import Issue
    from yg_old.kernel.steps import Steps
    from yg_old.specgraph.graph import SpecGraph

RULES = (
    reading.invalid_graph_index,
    reading.invalid_node_file,
    reading.schema_violation,
    reading.duplicate_id,
    reading.id_mismatch,
    reading.type_mismatch,
    links.broken_link,
    links.self_link,
    links.dependency_cycle,
    links.layer_depends_on_feature,
    links.foundation_dependency,
    reading.missing_rationale,
    reading.path_escape,
    digests.digest_mismatch,
    links.missing_root,
    guidance.ambiguous_decisions,
    guidance.policy_overlap,
    guidance.superseded_in_use,
    reading.unindexed_node_file,
    digests.unpinned_derivation,
    budget.budget,
    guidance.policy_without_reach,
    links.orphan_node,
    locks.stale_lock,
)


def validate(graph: SpecGraph) -> Verdict:
    """Check a graph."""
    return Verdict("", len(graph.references), finished(issues_in_steps(graph)))


def issues_in_steps(graph: SpecGraph) -> Steps[tuple[Issue, ...]]:
    """Check a graph with pauses, and return its issues."""
    return check_in_steps(RULES, graph)


def within(graph: SpecGraph, verdict: Verdict, scope: str) -> Verdict:
    """Keep what concerns a node and what it contains, and what concerns no node."""
    inside = contents(graph, [scope]).keys()
    kept = tuple(
        issue
        for issue in verdict.issues
        if issue.subject not in graph.references
        or not inside.isdisjoint((issue.subject, *issue.also))
    )
    return Verdict(scope, len(inside), kept)
