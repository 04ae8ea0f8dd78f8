"""`yg drift-sync`: record the current files of nodes as their baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.drift_sync import Choice, drift_sync
from yg.cli.arguments import add_node, chosen_node, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_node(result, "node to record")
    result.add_argument("--recursive", action="store_true", help="include all nodes below it")
    result.add_argument(
        "--all", action="store_true", help="record all mapped nodes, and remove stale baselines"
    )
    return result


def run(call: Call) -> Outcome:
    """Record new baselines."""
    args = call.args
    choice = Choice(node=chosen_node(args), recursive=args.recursive, every=args.all)
    with hashing(call) as options:
        return shown(call, drift_sync(lambda: workspace_of(args), choice, hashing=options))
