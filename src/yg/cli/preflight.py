"""`yg preflight`: run all checks before you start working."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.preflight import preflight
from yg.cli.arguments import add_tokenizer, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument("--quick", action="store_true", help="skip the drift check")
    add_tokenizer(result)
    return result


def run(call: Call) -> Outcome:
    """Report drift, files without an owner, statistics and all issues."""
    with hashing(call) as options:
        answer = preflight(workspace_of(call.args), quick=call.args.quick, hashing=options)
    return shown(call, answer)
