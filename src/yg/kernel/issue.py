"""Issues: mistakes in a user's files, as values to collect, sort and show.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from enum import StrEnum

from msgspec import Struct


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
