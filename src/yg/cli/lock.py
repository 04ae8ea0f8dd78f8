"""`yg lock`: record the digest of every node of a Spec Graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.edit_specs import lock
from yg.cli.arguments import add_dry_run, command_parser, workspace_of
from yg.cli.outcome import shown

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    add_dry_run(result)
    return result


def run(call: Call) -> Outcome:
    """Write the lock file."""
    args = call.args
    return shown(call, lock(lambda: workspace_of(args), dry_run=args.dry_run))
