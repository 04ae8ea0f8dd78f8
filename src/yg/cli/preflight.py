"""`yg preflight`: one look before work begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser, workspace_of
from yg.cli.drifting import look, notes_text
from yg.cli.outcome import Outcome
from yg.kernel.issue import Severity
from yg.render.data import document
from yg.render.drift import drift_data, drifted_lines, summary
from yg.render.issues import issue_data, issue_text
from yg.render.status import status_data, summary_text
from yg.yggdrasil.drift import mapped_nodes
from yg.yggdrasil.status import status_of
from yg.yggdrasil.validate import validate

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.drifting import Look
    from yg.cli.outcome import Call


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument("--quick", action="store_true", help="do not look for drift")
    return result


def run(call: Call) -> Outcome:
    """Tell whether the graph can be worked with: drift, numbers, and every error."""
    workspace = workspace_of(call.args)
    graph = workspace.graph
    if not call.args.quick:
        workspace.require_baselines()
    found = None if call.args.quick else look(call, workspace, mapped_nodes(graph))
    status, verdict = (
        status_of(graph),
        validate(graph, workspace.sources, measure=workspace.measure),
    )
    errors = [issue for issue in verdict.issues if issue.severity is Severity.ERROR]
    is_drifted = found is not None and (found.skipped or drifted_lines(found.drifts))
    code = 1 if errors or is_drifted else 0
    if call.wants_json:
        drift = drift_data(found.drifts) if found else None
        issues = [issue_data(each) for each in errors]
        said = list(found.notes) if found else []
        fields = {**status_data(status, verdict), "drift": drift, "issues": issues, "notes": said}
        return Outcome(document("preflight", fields), code)
    parts = [
        _drift_text(found),
        summary_text(status, summary(found.drifts) if found else "", verdict),
        "".join(issue_text(issue, call.terminal.out) for issue in errors),
    ]
    notes = notes_text(call, found.notes) if found else ""
    return Outcome("\n".join(part for part in parts if part), code, notes)


def _drift_text(found: Look | None) -> str:
    if found is None:
        return "Drift: skipped (--quick)\n"
    lines = drifted_lines(found.drifts)
    return "Drift:\n" + "".join(f"  {line}\n" for line in lines) if lines else "Drift: none\n"
