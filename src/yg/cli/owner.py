"""`yg owner`: which node a file belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.skipped import with_skipped
from yg.kernel.errors import UsageError
from yg.render.owner import Answer, owners_data, owners_text
from yg.yggdrasil.owner import Ownership

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome
    from yg.workspace import Workspace


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
    files = list(_named(call))
    workspace = workspace_of(call.args)
    ownership = Ownership(workspace.graph)
    answers = [_answer(workspace, ownership, file) for file in files]
    return with_skipped(
        call,
        workspace.graph.nodes,
        text=lambda: owners_text(answers),
        data=lambda: ("owner", {"files": owners_data(answers)}),
    )


def _named(call: Call) -> Iterator[str]:
    named = [*call.args.files, *call.args.file]
    if not named:
        raise UsageError("no file named", hint="Give files, or - to read them from stdin.")
    for file in named:
        if file == "-":
            yield from call.terminal.read_lines()
        elif file:
            yield file
        else:
            raise UsageError("the name of a file is empty")


def _answer(workspace: Workspace, ownership: Ownership, file: str) -> Answer:
    path = workspace.relative(file)
    if path is None:
        return Answer(file=file, is_inside=False, exists=workspace.exists(file))
    return Answer(file=path, exists=workspace.exists(file), owner=ownership.of(path))
