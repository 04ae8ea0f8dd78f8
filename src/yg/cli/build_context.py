"""`yg build-context`: assemble the context package of a node."""

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
    add_tokenizer,
    chosen_node,
    command_parser,
    workspace_of,
)
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.answers.answer import Answer
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome
    from yg.workspace import OpenWorkspace


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ("text", "markdown", "json"))
    result.set_defaults(format=None)  # depends on the kind of graph
    add_node(result, "node to work on")
    result.add_argument("--file", metavar="PATH", help="use the node that owns this file")
    result.add_argument(
        "--depth",
        type=_depth,
        metavar="N",
        help="Spec Graphs: follow N levels of links, or full (default 2)",
    )
    result.add_argument("--why", action="store_true", help="show why each block is included")
    result.add_argument("--no-stamp", action="store_true", help="0.x: omit the generation time")
    result.add_argument(
        "--lenient", action="store_true", help="fail only on errors that affect this package"
    )
    add_revision(result)
    add_tokenizer(result)
    return result


def run(call: Call) -> Outcome:
    """Assemble the package of a node; fail if the graph has errors."""
    args = call.args
    if args.why and args.format == "markdown":
        raise UsageError(
            "--why cannot be combined with --format markdown",
            hint="It prints a table; omit --format.",
        )
    answer = _answer(workspace_of(args), args)
    return shown(call, answer, WHY if args.why and not call.wants_json else "")


def _answer(workspace: OpenWorkspace, args: Namespace) -> Answer:
    node, file = chosen_node(args), args.file
    now = None if args.no_stamp else _now
    if node is not None and file is None:
        return build_context(workspace, node, depth=args.depth, lenient=args.lenient, now=now)
    if node is None and file:
        if args.depth is not None:
            raise UsageError(
                "--depth cannot be combined with --file",
                hint="--depth is for Spec Graphs, which have no file owners.",
            )
        return build_context_for_file(workspace, file, lenient=args.lenient, now=now)
    raise UsageError(
        "expected one node, or one file with --file", hint="'yg tree' lists all nodes."
    )


def _depth(text: str) -> int | str:
    """Parse the depth for a Spec Graph: a number >= 1, or `full`."""
    if text == "full":
        return text
    if not (text.isascii() and text.isdigit() and text.strip("0")):
        raise ArgumentTypeError(f"expected a number >= 1 or 'full', got '{text}'")
    return min(int(text[:20]), LARGEST)


def _now() -> str:
    """Return the current time in UTC; SOURCE_DATE_EPOCH overrides it."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        seconds = int(time.time())
    elif epoch.isascii() and epoch.isdigit() and len(epoch) <= 11:  # noqa: PLR2004
        seconds = int(epoch)
    else:
        raise UsageError(
            f"invalid SOURCE_DATE_EPOCH: '{epoch}'",
            hint="Set it to a number of seconds since 1970.",
        )
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
