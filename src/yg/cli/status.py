"""`yg status`: the graph in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser, workspace_of
from yg.cli.drifting import look, notes_text
from yg.cli.outcome import Outcome
from yg.formats import YGGDRASIL
from yg.kernel.errors import RefusedError
from yg.render.data import document
from yg.render.drift import counts_data, summary
from yg.render.status import quality_text, status_data, summary_text
from yg.yggdrasil.drift import mapped_nodes
from yg.yggdrasil.rules import issues_of
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
    graph = workspace.graph
    if graph.config_reading.value is None:
        issues = [each for each in issues_of(graph, workspace.sources) if each.code == "E012"]
        raise RefusedError("the configuration cannot be read", hint="Mend it.", issues=issues)
    has_baselines = workspace.format is YGGDRASIL
    found = look(call, workspace, mapped_nodes(graph)) if has_baselines else None
    status, verdict = (
        status_of(graph),
        validate(graph, workspace.sources, measure=workspace.measure),
    )
    if call.wants_json:
        drift = counts_data(found.drifts) if found else None
        notes = list(found.notes) if found else []
        fields = {**status_data(status, verdict), "drift": drift, "notes": notes}
        return Outcome(document("status", fields))
    drift_line = summary(found.drifts) if found else ""
    text = summary_text(status, drift_line, verdict) + quality_text(status)
    return Outcome(text, notes=notes_text(call, found.notes) if found else "")
