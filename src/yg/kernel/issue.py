"""Issues: mistakes in a user's files, as values to collect, sort and show.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from enum import StrEnum

from msgspec import Struct

from yg.kernel.codec import Codec


class Located(Struct, frozen=True, array_like=True, gc=False):
    """A piece of text with the line and column, from 1, where it begins."""

    text: str
    line: int
    column: int

    def __str__(self) -> str:
        return self.text


class UnknownKey(Struct, frozen=True, array_like=True, gc=False):
    """A key that its mapping does not define, and the keys that it does."""

    name: Located
    known: tuple[str, ...]


class Severity(StrEnum):
    """Errors prevent packages; warnings suggest improvements."""

    ERROR = "error"
    WARNING = "warning"


class Place(Struct, frozen=True, array_like=True, gc=False):
    """A position in a file: line and column count from 1; 0 means the whole file."""

    file: str
    line: int = 0
    column: int = 0


class Finding(Struct, frozen=True, array_like=True, gc=False):
    """A violation found by a rule, without the rule's code and severity."""

    subject: str
    message: str
    place: Place
    advice: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # other subjects it concerns


class Issue(Struct, frozen=True, kw_only=True):
    """A finding with its rule's code and severity: what is wrong, where, and the fix."""

    code: str
    name: str
    severity: Severity
    subject: str
    message: str
    place: Place
    advice: tuple[str, ...]
    also: tuple[str, ...]
    fix: str

    @property
    def order(self) -> tuple[object, ...]:
        """Sort key: errors before warnings, then file, line, code and the rest."""
        place = self.place
        is_warning = self.severity is Severity.WARNING
        return (
            is_warning,
            place.file,
            place.line,
            self.code,
            place.column,
            self.subject,
            self.message,
        )


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
