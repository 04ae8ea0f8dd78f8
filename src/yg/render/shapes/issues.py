"""The shapes of issues, of skipped entries and of the document of an error."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from yg.kernel.issue import Severity
from yg.render.shapes.base import Count, JsonDocument, Positive, Record, Text, Texts, about

RuleCode = Annotated[str, Meta(pattern="^[EW][0-9]{3}$")]
Name = Annotated[str, Meta(pattern="^[a-z]+(-[a-z]+)*$")]
RuleSeverity = Annotated[Severity, about("Errors can block packages; warnings do not.")]
RuleFix = Annotated[Text, about("How to fix issues of this rule.")]
File = Annotated[Text, about("The file, relative to the root of the repository.")]
Line = Annotated[Positive | None, about("The line, from 1; null for the whole file.")]
Column = Annotated[Positive | None, about("The column, from 1; null for the whole file.")]
Errors = Annotated[Count, about("How many errors validation finds.")]
Warnings = Annotated[Count, about("How many warnings validation finds.")]
Following = Annotated[
    Count,
    about("How many issues follow from another one; they count neither as errors nor as warnings."),
]
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


class Skipped(Record, frozen=True, kw_only=True):
    """An entry left out because its file could not be read."""

    subject: Annotated[Text, about("The node, aspect or flow.")]
    message: Annotated[Text, about("The problem.")]
    file: File
    line: Line
    column: Column


SkippedEntries = Annotated[list[Skipped], about("Entries left out because they could not be read.")]


class ErrorDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-error/1"):
    """What a command prints on stderr with `--json` when it could not be done."""

    code: Annotated[Name, about("The kind of error.")]
    message: Annotated[Text, about("The error message.")]
    hint: Annotated[str, about("The suggested next step; may be empty.")]
    issues: Annotated[
        Annotated[list[IssueRecord], Meta(min_length=1)] | UnsetType,
        about("The errors of the graph that caused it; absent when there are none."),
    ] = UNSET
