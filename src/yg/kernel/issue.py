"""Issues: what is wrong in a user's files, as data to be collected, sorted and shown.

The index stores these values: msgspec decodes them by their annotations, which are not postponed.
"""

from enum import StrEnum

from msgspec import Struct


class Severity(StrEnum):
    """Errors block assembly; warnings tell what would make packages better."""

    ERROR = "error"
    WARNING = "warning"


class Place(Struct, frozen=True, array_like=True, gc=False):
    """Where something stands: lines and columns count from 1, 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0


class Finding(Struct, frozen=True, array_like=True, gc=False):
    """One thing a rule has found, before the rule's code and severity are put to it."""

    subject: str
    message: str
    place: Place
    advice: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # other subjects that it concerns


class Issue(Struct, frozen=True, kw_only=True):
    """One finding of one rule, complete: what is wrong, where, and what to do next."""

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
        """Errors before warnings; within each by file, line, code, and then the rest."""
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
