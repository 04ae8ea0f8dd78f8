"""Arguments that several commands share."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError
from typing import TYPE_CHECKING

from yg.cli.parser import Parser
from yg.formats import FORMATS
from yg.kernel.errors import UsageError
from yg.kernel.paths import normalise
from yg.workspace import open_workspace

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from yg.cli.outcome import Call
    from yg.workspace import Workspace


LARGEST = 10**9  # more levels or entries than any graph has


def command_parser(name: str, summary: str, formats: Sequence[str] = ("text", "json")) -> Parser:
    """Make the parser of one command, with the options that every command has."""
    parser = Parser(f"yg {name}", summary)
    parser.common.add_argument(
        "-C", dest="directory", metavar="DIR", default=".", help="run as if in DIR"
    )
    parser.common.add_argument(
        "--format",
        choices=formats,
        default=formats[0],
        help=f"how to print (default {formats[0]})",
    )
    parser.common.add_argument(
        "--json",
        dest="format",
        action="store_const",
        const="json",
        help="short for --format json",
    )
    parser.common.add_argument(
        "--no-cache", action="store_true", help="neither use nor write the local index"
    )
    parser.common.add_argument(
        "--kind",
        choices=[each.name for each in FORMATS],
        help="the kind of graph to open",
    )
    return parser


def add_node(parser: Parser, what: str) -> None:
    """Add the main operand: a node, by position or by flag."""
    parser.add_argument("path", nargs="?", metavar="NODE", help=what)
    parser.add_argument("--node", metavar="NODE", help="the same, as an option")


def chosen_node(args: Namespace) -> str | None:
    """Return the node that was named in either way; naming two is a usage error."""
    return _one(args.path, args.node)


def chosen_scope(args: Namespace, option: str) -> str | None:
    """Return the part of the graph that was named by position or by an option."""
    return _one(args.path, getattr(args, option))


def _one(first: str | None, second: str | None) -> str | None:
    """Return what was named in either of two ways; two names or an empty one are mistakes."""
    if "" in (first, second):
        raise UsageError("the name of the node is empty", hint="'yg tree' lists all nodes.")
    if first is not None and second is not None and normalise(first) != normalise(second):
        raise UsageError(f"two nodes named: '{first}' and '{second}'", hint="Name one.")
    return second if first is None else first


def required_node(args: Namespace) -> str:
    """Return the node that was named; a missing one is a usage error."""
    named = chosen_node(args)
    if named is None:
        raise UsageError("no node named", hint="Give its path; 'yg tree' lists all nodes.")
    return named


def named_files(call: Call, named: Iterable[str]) -> Iterator[str]:
    """Yield the files that were named; `-` stands for those on standard input."""
    for file in named:
        if file == "-":
            yield from call.terminal.read_lines()
        elif file:
            yield file
        else:
            raise UsageError("the name of a file is empty")


def add_revision(parser: Parser) -> None:
    """Add the option to read a commit instead of the work tree."""
    parser.add_argument("--at", metavar="REV", help="read the graph as this commit has it")


def count(text: str) -> int:
    """Read a whole number that is not negative."""
    if not (text.isascii() and text.isdigit()):
        raise ArgumentTypeError(f"'{text}' is not a whole number from 0")
    return min(int(text[:20]), LARGEST)


def workspace_of(args: Namespace) -> Workspace:
    """Open the repository that a command was called in."""
    args.workspace = open_workspace(
        args.directory, getattr(args, "at", None), kind_of(args), uses_index=uses_index(args)
    )
    workspace: Workspace = args.workspace  # where the program finds it to save its index
    return workspace


def kind_of(args: Namespace) -> str | None:
    """Return the kind of graph that was asked for; None for any."""
    kind = args.kind or os.environ.get("YG_KIND") or None
    if kind not in (None, *(each.name for each in FORMATS)):
        names = ", ".join(each.name for each in FORMATS)
        raise UsageError(f"YG_KIND is '{kind}', which is no kind of graph", hint=f"Use {names}.")
    return kind


def uses_index(args: Namespace) -> bool:
    """Tell whether the local index may be used and written."""
    return not args.no_cache and os.environ.get("YG_NO_CACHE") != "1"
