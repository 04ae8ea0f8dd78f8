"""The `validate` command: check the graph against the rules."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer
from yg.render.validate import verdict_data, verdict_github, verdict_junit, verdict_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.kernel.issue import Verdict
    from yg.kernel.rule import Rule
    from yg.workspace import OpenWorkspace

EVERYTHING = "all"


class FailOn(StrEnum):
    """The least severe issue that makes a check fail."""

    ERROR = "error"
    WARNING = "warning"
    NEVER = "never"

    def fails(self, verdict: Verdict) -> bool:
        """Return whether a check with this verdict fails."""
        is_strict = self is FailOn.WARNING
        return self is not FailOn.NEVER and bool(verdict.errors or (is_strict and verdict.warnings))


def validate(
    workspace: OpenWorkspace, *, scope: str = EVERYTHING, fail_on: FailOn = FailOn.ERROR
) -> Answer:
    """Check the graph; `scope` limits the issues to one node and all below it."""
    within = "" if scope == EVERYTHING else workspace.directory(scope)
    verdict = workspace.verdict(within)

    def rules() -> Sequence[Rule[Any]]:
        return workspace.queries.levels()

    return Answer(
        data=lambda: verdict_data(verdict),
        forms={
            "text": lambda palette: verdict_text(verdict, palette),
            "sarif": lambda _palette: _sarif(verdict, rules(), workspace.git_prefix),
            "github": lambda _palette: verdict_github(verdict, workspace.git_prefix),
            "junit": lambda _palette: verdict_junit(verdict, rules()),
        },
        code=1 if fail_on.fails(verdict) else 0,
    )


def _sarif(verdict: Verdict, rules: Sequence[Rule[Any]], prefix: str) -> str:
    from yg.render.sarif import sarif

    return sarif(verdict.issues, rules, prefix)
