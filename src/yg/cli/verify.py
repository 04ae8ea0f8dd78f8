"""`yg verify`: run the checks of a node of a Spec Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.verify import verify
from yg.cli.arguments import add_node, command_parser, required_node, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_node(result, "id of the node")
    result.add_argument(
        "--with-guides",
        action="store_true",
        help="run the checks of its decisions and foundations too",
    )
    result.add_argument(
        "--dry-run", action="store_true", help="show the checks without running them"
    )
    return result


def run(call: Call) -> Outcome:
    """Run the commands that the Verification of a node lists."""
    args = call.args
    show = call.terminal.show_progress or _ignore
    try:
        answer = verify(
            workspace_of(args),
            required_node(args),
            with_guides=args.with_guides,
            dry_run=args.dry_run,
            on_start=show,
        )
    finally:
        show("")
    return shown(call, answer)


def _ignore(_line: str) -> None:
    """Show no progress: stderr is not a terminal."""
