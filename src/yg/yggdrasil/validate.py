"""Validation: all issues of a graph, or those that concern one part of it."""

from __future__ import annotations

from yg.kernel import paths
from yg.kernel.typed import TYPE_CHECKING
from yg.kernel.verdict import Verdict
from yg.yggdrasil.rules.every import issues_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.kernel.issue import Issue
    from yg.kernel.package import Package
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph


def validate(
    graph: Graph,
    sources: Sources,
    scope: str = "",
    measure: Callable[[Package], int] | None = None,
) -> Verdict:
    """Check a graph; with a scope, keep what concerns it and what concerns the whole graph."""
    issues = issues_of(graph, sources, measure)
    every = graph.nodes.all
    if not scope:
        return Verdict("", len(every), issues)
    tree = f"{graph.nodes.label.tree}/"
    kept = tuple(issue for issue in issues if _concerns(issue, scope, tree))
    return Verdict(scope, sum(paths.is_inside(path, scope) for path in every), kept)


def _concerns(issue: Issue, scope: str, tree: str) -> bool:
    if not issue.place.file.startswith(tree):
        return True
    return any(paths.is_inside(subject, scope) for subject in (issue.subject, *issue.also))
