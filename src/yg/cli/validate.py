"""`yg validate`: check the graph and report how to fix each problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.validate import EVERYTHING, validate
from yg.cli.arguments import add_revision, chosen_scope, command_parser, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ("text", "json", "sarif", "github", "junit"))
    result.add_argument(
        "path", nargs="?", metavar="SCOPE", help="check this node and the nodes below it"
    )
    result.add_argument("--scope", metavar="SCOPE", help="same as SCOPE (default all)")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Check the graph."""
    scope = chosen_scope(call.args, "scope") or EVERYTHING
    return shown(call, validate(workspace_of(call.args), scope=scope))
