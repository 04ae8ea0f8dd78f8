"""`yg new`: create a node, an aspect or a flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.new import create_aspect, create_flow, create_node
from yg.cli.arguments import command_parser, workspace_of
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError
from yg.yggdrasil.parts import PartKind

if TYPE_CHECKING:
    from yg.answers.answer import Answer
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument("what", choices=list(PartKind), metavar="KIND", help="node, aspect or flow")
    result.add_argument(
        "name", metavar="NAME", help="path of the node, or id of the aspect or flow"
    )
    result.add_argument(
        "nodes", nargs="*", default=[], metavar="NODE", help="nodes that take part in the flow"
    )
    result.add_argument(
        "--type",
        default="",
        metavar="TYPE",
        help="type of the node (default: the first configured)",
    )
    result.add_argument(
        "--map",
        action="extend",
        nargs="+",
        default=[],
        metavar="PATH",
        help="files or directories that the node stands for",
    )
    result.add_argument(
        "--dry-run", action="store_true", help="show the files without writing them"
    )
    return result


def run(call: Call) -> Outcome:
    """Create a node, an aspect or a flow."""
    return shown(call, _create(call))


def _create(call: Call) -> Answer:
    args = call.args
    if args.what != PartKind.NODE and (args.type or args.map):
        raise UsageError("--type and --map require 'yg new node'")
    if args.what != PartKind.FLOW and args.nodes:
        raise UsageError(f"unexpected argument '{args.nodes[0]}'", hint="Only a flow lists nodes.")

    match PartKind(args.what):
        case PartKind.NODE:
            return create_node(
                lambda: workspace_of(args),
                args.name,
                type_name=args.type,
                mapping=args.map,
                dry_run=args.dry_run,
            )
        case PartKind.ASPECT:
            return create_aspect(lambda: workspace_of(args), args.name, dry_run=args.dry_run)
        case PartKind.FLOW:
            return create_flow(
                lambda: workspace_of(args), args.name, args.nodes, dry_run=args.dry_run
            )
