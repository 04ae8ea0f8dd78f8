"""`yg drift`: show which nodes changed since their baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.drift import EVERYTHING, drift
from yg.cli.arguments import chosen_scope, command_parser, count, named_files, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "path", nargs="?", metavar="SCOPE", help="check this node and the nodes below it"
    )
    result.add_argument("--scope", metavar="SCOPE", help="same as SCOPE (default all)")
    result.add_argument(
        "--file",
        action="extend",
        nargs="+",
        metavar="FILE",
        help="check the nodes affected by these files; - reads stdin",
    )
    result.add_argument("--drifted-only", action="store_true", help="hide nodes without drift")
    result.add_argument(
        "--limit", type=count, metavar="N", help="show at most N entries per section"
    )
    return result


def run(call: Call) -> Outcome:
    """Compare mapped nodes with their baselines."""
    args = call.args
    scope = chosen_scope(args, "scope") or EVERYTHING
    files = None if args.file is None else list(named_files(call, args.file))
    workspace = workspace_of(args)
    with hashing(call) as options:
        answer = drift(
            workspace,
            scope=scope,
            files=files,
            drifted_only=args.drifted_only,
            limit=args.limit,
            hashing=options,
        )
    return shown(call, answer)
