"""`yg build-context`: assemble the context package of a node, or of several."""

from __future__ import annotations

import os
import time
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from yg.answers.answer import HEAD
from yg.answers.build_context import DIGEST, WHY, ContextRequest, Wanted, build_context
from yg.cli.arguments import LARGEST, add_revision, add_tokenizer, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ("text", "markdown", "json"))
    result.set_defaults(format=None)  # depends on the kind of graph
    result.operand_option = "--node"
    result.add_argument("path", nargs="*", metavar="NODE", help="nodes to work on")
    _add_repeated(result, "--node", "NODE", "same as NODE", Wanted, dest="wanted")
    _add_repeated(
        result, "--file", "PATH", "use the node that owns this file", _file, dest="wanted"
    )
    result.add_argument(
        "--diff",
        nargs="?",
        const=HEAD,
        metavar="REV",
        help="nodes with changes since REV (default HEAD)",
    )
    have = "leave out what the package of NODE has, if DIGEST is still its digest"
    _add_repeated(result, "--have", "NODE[:DIGEST]", have)
    kinds = "KIND[:SUBJECT]"
    _add_repeated(result, "--only", kinds, "show only these blocks")
    _add_repeated(result, "--without", kinds, "leave out these blocks")
    result.add_argument(
        "--fit", type=_size, metavar="N", help="cut documents until the package has N tokens"
    )
    result.add_argument(
        "--digest", action="store_true", help="print the digest of the package, for --have"
    )
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


def _add_repeated(  # noqa: PLR0913
    result: Parser,
    option: str,
    metavar: str,
    help_text: str,
    parse: Callable[[str], object] = str,
    *,
    dest: str = "",
) -> None:
    """Add an option that may be given several times."""
    result.add_argument(
        option,
        dest=dest or option.removeprefix("--"),
        action="append",
        default=[],
        type=parse,
        metavar=metavar,
        help=help_text,
    )


def _file(name: str) -> Wanted:
    return Wanted(name, is_file=True)


def run(call: Call) -> Outcome:
    """Assemble the package of some nodes; fail if the graph has errors."""
    args = call.args
    _check_usage(args)
    workspace = workspace_of(args)
    answer = build_context(workspace, _request(args), now=None if args.no_stamp else _now)
    if args.digest and DIGEST not in answer.forms:
        raise UsageError("--digest requires exactly one node")
    form = (WHY if args.why else "") or (DIGEST if args.digest else "")
    return shown(call, answer, "" if call.wants_json else form)


def _check_usage(args: Namespace) -> None:
    if args.why and args.format == "markdown":
        raise UsageError(
            "--why cannot be combined with --format markdown",
            hint="It prints a table; omit --format.",
        )
    if args.why and args.digest:
        raise UsageError("--why cannot be combined with --digest")
    if args.digest and args.depth is not None:
        raise UsageError("--digest cannot be combined with --depth")
    if args.diff == "":
        raise UsageError("empty commit name")
    if args.depth is not None and any(wanted.is_file for wanted in args.wanted):
        raise UsageError(
            "--depth cannot be combined with --file",
            hint="--depth is for Spec Graphs, which have no file owners.",
        )


def _request(args: Namespace) -> ContextRequest:
    return ContextRequest(
        wanted=tuple(args.wanted),
        diff=args.diff,
        have=tuple(args.have),
        only=tuple(args.only),
        without=tuple(args.without),
        fit=args.fit,
        depth=args.depth,
        lenient=args.lenient,
    )


def _size(text: str) -> int:
    """Parse a number of tokens >= 1."""
    if not (text.isascii() and text.isdigit() and text.strip("0")):
        raise ArgumentTypeError(f"expected a number >= 1, got '{text}'")
    return min(int(text[:20]), LARGEST)


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
