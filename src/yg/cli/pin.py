"""`yg pin`: refresh the pins and the digest of a node of a Spec Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.edit_specs import pin
from yg.cli.arguments import add_dry_run, add_node, command_parser, required_node, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_node(result, "id of the node")
    add_dry_run(result)
    return result


def run(call: Call) -> Outcome:
    """Record the current digests of the sources of a node."""
    args = call.args
    return shown(call, pin(lambda: workspace_of(args), required_node(args), dry_run=args.dry_run))
