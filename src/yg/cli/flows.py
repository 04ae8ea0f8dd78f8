"""`yg flows`: the processes that span nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.skipped import with_skipped
from yg.render.catalog import flows_data, yaml_list

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """List the flows."""
    graph = workspace_of(call.args).graph
    entries = flows_data(graph.flows)
    named = [{key: value for key, value in each.items() if key != "id"} for each in entries]
    return with_skipped(
        call,
        graph.flows,
        text=lambda: yaml_list(named),
        data=lambda: ("flows", {"flows": entries}),
    )
