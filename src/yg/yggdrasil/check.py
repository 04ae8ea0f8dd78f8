"""Validation: the issues of a graph, from the cache where nothing they depend on has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.kernel.issue import Issue, Level, Severity, in_order
from yg.kernel.rule import check
from yg.kernel.snapshot import Inputs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.yggdrasil.survey import Survey

# What the rules of each group depend on. The last group reads sources, of which no stamp is kept.
_INPUTS = {"declared": Inputs.PLACES, "texts": Inputs.FILES, "read": Inputs.ALL}
_SOURCES = "sources"


def issues_of(survey: Survey) -> tuple[Issue, ...]:
    """Return every issue of a graph, sorted."""
    found = [issue for group in _INPUTS for issue in _recalled(survey, group)]
    return in_order([*found, *_checked(survey, _SOURCES)])


def errors_of(survey: Survey) -> tuple[Issue, ...]:
    """Return the errors that prevent packages, sorted.

    A warning that the configuration raises to an error is none of them.
    """
    found = (*_recalled(survey, "declared"), *_recalled(survey, "texts"))
    return in_order(issue for issue in found if issue.severity is Severity.ERROR)


def _recalled(survey: Survey, group: str) -> tuple[Issue, ...]:
    """Return the issues that a group of rules finds."""
    return survey.snapshot.recall(
        f"issues {group}", _INPUTS[group], tuple[Issue, ...], lambda: tuple(_checked(survey, group))
    )


def _checked(survey: Survey, group: str) -> Iterator[Issue]:
    # Imported here because most runs find the issues in the cache.
    from yg.yggdrasil.rules import GROUPS
    from yg.yggdrasil.rules.levels import levels_of

    levels = levels_of(survey.graph.config)
    return check(
        GROUPS[group], survey, lambda rule: levels.get(rule.code, Level(rule.severity.value))
    )
