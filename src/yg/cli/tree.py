"""`yg tree`: show the nodes of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.tree import tree
from yg.cli.arguments import (
    add_revision,
    chosen_scope,
    command_parser,
    count,
    workspace_of,
)
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument("path", nargs="?", metavar="ROOT", help="start at this node")
    result.add_argument("--root", metavar="ROOT", help="same as ROOT")
    result.add_argument("--depth", type=count, metavar="N", help="show N levels below the root")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Show the whole tree, or the subtree of one node."""
    root = chosen_scope(call.args, "root")
    return shown(call, tree(workspace_of(call.args), root=root, depth=call.args.depth))
