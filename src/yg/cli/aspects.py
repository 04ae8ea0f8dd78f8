"""`yg aspects`: the requirements that cut across nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.skipped import with_skipped
from yg.render.catalog import aspects_data, yaml_list

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """List the aspects."""
    graph = workspace_of(call.args).graph
    entries = aspects_data(graph.aspects)
    return with_skipped(
        call,
        graph.aspects,
        text=lambda: yaml_list(entries),
        data=lambda: ("aspects", {"aspects": entries}),
    )
