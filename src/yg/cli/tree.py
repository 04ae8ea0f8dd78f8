"""`yg tree`: the nodes of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import (
    add_revision,
    chosen_scope,
    command_parser,
    count,
    workspace_of,
)
from yg.cli.skipped import with_skipped
from yg.kernel.paths import name_of
from yg.render.tree import tree_data, tree_text
from yg.yggdrasil.outline import outline

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument("path", nargs="?", metavar="ROOT", help="start at this node")
    result.add_argument("--root", metavar="ROOT", help="the same, as an option")
    result.add_argument("--depth", type=count, metavar="N", help="show N levels below the root")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Show the tree, or the part of it below one node."""
    root = chosen_scope(call.args, "root")
    workspace = workspace_of(call.args)
    start = "." if root is None else workspace.directory(root)
    top = name_of(workspace.graph.nodes.label.tree)
    entries = outline(workspace.graph, start, call.args.depth)
    return with_skipped(
        call,
        workspace.graph.nodes,
        text=lambda: tree_text(entries, call.terminal.out, top),
        data=lambda: ("tree", {"root": start, "nodes": tree_data(entries)}),
        within=start,
    )
