"""The `verify` command: run the checks of a node. No other command executes anything."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.disk.shell import run_shell
from yg.render.verify import checks_data, checks_text
from yg.specgraph.assemble import assemble
from yg.specgraph.context import USUAL_DEPTH
from yg.specgraph.verification import CheckResult, CheckState, checks_of, not_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.specgraph.verification import Check
    from yg.workspace import OpenWorkspace


def verify(
    workspace: OpenWorkspace,
    name: str,
    *,
    with_guides: bool,
    dry_run: bool,
    on_start: Callable[[str], None],
) -> Answer:
    """Run the commands among the checks of a node, one after the other, and show their output."""
    workspace.require_specs("yg verify")
    node = workspace.find(name)
    context = assemble(workspace.specs, node, USUAL_DEPTH)
    checks = checks_of(context, with_guides=with_guides)
    results = tuple(_result(workspace.root, check, on_start, dry_run=dry_run) for check in checks)
    has_failed = any(result.state is CheckState.FAILED for result in results)
    return Answer(
        data=lambda: checks_data(node, results, dry_run=dry_run),
        forms={"text": lambda palette: checks_text(results, palette)},
        code=1 if has_failed else 0,
    )


def _result(
    root: str, check: Check, on_start: Callable[[str], None], *, dry_run: bool
) -> CheckResult:
    if not check.is_command:
        return not_run(check, f"kind {check.entry.kind}")
    if dry_run:
        return not_run(check, "dry run")
    directory = _directory(root, check.entry.cwd)
    if directory is None:
        reason = f"'{check.entry.cwd}' is not a directory of the repository"
        return CheckResult(check=check, state=CheckState.FAILED, reason=reason)
    on_start(f"{check.node}: {check.entry.text}")
    ran = run_shell(check.entry.text, directory, dict(check.entry.env), check.seconds)
    return CheckResult(
        check=check,
        state=CheckState.PASSED if ran.code == 0 else CheckState.FAILED,
        reason=ran.failure or _failure(ran.code or 0),
        exit_code=ran.code,
        output=ran.output.decode("utf-8", "backslashreplace"),
        omitted=ran.omitted,
    )


def _failure(code: int) -> str:
    """Describe an exit code; empty if the command succeeded."""
    if not code:
        return ""
    return f"exit code {code}" if code > 0 else f"ended by signal {-code}"


def _directory(root: str, inside: str) -> str | None:
    """Return the directory to run a command in; None if it is not one of the repository."""
    if "\0" in inside:
        return None
    top = os.path.realpath(root)
    directory = os.path.realpath(os.path.join(top, inside))
    is_inside = directory == top or directory.startswith(os.path.join(top, ""))
    return directory if is_inside and os.path.isdir(directory) else None
