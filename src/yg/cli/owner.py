"""`yg owner`: show which node owns a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.owner import owner
from yg.cli.arguments import add_revision, command_parser, named_files, workspace_of
from yg.cli.outcome import shown
from yg.kernel.errors import UsageError

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "files", nargs="*", metavar="FILE", help="files, or - to read names from stdin"
    )
    result.add_argument("--file", action="append", default=[], metavar="FILE", help="same as FILE")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Show the owner of each file."""
    named = [*call.args.files, *call.args.file]
    if not named:
        raise UsageError("no file given", hint="Give files, or - to read names from stdin.")
    files = list(named_files(call, named))
    return shown(call, owner(workspace_of(call.args), files))
