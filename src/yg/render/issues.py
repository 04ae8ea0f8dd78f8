"""Render issues and errors as text and as data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Severity
from yg.kernel.plural import counted
from yg.render.plain import visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.errors import YgError
    from yg.kernel.issue import Finding, Issue, Place
    from yg.render.plain import Palette
    from yg.render.shapes.issues import ErrorDocument, IssueRecord, Skipped


MOST_ADVICE = 20  # lines, where issues are not the answer to the question


def issue_text(issue: Issue, palette: Palette, most: int | None = None) -> str:
    """Write one issue: the message, the location, and at most so many lines of guidance.

    An issue that follows from another one is indented.
    """
    paint = palette.red if issue.severity is Severity.ERROR else palette.yellow
    first = f"{paint(issue.code)} {palette.bold(visible(issue.subject))} -> "
    lines = [f"{first}{visible(issue.message)}.", f"  {palette.dim(place_text(issue.place))}"]
    if issue.follows:
        return "".join(f"  {line}\n" for line in lines)
    lines.extend(f"  {visible(line)}" for line in _shortened(issue.guidance, most))
    return "".join(f"{line}\n" for line in lines)


def _shortened(lines: tuple[str, ...], most: int | None) -> tuple[str, ...]:
    """Leave out lines before the last one, which says what to do."""
    if most is None or len(lines) <= most:
        return lines
    left_out = f"  .. {len(lines) - most + 1} more; 'yg validate' lists them"
    return (*lines[: most - 2], left_out, lines[-1])


def errors_text(errors: int, following: int) -> str:
    """Write the number of errors and of the issues that follow from them."""
    them = "it" if errors == 1 else "them"
    verb = "follows" if following == 1 else "follow"
    return counted(errors, "error") + (
        f" (and {following} that {verb} from {them})" if following else ""
    )


def place_text(place: Place) -> str:
    """Write a place as `file:line:column`, which editors can open."""
    file = visible(place.file)
    return f"{file}:{place.line}:{place.column}" if place.line else file


def issue_data(issue: Issue) -> IssueRecord:
    """Return one issue as data; the line is null for a whole file."""
    from yg.render.shapes.issues import CauseRecord, IssueRecord

    place, cause = issue.place, issue.follows
    return IssueRecord(
        code=issue.code,
        rule=issue.name,
        severity=issue.severity,
        subject=issue.subject,
        message=issue.message,
        file=place.file,
        line=place.line or None,
        column=place.column or None,
        advice=list(issue.advice),
        fix=issue.fix,
        follows=CauseRecord(code=cause.code, subject=cause.subject) if cause else None,
    )


def error_text(error: YgError, palette: Palette) -> str:
    """Write an error, after the issues that caused it."""
    issues = "".join(issue_text(issue, palette, MOST_ADVICE) for issue in error.issues)
    message = f"{palette.red('error:')} {visible(error.message)}\n"
    hint = f"  {visible(error.hint)}\n" if error.hint else ""
    return issues + message + hint


def error_data(error: YgError) -> ErrorDocument:
    """Return an error as data."""
    from msgspec import UNSET

    from yg.render.shapes.issues import ErrorDocument

    return ErrorDocument(
        code=error.code,
        message=error.message,
        hint=error.hint,
        issues=[issue_data(issue) for issue in error.issues] or UNSET,
    )


def skipped_text(findings: Iterable[Finding], palette: Palette) -> str:
    """Write what was skipped because its file could not be read."""
    return "".join(
        f"{palette.yellow('skipped')} {visible(finding.subject)}: {visible(finding.message)} "
        f"({place_text(finding.place)})\n"
        for finding in findings
    )


def skipped_data(findings: Iterable[Finding]) -> list[Skipped]:
    """Return what was skipped as data; the line is null for a whole file."""
    from yg.render.shapes.issues import Skipped

    return [
        Skipped(
            subject=finding.subject,
            message=finding.message,
            file=finding.place.file,
            line=finding.place.line or None,
            column=finding.place.column or None,
        )
        for finding in findings
    ]
