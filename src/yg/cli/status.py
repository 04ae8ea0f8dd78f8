"""`yg status`: show statistics about the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.status import status
from yg.cli.arguments import add_revision, add_tokenizer, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_revision(result)
    add_tokenizer(result)
    return result


def run(call: Call) -> Outcome:
    """Count nodes, relations, issues and drift."""
    with hashing(call) as options:
        answer = status(workspace_of(call.args), hashing=options)
    return shown(call, answer)
