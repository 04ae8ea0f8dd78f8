"""Verdict: the result of validating a graph or a part of it.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from msgspec import Struct

from yg.kernel.codec import Codec
from yg.kernel.issue import Issue, Severity


class Verdict(Struct, frozen=True):
    """The issues of a scope and its number of nodes."""

    scope: str  # a node, or empty for the whole graph
    nodes: int
    issues: tuple[Issue, ...]

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(issue.severity is Severity.ERROR for issue in self.issues)

    @property
    def warnings(self) -> int:
        """The number of warnings."""
        return len(self.issues) - self.errors


VERDICT: Codec[Verdict] = Codec(Verdict)
ISSUES: Codec[tuple[Issue, ...]] = Codec(tuple[Issue, ...])
