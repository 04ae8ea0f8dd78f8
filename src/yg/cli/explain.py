"""`yg explain`: print the manual page of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.explain import explain
from yg.cli.arguments import command_parser, kind_of, workspace_of
from yg.cli.outcome import shown
from yg.formats import YGGDRASIL

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call, Outcome


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ("text", "json", "markdown"))
    result.add_argument(
        "code", nargs="?", metavar="CODE", help="code of a rule; without it, list all rules"
    )
    return result


def run(call: Call) -> Outcome:
    """Explain one rule, or list them all, with the levels of the graph here, if there is one."""
    args = call.args
    kind = kind_of(args) or YGGDRASIL.name  # the only kind whose configuration sets levels
    return shown(call, explain(args.code, lambda: workspace_of(args, kind)))
