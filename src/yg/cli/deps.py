"""`yg deps`: what a node depends on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import (
    add_node,
    add_revision,
    command_parser,
    count,
    required_node,
    workspace_of,
)
from yg.cli.outcome import Outcome
from yg.render.data import document
from yg.render.deps import dependencies_data, dependencies_text
from yg.yggdrasil.deps import RelationClass, dependency_tree

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_node(result, "the node to start from")
    result.add_argument("--depth", type=count, metavar="N", help="follow relations N levels")
    result.add_argument(
        "--type",
        type=str,
        choices=[each.value for each in RelationClass],
        default="all",
        help="which relations to follow (default all)",
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Show the dependency tree of a node."""
    named = required_node(call.args)
    workspace = workspace_of(call.args)
    node = workspace.node(named)
    only = RelationClass(call.args.type)
    tree = dependency_tree(workspace.graph, node, call.args.depth, only)
    if call.wants_json:
        return Outcome(document("deps", dependencies_data(tree)))
    return Outcome(dependencies_text(tree, call.terminal.out))
