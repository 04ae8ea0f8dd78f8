"""`yg plan`: in which order nodes can be built."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.plan import plan
from yg.cli.arguments import add_node, add_revision, chosen_node, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.cli.outcome import Call, Outcome
    from yg.cli.parser import Parser


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_node(result, "only this node and what it needs first")
    add_revision(result)
    result.add_argument("--changed", action="store_true", help="only nodes that have drifted")
    return result


def run(call: Call) -> Outcome:
    """Order nodes by what they need."""
    args = call.args
    if args.changed and args.at is not None:
        raise UsageError("--changed looks at the work tree and does not go with --at")
    workspace = workspace_of(args)
    with hashing(call) as how:
        answer = plan(workspace, node=chosen_node(args), changed=args.changed, hashing=how)
    return shown(call, answer)
