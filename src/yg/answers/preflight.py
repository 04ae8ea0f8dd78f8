"""The `preflight` command: drift, status and errors in one report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import STANDARD, Answer, warnings
from yg.answers.drift import find_drift
from yg.kernel.issue import Severity
from yg.render.drift import checked_data, drifted_lines, summary
from yg.render.issues import issue_data, issue_text
from yg.render.status import preflight_data, summary_text
from yg.yggdrasil.overview import status_of

if TYPE_CHECKING:
    from yg.answers.answer import Hashing
    from yg.answers.drift import DriftReport
    from yg.render.plain import Palette
    from yg.workspace import Workspace


def preflight(workspace: Workspace, *, quick: bool = False, hashing: Hashing = STANDARD) -> Answer:
    """Check whether the graph is ready for work; `quick` skips the drift check."""
    workspace.require(workspace.format.has_owners, "preflight")
    graph = workspace.graph
    if not quick:
        workspace.require_baselines()
    found = None if quick else find_drift(workspace, None, hashing)
    status = status_of(graph)
    verdict = workspace.verdict()
    errors = [issue for issue in verdict.issues if issue.severity is Severity.ERROR]
    is_drifted = found is not None and (found.skipped or drifted_lines(found.drifts))
    notes = found.notes if found else ()

    def text(palette: Palette) -> str:
        parts = [
            _drift_text(found),
            summary_text(status, summary(found.drifts) if found else "", verdict),
            "".join(issue_text(issue, palette) for issue in errors),
        ]
        return "\n".join(part for part in parts if part)

    return Answer(
        data=lambda: preflight_data(
            status,
            verdict,
            drift=checked_data(found.drifts) if found else None,
            issues=[issue_data(issue) for issue in errors],
            notes=notes,
        ),
        forms={"text": text},
        notes=warnings(notes),
        code=1 if errors or is_drifted else 0,
    )


def _drift_text(found: DriftReport | None) -> str:
    if found is None:
        return "Drift: skipped (--quick)\n"
    lines = drifted_lines(found.drifts)
    return "Drift:\n" + "".join(f"  {line}\n" for line in lines) if lines else "Drift: none\n"
