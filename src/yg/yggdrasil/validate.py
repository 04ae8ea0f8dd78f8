"""Validation: all issues of a graph, or those that concern one part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.verdict import Verdict
from yg.yggdrasil.rules.every import issues_of

if TYPE_CHECKING:
    from yg.kernel.issue import Issue
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph


def validate(graph: Graph, sources: Sources) -> Verdict:
    """Check a graph."""
    return Verdict("", len(graph.nodes.all), issues_of(graph, sources))


def restrict(graph: Graph, verdict: Verdict, scope: str) -> Verdict:
    """Keep what concerns a scope, and what concerns the whole graph."""
    tree = f"{graph.nodes.label.tree}/"
    kept = tuple(issue for issue in verdict.issues if _concerns(issue, scope, tree))
    return Verdict(scope, sum(paths.is_inside(path, scope) for path in graph.nodes.all), kept)


def _concerns(issue: Issue, scope: str, tree: str) -> bool:
    if not issue.place.file.startswith(tree):
        return True
    return any(paths.is_inside(subject, scope) for subject in (issue.subject, *issue.also))
