"""`yg coverage`: show how many files of the repository have an owner."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from yg.answers.coverage import DEPTH, NAMES, UNCOVERED, coverage
from yg.cli.arguments import add_revision, command_parser, count, workspace_of
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument("--uncovered", action="store_true", help="list the files without an owner")
    result.add_argument(
        "--names",
        action="store_true",
        help="list public names that other nodes import and no interface.md mentions",
    )
    result.add_argument(
        "--fail-under",
        type=_percentage,
        metavar="N",
        help="exit 1 if less than N percent of files are owned",
    )
    result.add_argument(
        "--depth", type=count, default=DEPTH, metavar="N", help="show N levels (default 2)"
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Count the files that have an owner."""
    args = call.args
    if args.uncovered and args.names:
        raise UsageError("--names cannot be combined with --uncovered")
    answer = coverage(
        workspace_of(args), fail_under=args.fail_under, depth=args.depth, names=args.names
    )
    form = NAMES if args.names else UNCOVERED if args.uncovered else ""
    return shown(call, answer, "" if call.wants_json else form)


def _percentage(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:  # noqa: PLR2004
        raise ArgumentTypeError(f"expected a number from 0 to 100, got '{text}'")
    return value
