"""A verdict: what validation found in a graph, or in one part of it."""

from __future__ import annotations

from yg.kernel.issue import Issue, Place, Severity
from yg.kernel.packing import Packing
from yg.kernel.typed import TYPE_CHECKING
from yg.kernel.value import Value

if TYPE_CHECKING:
    from yg.kernel.packing import Packs


class Verdict(Value):
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


VERDICT: Packs[Verdict] = Packing(Verdict, Issue, Place, Severity)
ISSUES: Packs[tuple[Issue, ...]] = Packing(Issue, Place, Severity)
