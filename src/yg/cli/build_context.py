"""`yg build-context`: everything to know before working on one node."""

from __future__ import annotations

import os
import time
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from yg.answers.build_context import WHY, build_context, build_context_for_file
from yg.cli.arguments import (
    LARGEST,
    add_node,
    add_revision,
    chosen_node,
    command_parser,
    workspace_of,
)
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.answers.answer import Answer
    from yg.cli.outcome import Call, Outcome
    from yg.cli.parser import Parser
    from yg.workspace import Workspace


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary, ("text", "markdown", "json"))
    result.set_defaults(format=None)  # the kind of graph decides
    add_node(result, "the node to work on")
    result.add_argument("--file", metavar="PATH", help="the node that owns this file instead")
    result.add_argument(
        "--depth", type=_depth, metavar="N", help="Spec Graphs: follow links N levels, or full (2)"
    )
    result.add_argument("--why", action="store_true", help="show why each block is there")
    result.add_argument(
        "--no-stamp", action="store_true", help="0.x: leave out the time of generation"
    )
    result.add_argument(
        "--lenient", action="store_true", help="refuse only for errors that touch this package"
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Assemble the package of a node, unless errors make it unreliable."""
    args = call.args
    if args.why and args.format == "markdown":
        raise UsageError("--why is a table of its own", hint="Leave out --format markdown.")
    answer = _answer(workspace_of(args), args)
    return shown(call, answer, WHY if args.why and not call.wants_json else "")


def _answer(workspace: Workspace, args: Namespace) -> Answer:
    node, file = chosen_node(args), args.file
    now = None if args.no_stamp else _now
    if node is not None and file is None:
        return build_context(workspace, node, depth=args.depth, lenient=args.lenient, now=now)
    if node is None and file:
        if args.depth is not None:
            raise UsageError(
                "--depth does not go with --file", hint="Files have owners in Yggdrasil graphs."
            )
        return build_context_for_file(workspace, file, lenient=args.lenient, now=now)
    raise UsageError("name one node, or one file with --file", hint="'yg tree' lists all nodes.")


def _depth(text: str) -> int | str:
    """Read a depth of Spec Graphs: a whole number from 1 upwards, or `full`."""
    if text == "full":
        return text
    if not (text.isascii() and text.isdigit() and text.strip("0")):
        raise ArgumentTypeError(f"'{text}' is no whole number from 1 upwards, nor 'full'")
    return min(int(text[:20]), LARGEST)


def _now() -> str:
    """Return the one time in the product; SOURCE_DATE_EPOCH makes it the same every time."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        seconds = int(time.time())
    elif epoch.isascii() and epoch.isdigit() and len(epoch) <= 11:  # noqa: PLR2004
        seconds = int(epoch)
    else:
        raise UsageError(f"SOURCE_DATE_EPOCH is '{epoch}'", hint="It has to be seconds since 1970.")
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
