"""`yg export`: convert the graph for other programs."""

from __future__ import annotations

from argparse import BooleanOptionalAction
from typing import TYPE_CHECKING

from yg.answers.export import FORMS, export, form_of_table
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
from yg.cli.output import add_output, write_output, written
from yg.cli.progress import hashing
from yg.kernel.errors import UsageError
from yg.render.export_tables import EDGES, NODES, TABLES, TEXTS

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.answers.answer import Answer
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.workspace import OpenWorkspace

PICTURES = ("mermaid", "dot")
HTML, SQL, PARQUET = "html", "sql", "parquet"
TABULAR = ("csv", PARQUET)


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, (*FORMS, HTML))
    add_node(result, "export only the neighbourhood of this node")
    result.add_argument(
        "--depth", type=count, metavar="N", help="maximum distance from the node (default 1)"
    )
    result.add_argument(
        "--table", choices=TABLES, help="table to write as csv or parquet (default nodes)"
    )
    result.add_argument("--texts", action="store_true", help="sql: include the texts of nodes")
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
    add_output(result)
    return result


def run(call: Call) -> Outcome:
    """Export the graph, or the neighbourhood of one node."""
    args = call.args
    _check_usage(args)
    workspace = workspace_of(args)
    if args.format == HTML:
        return written(call, _page(call, workspace))
    with hashing(call) as options:
        answer = export(
            workspace,
            node=chosen_node(args),
            depth=1 if args.depth is None else args.depth,
            repository=args.repository or "",
            drift=_wants_drift(args),
            code=args.code,
            texts=args.texts or args.table == TEXTS,
            hashing=options,
        )
    return _shown(call, answer)


def _page(call: Call, workspace: OpenWorkspace) -> Outcome:
    from yg.answers.explore import explore
    from yg.explorer.page import page_text

    with hashing(call) as options:
        document = explore(workspace, since=call.args.diff, hashing=options)
    return Outcome(page_text(document))


def _shown(call: Call, answer: Answer) -> Outcome:
    """Render the answer, or the table of it that is wanted."""
    args = call.args
    if args.format not in TABULAR:
        return written(call, shown(call, answer))
    form = form_of_table(args.format, args.table or NODES)
    if args.format != PARQUET:
        return written(call, shown(call, answer, form))
    write_output(call, answer.files[form]())
    return Outcome("", answer.code, answer.beside(form, call.terminal.err))


def _check_usage(args: Namespace) -> None:
    if args.depth is not None and chosen_node(args) is None:
        raise UsageError("--depth requires a node", hint="Add --node NODE.")
    if args.table is not None and args.format not in TABULAR:
        raise UsageError("--table requires --format csv or parquet")
    if args.texts and args.format != SQL:
        raise UsageError("--texts requires --format sql", hint="Otherwise choose --table texts.")
    if args.format == PARQUET and args.output is None:
        raise UsageError("--format parquet requires a file", hint="Add -o FILE.")
    if args.format == SQL and chosen_node(args) is not None:
        raise UsageError("--format sql replaces the whole graph; leave out the node")
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
    return False if args.format in PICTURES or args.table in (EDGES, TEXTS) else None
