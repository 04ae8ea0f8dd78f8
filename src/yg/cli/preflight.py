"""`yg preflight`: one look before work begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.preflight import preflight
from yg.cli.arguments import command_parser, workspace_of
from yg.cli.outcome import shown
from yg.cli.progress import hashing

if TYPE_CHECKING:
    from yg.cli.outcome import Call, Outcome
    from yg.cli.parser import Parser


def parser(name: str, summary: str) -> Parser:
    """Describe the arguments."""
    result = command_parser(name, summary)
    result.add_argument("--quick", action="store_true", help="do not look for drift")
    return result


def run(call: Call) -> Outcome:
    """Tell whether the graph can be worked with: drift, numbers, and every error."""
    with hashing(call) as how:
        answer = preflight(workspace_of(call.args), quick=call.args.quick, hashing=how)
    return shown(call, answer)
