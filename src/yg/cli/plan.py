"""`yg plan`: show the order in which nodes can be built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.plan import plan
from yg.cli.arguments import (
    add_node,
    add_revision,
    add_tokenizer,
    chosen_node,
    command_parser,
    workspace_of,
)
from yg.cli.outcome import shown
from yg.cli.progress import hashing
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_node(result, "plan only this node and its dependencies")
    add_revision(result)
    result.add_argument("--changed", action="store_true", help="plan only nodes that have drifted")
    result.add_argument("--all", action="store_true", help="include nodes without a mapping")
    result.add_argument(
        "--lenient",
        action="store_true",
        help="despite errors: leave out what cannot be ordered, and list it",
    )
    add_tokenizer(result)
    return result


def run(call: Call) -> Outcome:
    """Order nodes so that dependencies come first."""
    args = call.args
    if args.changed and args.at is not None:
        raise UsageError("--changed reads the work tree and cannot be combined with --at")
    if args.changed and args.all:
        raise UsageError("--changed cannot be combined with --all: only mapped nodes can drift")
    workspace = workspace_of(args)
    with hashing(call) as options:
        answer = plan(
            workspace,
            node=chosen_node(args),
            changed=args.changed,
            unmapped=args.all,
            lenient=args.lenient,
            hashing=options,
        )
    return shown(call, answer)
