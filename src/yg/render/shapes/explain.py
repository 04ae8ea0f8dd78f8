"""The shape of `yg explain --json`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from yg.kernel.issue import Level, Severity
from yg.render.shapes.base import JsonDocument, Record, Text, about
from yg.render.shapes.issues import Name, RuleCode, RuleFix


class ExplainedRule(Record, frozen=True, kw_only=True):
    """One rule and its manual page."""

    code: Annotated[RuleCode, about("The code of the rule.")]
    name: Annotated[Name, about("The name of the rule.")]
    severity: Annotated[Severity, about("Its severity by default.")]
    level: Annotated[Level, about("Its level here: the severity of its issues, or off.")]
    summary: Annotated[Text, about("The requirement, in one sentence.")]
    details: Annotated[str, about("Details of the requirement; may be empty.")]
    why: Annotated[Text, about("Why it matters.")]
    fix: RuleFix
    example: Annotated[Text, about("An example, in lines of text.")]


class ExplainDocument(JsonDocument, frozen=True, kw_only=True, tag="yg-explain/1"):
    """What `yg explain --json` prints: the manual pages of rules."""

    rules: Annotated[
        list[ExplainedRule],
        Meta(min_length=1),
        about("The requested rule, or all rules: errors, then warnings, by code."),
    ]
