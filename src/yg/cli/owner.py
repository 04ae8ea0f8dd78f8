"""`yg owner`: which node a file belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.owner import owner
from yg.cli.arguments import add_revision, command_parser, named_files, workspace_of
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.cli.outcome import Call, Outcome
    from yg.cli.parser import Parser


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument("files", nargs="*", metavar="FILE", help="files, or - to read them")
    result.add_argument(
        "--file", action="append", default=[], metavar="FILE", help="the same, as an option"
    )
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Tell the owner of each file."""
    named = [*call.args.files, *call.args.file]
    if not named:
        raise UsageError("no file named", hint="Give files, or - to read them from stdin.")
    files = list(named_files(call, named))
    return shown(call, owner(workspace_of(call.args), files))
