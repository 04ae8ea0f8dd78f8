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
    result.add_argument(
        "--cosmetic",
        action="store_true",
        help="record all nodes of which only formatting, comments or documentation changed",
    )
    result.add_argument(
        "--reason", metavar="TEXT", help="why no text of the node had to change; it is recorded"
    )
    return result


def run(call: Call) -> Outcome:
    """Record new baselines."""
    args = call.args
    choice = Choice(
        node=chosen_node(args),
        recursive=args.recursive,
        every=args.all,
        cosmetic=args.cosmetic,
        reason=args.reason,
    )
    with hashing(call) as options:
        return shown(call, drift_sync(lambda: workspace_of(args), choice, hashing=options))
