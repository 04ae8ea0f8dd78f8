"""`yg export`: convert the graph for other programs."""

from __future__ import annotations

import os
from argparse import BooleanOptionalAction
from typing import TYPE_CHECKING

from yg.answers.export import EDGES, FORMS, export
from yg.cli.arguments import (
    add_node,
    add_revision,
    add_tokenizer,
    chosen_node,
    command_parser,
    count,
    workspace_of,
)
from yg.cli.outcome import Outcome, shown
from yg.cli.progress import hashing
from yg.kernel.errors import UsageError, YgError

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.workspace import OpenWorkspace

PICTURES = ("mermaid", "dot")
HTML = "html"


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, (*FORMS, HTML))
    add_node(result, "export only the neighbourhood of this node")
    result.add_argument(
        "--depth", type=count, metavar="N", help="maximum distance from the node (default 1)"
    )
    result.add_argument(
        "--table", choices=("nodes", "edges"), help="table to write as csv (default nodes)"
    )
    result.add_argument(
        "--repository",
        metavar="NAME",
        help="prefix of ids (default: the name of the graph)",
    )
    result.add_argument(
        "--drift",
        action=BooleanOptionalAction,
        help="include drift (default: yes, except in diagrams)",
    )
    result.add_argument(
        "--code",
        action="store_true",
        help="mark relations that imports back, and add imports without a relation",
    )
    add_revision(result)
    add_tokenizer(result)
    result.add_argument(
        "--diff", metavar="REV", help="html: show also what differs from this revision"
    )
    result.add_argument("-o", "--output", metavar="FILE", help="write to this file")
    return result


def run(call: Call) -> Outcome:
    """Export the graph, or the neighbourhood of one node."""
    args = call.args
    _check_usage(args)
    workspace = workspace_of(args)
    if args.format == HTML:
        return _written(call, _page(call, workspace))
    with hashing(call) as options:
        answer = export(
            workspace,
            node=chosen_node(args),
            depth=1 if args.depth is None else args.depth,
            repository=args.repository or "",
            drift=_wants_drift(args),
            code=args.code,
            hashing=options,
        )
    return _written(call, shown(call, answer, EDGES if args.table == "edges" else ""))


def _page(call: Call, workspace: OpenWorkspace) -> Outcome:
    from yg.answers.explore import explore
    from yg.explorer.page import page_text

    with hashing(call) as options:
        document = explore(workspace, since=call.args.diff, hashing=options)
    return Outcome(page_text(document))


def _written(call: Call, outcome: Outcome) -> Outcome:
    """Write the result to the file that the user named, if any."""
    output = call.args.output
    if output is None:
        return outcome
    place = os.path.join(call.args.directory, output)
    try:
        with open(place, "wb") as file:
            file.write(outcome.text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise YgError(f"cannot write '{output}': {error.strerror}") from error
    return Outcome("", outcome.code, outcome.notes)


def _check_usage(args: Namespace) -> None:
    if args.depth is not None and chosen_node(args) is None:
        raise UsageError("--depth requires a node", hint="Add --node NODE.")
    if args.table is not None and args.format != "csv":
        raise UsageError("--table requires --format csv")
    if args.drift and args.at is not None:
        raise UsageError("--drift reads the work tree and cannot be combined with --at")
    if args.format == HTML and (chosen_node(args) or args.code or args.repository):
        raise UsageError("--format html shows the whole graph; leave out --node and other filters")
    if args.diff is not None and args.format != HTML:
        raise UsageError("--diff requires --format html")
    if args.repository == "":
        raise UsageError("empty repository name")


def _wants_drift(args: Namespace) -> bool | None:
    """Return whether to include drift; None if the kind of graph decides."""
    if args.drift is not None:
        return bool(args.drift)
    return False if args.format in PICTURES or args.table == "edges" else None
