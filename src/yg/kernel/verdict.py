"""A verdict: what validation found in a graph, or in one part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from yg.kernel.issue import Severity

if TYPE_CHECKING:
    from yg.kernel.issue import Issue


@dataclass(frozen=True, slots=True)
class Verdict:
    """What validation found in a scope of so many nodes."""

    scope: str  # a node, or empty for the whole graph
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
