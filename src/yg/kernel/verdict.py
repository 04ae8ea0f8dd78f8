"""A verdict: what validation found in a graph, or in one part of it.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from msgspec import Struct

from yg.kernel.codec import Codec
from yg.kernel.issue import Issue, Severity


class Verdict(Struct, frozen=True):
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


VERDICT: Codec[Verdict] = Codec(Verdict)
ISSUES: Codec[tuple[Issue, ...]] = Codec(tuple[Issue, ...])
