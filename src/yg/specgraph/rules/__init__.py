"""The list of all rules for Spec Graphs, and functions that run them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Severity
from yg.kernel.rule import check
from yg.specgraph.rules import budget, digests, guidance, links, reading

if TYPE_CHECKING:
    from yg.kernel.issue import Issue
    from yg.specgraph.graph import Graph

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
)


def issues_of(graph: Graph) -> tuple[Issue, ...]:
    """Return every issue of a graph."""
    return check(RULES, graph)


def errors_of(graph: Graph) -> tuple[Issue, ...]:
    """Return every error of a graph."""
    return check((rule for rule in RULES if rule.severity is Severity.ERROR), graph)
