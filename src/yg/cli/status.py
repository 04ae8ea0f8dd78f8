"""`yg status`: the graph in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser, workspace_of
from yg.cli.outcome import Outcome
from yg.render.data import document
from yg.render.status import NOT_RECORDED, quality_text, status_data, summary_text
from yg.yggdrasil.status import status_of
from yg.yggdrasil.validate import validate

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    return command_parser(name, summary)


def run(call: Call) -> Outcome:
    """Tell how much the graph describes, and how well."""
    workspace = workspace_of(call.args)
    status = status_of(workspace.graph)
    verdict = validate(workspace.graph, workspace.sources)
    if call.wants_json:
        return Outcome(document("status", status_data(status, verdict)))
    return Outcome(summary_text(status, NOT_RECORDED, verdict) + quality_text(status))
