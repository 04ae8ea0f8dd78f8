"""`yg preflight`: one look before work begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser, workspace_of
from yg.cli.outcome import Outcome
from yg.kernel.issue import Severity
from yg.render.data import document
from yg.render.issues import issue_data, issue_text
from yg.render.status import NOT_RECORDED, status_data, summary_text
from yg.yggdrasil.status import status_of
from yg.yggdrasil.validate import validate

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument("--quick", action="store_true", help="do not look for drift")
    return result


def run(call: Call) -> Outcome:
    """Tell whether the graph can be worked with: drift, numbers, and every error."""
    workspace = workspace_of(call.args)
    status = status_of(workspace.graph)
    verdict = validate(workspace.graph, workspace.sources)
    errors = [issue for issue in verdict.issues if issue.severity is Severity.ERROR]
    code = 1 if errors else 0
    if call.wants_json:
        fields = {**status_data(status, verdict), "issues": [issue_data(each) for each in errors]}
        return Outcome(document("preflight", fields), code)
    drift = "skipped (--quick)" if call.args.quick else NOT_RECORDED
    summary = summary_text(status, "" if call.args.quick else NOT_RECORDED, verdict)
    details = "".join(issue_text(issue, call.terminal.out) for issue in errors)
    return Outcome(f"Drift: {drift}\n\n{summary}" + (f"\n{details}" if details else ""), code)
