"""Render the results of checks as text and as data."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from yg.kernel.escapes import escape_controls
from yg.kernel.plural import counted
from yg.specgraph.verification import CheckState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.render.plain import Palette
    from yg.render.shapes.verify import VerifyDocument
    from yg.specgraph.verification import CheckResult


def checks_text(results: Sequence[CheckResult], palette: Palette) -> str:
    """Write each check with its output and result, and the number of each."""
    if not results:
        return "There is nothing to verify.\n"
    return "".join(_result_text(result, palette) for result in results) + _counts_text(results)


def _result_text(result: CheckResult, palette: Palette) -> str:
    # Commands can print anything, and so can a graph.
    check = escape_controls(f"{result.check.node}: {result.check.text}")
    omitted = f"    .. {counted(result.omitted, 'byte')} omitted\n" if result.omitted else ""
    lines = escape_controls(result.output.replace("\r\n", "\n")).rstrip("\n").split("\n")
    output = "".join(f"    {line}".rstrip() + "\n" for line in lines) if any(lines) else ""
    paint = {CheckState.PASSED: palette.added, CheckState.FAILED: palette.red}
    state = paint.get(result.state, palette.dim)(result.state.value)
    reason = f": {escape_controls(result.reason)}" if result.reason else ""
    return f"{palette.bold(check)}\n{omitted}{output}  {state}{reason}\n"


def _counts_text(results: Sequence[CheckResult]) -> str:
    found = Counter(result.state for result in results)
    counts = ", ".join(f"{found[state]} {state}" for state in CheckState if found[state])
    return f"{counted(len(results), 'check')}: {counts}.\n"


def checks_data(node: str, results: Sequence[CheckResult], *, dry_run: bool) -> VerifyDocument:
    """Return the results of checks as data."""
    from yg.render.shapes.verify import CheckRecord, VerifyDocument

    found = Counter(result.state for result in results)
    return VerifyDocument(
        node=node,
        dry_run=dry_run,
        passed=found[CheckState.PASSED],
        failed=found[CheckState.FAILED],
        not_run=found[CheckState.NOT_RUN],
        checks=[
            CheckRecord(
                node=result.check.node,
                kind=result.check.entry.kind or "text",
                check=result.check.text,
                state=result.state,
                reason=result.reason,
                exit_code=result.exit_code,
                output=result.output,
                omitted=result.omitted,
            )
            for result in results
        ],
    )
