"""`yg export`: the graph for other programs."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from typing import TYPE_CHECKING

from yg.answers.export import EDGES, FORMS, export
from yg.cli.arguments import (
    add_node,
    add_revision,
    chosen_node,
    command_parser,
    count,
    workspace_of,
)
from yg.cli.outcome import shown
from yg.cli.progress import hashing
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.cli.outcome import Call, Outcome
    from yg.cli.parser import Parser

PICTURES = ("mermaid", "dot")


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary, FORMS)
    add_node(result, "only what lies around this node")
    result.add_argument(
        "--depth", type=count, metavar="N", help="how many steps from the node (default 1)"
    )
    result.add_argument(
        "--table", choices=("nodes", "edges"), help="which table of csv (default nodes)"
    )
    result.add_argument(
        "--repository",
        metavar="NAME",
        help="what ids begin with (default the name of the graph)",
    )
    result.add_argument(
        "--drift",
        action=BooleanOptionalAction,
        help="tell the drift of nodes or not (default yes, but not in pictures)",
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Export the graph, or what lies around one node."""
    args = call.args
    _refuse_nonsense(args)
    workspace = workspace_of(args)
    with hashing(call) as how:
        answer = export(
            workspace,
            node=chosen_node(args),
            depth=1 if args.depth is None else args.depth,
            repository=args.repository or "",
            drift=_wants_drift(args),
            hashing=how,
        )
    return shown(call, answer, EDGES if args.table == "edges" else "")


def _refuse_nonsense(args: Namespace) -> None:
    if args.depth is not None and chosen_node(args) is None:
        raise UsageError("--depth counts steps from a node", hint="Name one with --node.")
    if args.table is not None and args.format != "csv":
        raise UsageError("--table chooses a table of --format csv")
    if args.drift and args.at is not None:
        raise UsageError("--drift looks at the work tree and does not go with --at")
    if args.repository == "":
        raise UsageError("the name of the repository is empty")


def _wants_drift(args: Namespace) -> bool | None:
    """Tell whether drift was asked for; None leaves it to the graph."""
    if args.drift is not None:
        return bool(args.drift)
    return False if args.format in PICTURES or args.table == "edges" else None
