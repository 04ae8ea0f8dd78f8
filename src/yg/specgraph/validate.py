"""Validation: all issues of a Spec Graph, or those that concern one part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Verdict
from yg.specgraph.resolve import contents
from yg.specgraph.rules import issues_of

if TYPE_CHECKING:
    from yg.specgraph.graph import Graph


def validate(graph: Graph) -> Verdict:
    """Check a graph."""
    return Verdict("", len(graph.references), issues_of(graph))


def within(graph: Graph, verdict: Verdict, scope: str) -> Verdict:
    """Keep what concerns a node and what it contains, and what concerns no node."""
    inside = contents(graph, [scope]).keys()
    kept = tuple(
        issue
        for issue in verdict.issues
        if issue.subject not in graph.references
        or not inside.isdisjoint((issue.subject, *issue.also))
    )
    return Verdict(scope, len(inside), kept)
