"""`yg find`: find nodes by words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.find import find
from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument("words", nargs="+", metavar="WORD", help="words or prefixes of words")
    add_revision(result)
    return result


def run(call: Call) -> Outcome:
    """Find nodes."""
    return shown(call, find(workspace_of(call.args), " ".join(call.args.words)))
