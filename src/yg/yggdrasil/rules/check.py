"""Validation: the issues of a graph, from the cache where nothing they depend on has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Found, Issue, Level, Severity, in_order
from yg.kernel.rule import check
from yg.kernel.snapshot import Inputs
from yg.yggdrasil.rules import DECLARED, READ, SOURCES, TEXTS
from yg.yggdrasil.rules.levels import levels_of
from yg.yggdrasil.rules.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.kernel.rule import Rule


def issues_of(survey: Survey) -> tuple[Issue, ...]:
    """Return every issue of a graph, sorted."""
    return in_order(
        [
            *_recalled(survey, "declared", Inputs.PLACES, DECLARED),
            *_recalled(survey, "texts", Inputs.FILES, TEXTS),
            *_recalled(survey, "read", Inputs.ALL, READ),
            *_checked(survey, SOURCES),
        ]
    )


def errors_of(survey: Survey) -> tuple[Issue, ...]:
    """Return the errors that prevent packages, sorted.

    A warning that the configuration raises to an error is none of them.
    """
    found = in_order(
        [
            *_recalled(survey, "declared", Inputs.PLACES, DECLARED),
            *_recalled(survey, "texts", Inputs.FILES, TEXTS),
        ]
    )
    return tuple(issue for issue in found if issue.severity is Severity.ERROR)


def _recalled(
    survey: Survey, name: str, inputs: Inputs, rules: Sequence[Rule[Survey]]
) -> tuple[Found, ...]:
    return survey.snapshot.recall(
        f"issues {name}", inputs, tuple[Found, ...], lambda: tuple(_checked(survey, rules))
    )


def _checked(survey: Survey, rules: Sequence[Rule[Survey]]) -> Iterable[Found]:
    levels = levels_of(survey.graph.config)
    return check(rules, survey, lambda rule: levels.get(rule.code, Level(rule.severity.value)))
