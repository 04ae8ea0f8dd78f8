"""`yg import`: take in inventories of other repositories, update and list them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.imports import add_import, list_imports, update_imports
from yg.cli.arguments import (
    add_action,
    add_dry_run,
    check_words,
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

FORMS = {"add": ("NAME", "PATH"), "update": ("[NAME]",), "list": ()}
EPILOG = """\
yg import add NAME PATH [--no-contracts]
yg import update [NAME]
yg import list

To remove an import, delete its file: .yggdrasil/imports/NAME.jsonl
"""


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.epilog = EPILOG
    add_action(result, FORMS)
    result.add_argument(
        "--no-contracts",
        action="store_true",
        help="add: leave out the texts of the other repository, now and in updates",
    )
    add_dry_run(result)
    return result


def run(call: Call) -> Outcome:
    """Add, update or list imports."""
    args = call.args
    _check(args)
    return shown(call, _ANSWERS[args.action](args))


def _check(args: Namespace) -> None:
    """Raise UsageError unless the words and options suit the action."""
    check_words(args, "yg import", FORMS)
    if args.no_contracts and args.action != "add":
        raise UsageError("--no-contracts requires 'yg import add'")
    if args.dry_run and args.action == "list":
        raise UsageError("--dry-run requires 'yg import add' or 'yg import update'")


def _add(args: Namespace) -> Answer:
    return add_import(
        lambda: workspace_of(args),
        *args.words,
        contracts=not args.no_contracts,
        dry_run=args.dry_run,
    )


def _update(args: Namespace) -> Answer:
    name = args.words[0] if args.words else None
    return update_imports(lambda: workspace_of(args), name, dry_run=args.dry_run)


def _list(args: Namespace) -> Answer:
    return list_imports(workspace_of(args))


_ANSWERS = {"add": _add, "update": _update, "list": _list}
