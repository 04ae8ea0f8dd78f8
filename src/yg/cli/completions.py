"""`yg completions`: print a shell completion script."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser
from yg.cli.outcome import Outcome
from yg.cli.shells import SHELLS
from yg.render.data import document

if TYPE_CHECKING:
    from yg.cli.outcome import Call
    from yg.cli.parser import Parser


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument("shell", choices=SHELLS, metavar="SHELL", help="your shell")
    return result


def run(call: Call) -> Outcome:
    """Print the completion script of a shell."""
    shell = call.args.shell
    script = files("yg.cli").joinpath(f"shell/yg.{shell}").read_text(encoding="utf-8")
    if call.wants_json:
        return Outcome(document("completions", {"shell": shell, "script": script}))
    return Outcome(script)
