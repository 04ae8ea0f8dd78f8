"""Validation: all issues of a graph, or those that concern one part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.issue import Severity
from yg.kernel.value import value

if TYPE_CHECKING:
    from yg.kernel.issue import Issue
    from yg.yggdrasil.graph import Graph


@value
class Verdict:
    """What validation found in a scope of so many nodes."""

    scope: str  # a node path, or empty for the whole graph
    nodes: int
    issues: tuple[Issue, ...]

    @property
    def errors(self) -> int:
        """How many issues are errors."""
        return sum(issue.severity is Severity.ERROR for issue in self.issues)

    @property
    def warnings(self) -> int:
        """How many issues are warnings."""
        return len(self.issues) - self.errors


def validate(graph: Graph, issues: tuple[Issue, ...], scope: str = "") -> Verdict:
    """Judge a graph by its issues; a scope keeps those of it and those of the whole graph."""
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
