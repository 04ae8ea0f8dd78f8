"""`yg mv`: rename or move a node, an aspect or a flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.mv import rename
from yg.cli.arguments import command_parser, workspace_of
from yg.cli.outcome import shown
from yg.yggdrasil.parts import PartKind

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument("old", metavar="OLD", help="node, aspect or flow; all below it moves too")
    result.add_argument("new", metavar="NEW", help="its new path or id, which must not exist")
    for kind in PartKind:
        result.add_argument(
            f"--{kind}",
            dest="kind_of_part",
            action="store_const",
            const=kind,
            help=f"OLD is {kind.article}",
        )
    result.add_argument(
        "--dry-run", action="store_true", help="show the edits without writing them"
    )
    return result


def run(call: Call) -> Outcome:
    """Give another name to a node, an aspect or a flow."""
    args = call.args
    return shown(
        call,
        rename(
            lambda: workspace_of(args),
            args.old,
            args.new,
            kind=args.kind_of_part,
            dry_run=args.dry_run,
        ),
    )
