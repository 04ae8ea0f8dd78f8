"""`yg deps`: show the dependencies of a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.deps import EVERY, deps
from yg.cli.arguments import (
    add_node,
    add_revision,
    command_parser,
    count,
    required_node,
    workspace_of,
)
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome

CLASSES = ("structural", "event", EVERY)


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_node(result, "node to start from")
    result.add_argument("--depth", type=count, metavar="N", help="follow N levels of relations")
    result.add_argument(
        "--type",
        type=str,
        choices=CLASSES,
        default=EVERY,
        help="relations to follow (default all)",
    )
    result.add_argument("--code", action="store_true", help="show which imports back the relations")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Show the dependency tree of a node."""
    args = call.args
    node = required_node(args)
    answer = deps(workspace_of(args), node, depth=args.depth, only=args.type, code=args.code)
    return shown(call, answer)
