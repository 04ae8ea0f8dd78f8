"""`yg verify`: run the checks of a node of a Spec Graph. No other command executes anything."""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING, Annotated

from yg_old.commands.command import Command
from yg_old.commands.request import NO_NODE, Operand, Option, Request
from yg_old.disk.shell import run_shell
from yg_old.kernel.document import Count, Document, Text, about
from yg_old.kernel.edit import WasDryRun
from yg_old.kernel.errors import UsageError
from yg_old.specgraph.context.assemble import assemble
from yg_old.specgraph.context.context import USUAL_DEPTH
from yg_old.specgraph.context.verification import CheckResult, CheckState, checks_of, result_of
from yg_old.text.escapes import escape_controls
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.specgraph.context.verification import Check


class VerifyRequest(Request["Verified"], frozen=True, kw_only=True):
    """Which checks to run."""

    node: Annotated[str | None, Operand("NODE", "id of the node", option="--node")] = None
    with_guides: Annotated[
        bool, Option(help="run the checks of its decisions and foundations too")
    ] = False
    dry_run: Annotated[bool, Option(help="show the checks without running them")] = False


class Verified(Document, frozen=True, kw_only=True, tag="yg-verify/1"):
    """What `yg verify --json` prints: the checks of a node and their results."""

    node: Annotated[Text, about("The node.")]
    dry_run: WasDryRun
    passed: Annotated[Count, about("The number of checks that passed.")]
    failed: Annotated[Count, about("The number of checks that failed.")]
    not_run: Annotated[Count, about("The number of checks that were not run.")]
    checks: Annotated[
        tuple[CheckResult, ...], about("The checks, in the order in which they are run.")
    ]

    @property
    def exit_code(self) -> int:
        """1 if a check failed."""
        return 1 if self.failed else 0


def ask(run: Run, request: VerifyRequest) -> Verified:
    """Run the commands among the checks of a node, one after the other, and show their output."""
    workspace = run.workspace
    workspace.require_specs("yg verify")
    if request.node is None:
        message, hint = NO_NODE
        raise UsageError(message, hint=hint)
    node = workspace.find(request.node)
    context = assemble(workspace.specs, node, USUAL_DEPTH)
    checks = checks_of(context, with_guides=request.with_guides)
    show = run.on_step or _ignore
    try:
        results = tuple(
            _result(workspace.root, check, show, dry_run=request.dry_run) for check in checks
        )
    finally:
        show("")
    found = Counter(result.state for result in results)
    return Verified(
        node=node,
        dry_run=request.dry_run,
        passed=found[CheckState.PASSED],
        failed=found[CheckState.FAILED],
        not_run=found[CheckState.NOT_RUN],
        checks=results,
    )


def _ignore(_line: str) -> None:
    """Show no progress: stderr is not a terminal."""


def _result(
    root: str, check: Check, on_start: Callable[[str], None], *, dry_run: bool
) -> CheckResult:
    if not check.is_command:
        return result_of(check, CheckState.NOT_RUN, f"kind {check.entry.kind}")
    if dry_run:
        return result_of(check, CheckState.NOT_RUN, "dry run")
    directory = _directory(root, check.entry.cwd)
    if directory is None:
        reason = f"'{check.entry.cwd}' is not a directory of the repository"
        return result_of(check, CheckState.FAILED, reason)
    on_start(f"{check.node}: {check.entry.text}")
    ran = run_shell(check.entry.text, directory, dict(check.entry.env), check.seconds)
    return result_of(
        check,
        CheckState.PASSED if ran.code == 0 else CheckState.FAILED,
        ran.failure or _failure(ran.code or 0),
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


def text(verified: Verified, palette: Palette) -> str:
    """Write each check with its output and result, and the number of each."""
    if not verified.checks:
        return "There is nothing to verify.\n"
    results = "".join(_result_text(result, palette) for result in verified.checks)
    return results + _counts_text(verified)


def _result_text(result: CheckResult, palette: Palette) -> str:
    # Commands can print anything, and so can a graph.
    check = escape_controls(f"{result.node}: {result.check}")
    omitted = f"    .. {counted(result.omitted, 'byte')} omitted\n" if result.omitted else ""
    lines = escape_controls(result.output.replace("\r\n", "\n")).rstrip("\n").split("\n")
    output = "".join(f"    {line}".rstrip() + "\n" for line in lines) if any(lines) else ""
    paint = {CheckState.PASSED: palette.added, CheckState.FAILED: palette.red}
    state = paint.get(result.state, palette.dim)(result.state.value)
    reason = f": {escape_controls(result.reason)}" if result.reason else ""
    return f"{palette.bold(check)}\n{omitted}{output}  {state}{reason}\n"


def _counts_text(verified: Verified) -> str:
    found = {
        CheckState.PASSED: verified.passed,
        CheckState.FAILED: verified.failed,
        CheckState.NOT_RUN: verified.not_run,
    }
    counts = ", ".join(f"{count} {state}" for state, count in found.items() if count)
    return f"{counted(len(verified.checks), 'check')}: {counts}.\n"


COMMAND = Command(request=VerifyRequest, documents=(Verified,), ask=ask, text=text)
