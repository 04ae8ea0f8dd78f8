"""The `validate` command: check the graph against the rules."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Any

from yg.answers.answer import Answer
from yg.render.validate import (
    fixes_text,
    verdict_data,
    verdict_github,
    verdict_junit,
    verdict_text,
)
from yg.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.kernel.issue import Verdict
    from yg.kernel.rule import Rule
    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.fixes import FixedFile

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
    return _answer(workspace, workspace.verdict(_within(workspace, scope)), fail_on)


def fix(
    reopen: Callable[[], OpenWorkspace],
    *,
    scope: str = EVERYTHING,
    fail_on: FailOn = FailOn.ERROR,
    dry_run: bool = False,
) -> Answer:
    """Make the unambiguous fixes, unless this is a dry run, and check the graph again."""
    from yg.disk.apply import cleared_applier
    from yg.disk.lock import writing

    workspace = reopen()
    workspace.require_writable("yg validate --fix")
    if dry_run:
        fixed = _fixed(workspace, scope)
    else:
        with writing(workspace.root, FOLDER):
            # Reopen after taking the lock: another process may have changed files in the meantime.
            fixed = _fixed(reopen(), scope)
            cleared_applier(workspace.root, FOLDER).apply(file.edit for file in fixed)
        workspace = reopen()
    verdict = workspace.verdict(_within(workspace, scope))
    return _answer(workspace, verdict, fail_on, fixed, dry_run=dry_run)


def _within(workspace: OpenWorkspace, scope: str) -> str:
    return "" if scope == EVERYTHING else workspace.directory(scope)


def _fixed(workspace: OpenWorkspace, scope: str) -> tuple[FixedFile, ...]:
    from yg.yggdrasil.fixes import fixed_files

    within = _within(workspace, scope)
    return fixed_files(workspace.graph, workspace.verdict(within).issues, within)


def _answer(
    workspace: OpenWorkspace,
    verdict: Verdict,
    fail_on: FailOn,
    fixed: Sequence[FixedFile] | None = None,
    *,
    dry_run: bool = False,
) -> Answer:
    def rules() -> Sequence[Rule[Any]]:
        return workspace.queries.levels()

    return Answer(
        data=lambda: verdict_data(verdict, fixed),
        forms={
            "text": lambda palette: (
                fixes_text(fixed or (), dry_run=dry_run) + verdict_text(verdict, palette)
            ),
            "sarif": lambda _palette: _sarif(verdict, rules(), workspace.git_prefix),
            "github": lambda _palette: verdict_github(verdict, workspace.git_prefix),
            "junit": lambda _palette: verdict_junit(verdict, rules()),
        },
        code=1 if fail_on.fails(verdict) else 0,
    )


def _sarif(verdict: Verdict, rules: Sequence[Rule[Any]], prefix: str) -> str:
    from yg.render.sarif import sarif

    return sarif(verdict.issues, rules, prefix)
