"""`yg flows`: list processes that involve several nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.catalog import flows
from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.outcome import Call, Outcome
    from yg.cli.parser import Parser


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """List the flows."""
    return shown(call, flows(workspace_of(call.args)))
