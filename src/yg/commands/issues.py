"""Issues, skipped entries and errors, as records in documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, Meta, UnsetType

from yg.commands.command import Document, Record
from yg.kernel.issue import Place, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.errors import YgError
    from yg.kernel.issue import Finding, Issue

Position = Annotated[int, Meta(ge=1)]
Line = Annotated[Position | None, Meta(description="The line, from 1; null for the whole file.")]
Column = Annotated[
    Position | None, Meta(description="The column, from 1; null for the whole file.")
]
File = Annotated[str, Meta(description="The file, relative to the root of the repository.")]


class IssueRecord(Record, frozen=True, kw_only=True):
    """One problem in the files of the graph."""

    code: Annotated[str, Meta(description="The code of the rule that found it.")]
    rule: Annotated[str, Meta(description="The name of that rule.")]
    severity: Annotated[Severity, Meta(description="Errors can block packages; warnings do not.")]
    subject: Annotated[str, Meta(description="The node, aspect, flow or file with the problem.")]
    message: Annotated[str, Meta(description="The problem, without a final period.")]
    file: File
    line: Line
    column: Column
    advice: Annotated[tuple[str, ...], Meta(description="Suggestions, one per line.")]
    fix: Annotated[str, Meta(description="How to fix issues of this rule.")]

    @classmethod
    def of(cls, issue: Issue) -> IssueRecord:
        """Return an issue as a record."""
        return cls(
            code=issue.code,
            rule=issue.name,
            severity=issue.severity,
            subject=issue.subject,
            message=issue.message,
            file=issue.place.file,
            line=issue.place.line or None,
            column=issue.place.column or None,
            advice=issue.advice,
            fix=issue.fix,
        )


class Skipped(Record, frozen=True, kw_only=True):
    """An entry left out because its file could not be read."""

    subject: Annotated[str, Meta(description="The node, aspect or flow.")]
    message: Annotated[str, Meta(description="The problem.")]
    file: File
    line: Line
    column: Column

    @classmethod
    def of(cls, finding: Finding) -> Skipped:
        """Return what was skipped as a record."""
        place = finding.place
        return cls(
            subject=finding.subject,
            message=finding.message,
            file=place.file,
            line=place.line or None,
            column=place.column or None,
        )

    @property
    def note(self) -> str:
        """The line about it on standard error."""
        place = Place(self.file, self.line or 0, self.column or 0)
        return f"skipped {self.subject}: {self.message} ({place})"


SkippedEntries = Annotated[
    tuple[Skipped, ...], Meta(description="Entries left out because they could not be read.")
]


def skipped_notes(entries: Iterable[Skipped]) -> tuple[str, ...]:
    """Return the lines about skipped entries on standard error."""
    return tuple(entry.note for entry in entries)


class ErrorDocument(Document, frozen=True, kw_only=True, tag="yg-error/1"):
    """What a command prints on stderr with `--json` when it could not be done."""

    code: Annotated[str, Meta(description="The kind of error.")]
    message: Annotated[str, Meta(description="The error message.")]
    hint: Annotated[str, Meta(description="The suggested next step; may be empty.")]
    issues: Annotated[
        tuple[IssueRecord, ...] | UnsetType,
        Meta(description="The errors of the graph that caused it; absent when there are none."),
    ] = UNSET

    @classmethod
    def of(cls, error: YgError) -> ErrorDocument:
        """Return an error as a document."""
        issues = tuple(map(IssueRecord.of, error.issues)) or UNSET
        return cls(code=error.code, message=error.message, hint=error.hint, issues=issues)
