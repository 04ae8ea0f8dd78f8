"""`yg link` and `yg unlink`: add or remove a link of a Spec Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.edit_specs import link, unlink
from yg.cli.arguments import add_dry_run, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.specgraph.model import LinkKind

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of either command."""
    result = command_parser(name, summary)
    result.set_defaults(answer=link if name == "link" else unlink)
    result.add_argument("source", metavar="SOURCE", help="node that holds the link")
    result.add_argument(
        "edge", choices=[kind.value for kind in LinkKind], metavar="EDGE", help="kind of link"
    )
    result.add_argument("target", metavar="TARGET", help="node that it points at")
    add_dry_run(result)
    return result


def run(call: Call) -> Outcome:
    """Add or remove a link; nothing is written if it is so already."""
    args = call.args
    kind = LinkKind(args.edge)
    return shown(
        call,
        args.answer(
            lambda: workspace_of(args), args.source, kind, args.target, dry_run=args.dry_run
        ),
    )
