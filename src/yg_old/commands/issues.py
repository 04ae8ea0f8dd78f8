"""Issues, skipped entries and errors: their records in documents, and their text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Protocol, TypeAlias

from msgspec import UNSET, Meta, UnsetType

from yg_old.kernel.document import (
    Column,
    Count,
    Document,
    File,
    Line,
    Record,
    Text,
    Texts,
    about,
)
from yg_old.kernel.issue import Place, Severity
from yg_old.kernel.palette import visible
from yg_old.text.plural import and_more, counted

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from yg_old.kernel.errors import YgError
    from yg_old.kernel.issue import Finding, Issue, Verdict
    from yg_old.kernel.palette import Palette

RuleCode = Annotated[str, Meta(pattern="^[EW][0-9]{3}$")]
Name = Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$")]
RuleSeverity = Annotated[Severity, about("Errors can block packages; warnings do not.")]
RuleFix = Annotated[Text, about("How to fix issues of this rule.")]
Errors = Annotated[Count, about("How many errors validation finds.")]
Warnings = Annotated[Count, about("How many warnings validation finds.")]
Following = Annotated[
    Count,
    about("How many issues follow from another one; they count neither as errors nor as warnings."),
]
Scope = Annotated[Text, about("The scope: `all`, or a node and all below it.")]
Notes = Annotated[Texts, about("Warnings about files that could not be read or parsed.")]


class CauseRecord(Record, frozen=True, kw_only=True):
    """The issue that others follow from."""

    code: Annotated[RuleCode, about("Its code.")]
    subject: Annotated[Text, about("Its subject.")]


class IssueRecord(Record, frozen=True, kw_only=True):
    """One problem in the files of the graph."""

    code: Annotated[RuleCode, about("The code of the rule that found it.")]
    rule: Annotated[Name, about("The name of that rule.")]
    severity: RuleSeverity
    subject: Annotated[Text, about("The node, aspect, flow or file with the problem.")]
    message: Annotated[Text, about("The problem, without a final period.")]
    file: File
    line: Line
    column: Column
    advice: Annotated[Texts, about("Suggestions, one per line.")]
    fix: RuleFix
    follows: Annotated[
        CauseRecord | None, about("The issue that causes this one; null if it stands on its own.")
    ]


class Compared(Record, frozen=True, kw_only=True):
    """The commit since which everything in an answer is new."""

    revision: Annotated[Text, about("The revision as given.")]
    commit: Annotated[Text, about("The last commit that it and HEAD have in common.")]
    older: Annotated[Count, about("How many others are older, and left out.")]
    notes: Annotated[Texts, about("Remarks on the comparison.")]


Since = Annotated[
    Compared | UnsetType,
    about("The commit to compare with, with `--since`: only what is new since then is included."),
]


class Skipped(Record, frozen=True, kw_only=True):
    """An entry left out because its file could not be read."""

    subject: Annotated[Text, about("The node, aspect or flow.")]
    message: Annotated[Text, about("The problem.")]
    file: File
    line: Line
    column: Column


SkippedEntries = Annotated[list[Skipped], about("Entries left out because they could not be read.")]


class ErrorDocument(Document, frozen=True, kw_only=True, tag="yg-error/1"):
    """What a command prints on stderr with `--json` when it could not be done."""

    code: Annotated[Name, about("The kind of error.")]
    message: Annotated[Text, about("The error message.")]
    hint: Annotated[str, about("The suggested next step; may be empty.")]
    issues: Annotated[
        Annotated[list[IssueRecord], Meta(min_length=1)] | UnsetType,
        about("The errors of the graph that caused it; absent when there are none."),
    ] = UNSET


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
    left_out = f"  {and_more(len(lines) - most + 1, 'yg validate')}"
    return (*lines[: most - 2], left_out, lines[-1])


def errors_text(errors: int, following: int) -> str:
    """Write the number of errors and of the issues that follow from them."""
    them = "it" if errors == 1 else "them"
    verb = "follows" if following == 1 else "follow"
    return counted(errors, "error") + (
        f" (and {following} that {verb} from {them})" if following else ""
    )


UNKNOWN_KEY = "unknown-key"  # the name of a rule
MANY_WARNINGS, FIRST_WARNINGS = 10, 3  # of one code: if there are more, how many are shown


def issues_text(
    verdict: Verdict,
    palette: Palette,
    most_advice: int | None = None,
    *,
    shows_all: bool = False,
) -> str:
    """Write the issues, errors first, each before those that follow from it.

    Of many warnings with the same code, only the first are written, unless all are asked for. An
    unknown key of several files is written once.
    """
    files = {} if shows_all else _files_by_key(verdict)
    issues = verdict.issues if shows_all else tuple(_once(verdict, files))
    left_out = {} if shows_all else _left_out(issues)
    seen: Counter[str] = Counter()
    lines = []
    for issue in issues:
        seen[issue.code] += issue.code in left_out
        if seen[issue.code] <= FIRST_WARNINGS:
            count = len(files.get(_key_of(issue), ())) if issue.name == UNKNOWN_KEY else 1
            lines.append(
                _key_text(issue, count, palette, most_advice)
                if count > 1
                else issue_text(issue, palette, most_advice)
            )
        if issue.code in left_out and seen[issue.code] == FIRST_WARNINGS:
            more = f".. and {left_out[issue.code]} more {issue.code} (yg validate --all)"
            lines.append(f"{palette.dim(more)}\n")
    return "".join(lines)


_Key: TypeAlias = "tuple[str, tuple[str, ...]]"  # what is said about an unknown key, and advised


def _key_of(issue: Issue) -> _Key:
    return issue.message, issue.guidance


def _files_by_key(verdict: Verdict) -> dict[_Key, set[str]]:
    """Return the files that have each unknown key."""
    found: dict[_Key, set[str]] = {}
    for issue in verdict.issues:
        if issue.name == UNKNOWN_KEY:
            found.setdefault(_key_of(issue), set()).add(issue.place.file)
    return found


def _once(verdict: Verdict, files: Mapping[_Key, Collection[str]]) -> Iterator[Issue]:
    """Yield the issues; of an unknown key of several files, only the first."""
    seen: set[_Key] = set()
    for issue in verdict.issues:
        is_shared = issue.name == UNKNOWN_KEY and len(files[_key_of(issue)]) > 1
        if not is_shared or _key_of(issue) not in seen:
            yield issue
        if is_shared:
            seen.add(_key_of(issue))


def _key_text(issue: Issue, count: int, palette: Palette, most: int | None) -> str:
    """Write the first of several issues about an unknown key, with the number of files."""
    paint = palette.red if issue.severity is Severity.ERROR else palette.yellow
    place = palette.dim(place_text(issue.place))
    message = f"{visible(issue.message)} in {counted(count, 'file')}"
    guidance = "".join(f"  {visible(line)}\n" for line in _shortened(issue.guidance, most))
    return f"{paint(issue.code)} {message}, such as {place}\n{guidance}"


def _left_out(issues: Iterable[Issue]) -> dict[str, int]:
    """Return the codes with too many warnings to list, and how many of each are left out."""
    counts = Counter(issue.code for issue in issues if issue.severity is Severity.WARNING)
    return {code: count - FIRST_WARNINGS for code, count in counts.items() if count > MANY_WARNINGS}


class IssueCounts(Protocol):
    """How many issues there are."""

    @property
    def errors(self) -> int:
        """The number of errors."""

    @property
    def warnings(self) -> int:
        """The number of warnings."""

    @property
    def following(self) -> int:
        """The number of issues that follow from another one."""


def counts_text(counts: IssueCounts) -> str:
    """Write the number of errors and warnings."""
    errors = errors_text(counts.errors, counts.following)
    return f"{errors}, {counted(counts.warnings, 'warning')}"


def older_text(since: Compared | UnsetType, noun: str) -> str:
    """Write how many issues or other things are left out because they are older."""
    if not since or not since.older:
        return ""
    return f"{counted(since.older, f'older {noun}')} not shown\n"


def place_text(place: Place) -> str:
    """Write a place as `file:line:column`, which editors can open."""
    file = visible(place.file)
    return f"{file}:{place.line}:{place.column}" if place.line else file


def issue_data(issue: Issue) -> IssueRecord:
    """Return one issue as data; the line is null for a whole file."""
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
    return ErrorDocument(
        code=error.code,
        message=error.message,
        hint=error.hint,
        issues=[issue_data(issue) for issue in error.issues] or UNSET,
    )


def skipped_lines(entries: Iterable[Skipped], palette: Palette) -> str:
    """Write the entries of a document that were left out."""
    return "".join(
        f"{palette.yellow('skipped')} {visible(entry.subject)}: {visible(entry.message)} "
        f"({_place(entry)})\n"
        for entry in entries
    )


def _place(entry: Skipped) -> str:
    return place_text(Place(entry.file, entry.line or 0, entry.column or 0))


def skipped_data(findings: Iterable[Finding]) -> list[Skipped]:
    """Return what was skipped as data; the line is null for a whole file."""
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
