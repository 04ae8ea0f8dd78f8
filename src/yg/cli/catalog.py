"""`yg aspects` and `yg flows`: list what concerns several nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.catalog import aspects, flows
from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.set_defaults(answer=aspects if name == "aspects" else flows)
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """List the aspects or the flows."""
    return shown(call, call.args.answer(workspace_of(call.args)))
