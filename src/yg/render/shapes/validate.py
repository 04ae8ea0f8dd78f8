"""The shape of `yg validate --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, UnsetType

from yg.render.shapes.base import Count, JsonDocument, Record, Text, about
from yg.render.shapes.issues import Column, File, Following, IssueRecord, Line, RuleCode

Scope = Annotated[Text, about("The scope: `all`, or a node and all below it.")]


class FixRecord(Record, frozen=True, kw_only=True):
    """One fix that was made, or that a dry run would make."""

    code: Annotated[
        RuleCode | None,
        about("The code of the issue; null for a path that is not written in its normal form."),
    ]
    subject: Annotated[Text, about("The node, aspect, flow or file with the problem.")]
    file: Annotated[File, about("The file that changes.")]
    line: Line
    column: Column
    title: Annotated[Text, about("What the fix does.")]


class ValidateDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-validate/1"):
    """What `yg validate --json` prints: everything that is wrong with a graph."""

    scope: Scope
    nodes: Annotated[Count, about("How many nodes the scope has, readable or not.")]
    errors: Annotated[
        Count, about("How many issues are errors, not counting those that follow from another.")
    ]
    warnings: Annotated[Count, about("How many issues are warnings.")]
    following: Following
    fixed: Annotated[
        list[FixRecord] | UnsetType, about("The fixes, by file; absent without `--fix`.")
    ] = UNSET
    issues: Annotated[
        list[IssueRecord],
        about(
            "The issues: errors, then warnings, each by file, line and code; "
            "one that follows from another comes right after it."
        ),
    ]
