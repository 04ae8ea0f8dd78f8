"""`yg status`: the graph in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.status import status
from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing

if TYPE_CHECKING:
    from yg.cli.outcome import Call, Outcome
    from yg.cli.parser import Parser


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Tell how much the graph describes, and how well."""
    with hashing(call) as how:
        answer = status(workspace_of(call.args), hashing=how)
    return shown(call, answer)
