"""`yg node`: add a node to a Spec Graph, change a field of one, remove or show one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.edit_specs import add_node, fields_in, remove_node, set_field
from yg.answers.node import node_in_full
from yg.cli.arguments import (
    add_action,
    add_dry_run,
    check_words,
    command_parser,
    workspace_of,
)
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError
from yg.specgraph.model import TYPES

if TYPE_CHECKING:
    from argparse import Namespace

    from yg.answers.answer import Answer
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome

FORMS = {
    "add": ("TYPE", "ID"),
    "set": ("ID", "FIELD", "VALUE"),
    "remove": ("ID",),
    "show": ("ID",),
}
TEXTS = ("title", "statement", "verification")
EPILOG = """\
yg node add TYPE ID --title TEXT --statement TEXT [--from FILE]
yg node set ID FIELD VALUE
yg node remove ID [--force]
yg node show ID
"""


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.epilog = EPILOG
    add_action(result, FORMS)
    result.add_argument("--title", metavar="TEXT", help="add: its title")
    result.add_argument(
        "--statement", metavar="TEXT", help="add: its statement, expectation or description"
    )
    result.add_argument("--verification", metavar="TEXT", help="add: how to verify it")
    result.add_argument(
        "--from", dest="source", metavar="FILE", help="add: a JSON object with further fields"
    )
    result.add_argument(
        "--force", action="store_true", help="remove: remove the links to it as well"
    )
    add_dry_run(result)
    return result


def run(call: Call) -> Outcome:
    """Add, change, remove or show a node."""
    args = call.args
    _check(args)
    return shown(call, _ANSWERS[args.action](args))


def _check(args: Namespace) -> None:
    """Raise UsageError unless the words and options suit the action."""
    check_words(args, "yg node", FORMS)
    given = [name for name in TEXTS if getattr(args, name) is not None]
    if args.action != "add" and (given or args.source is not None):
        raise UsageError(f"--{given[0] if given else 'from'} requires 'yg node add'")
    if args.action != "remove" and args.force:
        raise UsageError("--force requires 'yg node remove'")
    if args.action == "add" and args.words[0] not in TYPES:
        raise UsageError(f"unknown type '{args.words[0]}'", hint=f"Use one of: {', '.join(TYPES)}.")


def _add(args: Namespace) -> Answer:
    fields = fields_in(args.directory, args.source) if args.source else {}
    fields |= {name: text for name in TEXTS if (text := getattr(args, name)) is not None}
    type_name, node_id = args.words
    return add_node(lambda: workspace_of(args), type_name, node_id, fields, dry_run=args.dry_run)


def _set(args: Namespace) -> Answer:
    return set_field(lambda: workspace_of(args), *args.words, dry_run=args.dry_run)


def _remove(args: Namespace) -> Answer:
    return remove_node(
        lambda: workspace_of(args), *args.words, force=args.force, dry_run=args.dry_run
    )


def _show(args: Namespace) -> Answer:
    return node_in_full(workspace_of(args), *args.words)


_ANSWERS = {"add": _add, "set": _set, "remove": _remove, "show": _show}
