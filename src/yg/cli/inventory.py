"""`yg inventory`: list the nodes for other repositories to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.inventory import inventory
from yg.cli.arguments import add_revision, command_parser, workspace_of
from yg.cli.outcome import shown
from yg.cli.output import add_output, written

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "--contracts",
        action="store_true",
        help="include the texts that dependents of each node see",
    )
    add_revision(result)
    add_output(result)
    return result


def run(call: Call) -> Outcome:
    """Write the inventory."""
    answer = inventory(workspace_of(call.args), contracts=call.args.contracts)
    return written(call, shown(call, answer))
