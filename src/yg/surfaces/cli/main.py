"""Run one command, write its output and handle its errors."""

from __future__ import annotations

import os
import sys
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from yg.commands.command import JSON, ErrorDocument, json_text
from yg.commands.table import BY_NAME, COMMANDS, Entry, overview
from yg.kernel.errors import UsageError, YgError
from yg.kernel.palette import PLAIN, Palette
from yg.kernel.report import error_text, notes_text
from yg.surfaces.cli import old, output
from yg.text.escapes import visible
from yg.version import GRAPH_FORMAT, __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg.commands.command import Command
    from yg.surfaces.cli.arguments import Arguments

EVERY = (*COMMANDS, *(Entry(name, *words) for name, words in old.MOVING.items()))
BUG = 70
INTERRUPTED = 130
HINT = "'yg --help' lists the commands."
_OPTIONS_WITH_VALUE = ("-C", "--format", "--kind", "--at")


class Outcome(Struct, frozen=True):
    """The result of a run: text for stdout, notes for stderr, an exit code."""

    text: str
    notes: str = ""
    code: int = 0


def main(argv: Sequence[str]) -> int:
    """Run the command line and return the exit code."""
    mark = os.urandom(16).hex()  # no text of a graph can contain it
    palettes = (Palette(output.has_colour(stream), mark) for stream in (sys.stdout, sys.stderr))
    outcome = answer(argv, *palettes)
    return output.write(outcome.text, outcome.notes, outcome.code, mark)


def answer(argv: Sequence[str], out: Palette = PLAIN, err: Palette = PLAIN) -> Outcome:
    """Run a command; errors become part of the outcome."""
    try:
        return _run(argv, out, err)
    except YgError as error:
        return Outcome("", _error_text(error, argv, err), error.exit_code)
    except KeyboardInterrupt:
        return Outcome("", "interrupted\n", INTERRUPTED)
    except Exception as error:  # noqa: BLE001
        return Outcome("", _bug_report(error), BUG)


def _run(argv: Sequence[str], out: Palette, err: Palette) -> Outcome:
    name, words = split(argv)
    if not name:
        return Outcome("", overview(EVERY), UsageError.exit_code)
    if name in ("-h", "--help"):
        return Outcome(overview(EVERY))
    if name in ("-V", "--version"):
        return Outcome(f"yg {__version__} (graph format {GRAPH_FORMAT})\n")
    if name not in BY_NAME:
        raise _unknown_command(name)
    from yg.surfaces.cli.arguments import HELP, help_text, parse

    command = BY_NAME[name].load()
    if HELP.intersection(takewhile(lambda word: word != "--", words)):
        return Outcome(help_text(command, BY_NAME[name].summary))
    return _answer(command, parse(command, words, output.input_lines), out, err)


def _answer(
    command: Command[Any, Any], arguments: Arguments, out: Palette, err: Palette
) -> Outcome:
    """Ask a command in its workspace, which is closed also if it fails."""
    from yg.commands.workspace import Workspace

    progress = output.Progress()
    workspace = Workspace(
        arguments.directory,
        kind=arguments.kind,
        at=getattr(arguments.request, "at", None),
        uses_cache=arguments.uses_cache,
        on_read=progress.step,
    )
    try:
        document = command.ask(workspace, arguments.request)
        text, code = command.write(document, arguments.form, out), document.exit_code
        notes = "" if arguments.form == JSON else notes_text(document.notes, err)
    except YgError as error:
        if arguments.form == JSON:
            raise  # its document must be all of stderr
        text, notes, code = "", error_text(error, err), error.exit_code
    finally:
        progress.end()
        workspace.close()
    warnings = notes_text((f"warning: {note}" for note in workspace.notes), err)
    return Outcome(text, warnings + notes, code)


def split(argv: Sequence[str]) -> tuple[str, list[str]]:
    """Split the command from its arguments; common options may precede the command.

    The command is empty if there are no words at all; it may be `--help` or `--version`.
    """
    before: list[str] = []
    rest = iter(argv)
    for word in rest:
        if word in ("-h", "--help", "-V", "--version") or not word.startswith("-"):
            return word, [*before, *rest]
        before.append(word)
        if word in _OPTIONS_WITH_VALUE:
            before.append(next(rest, ""))
    if before:
        raise UsageError("no command given", hint=HINT)
    return "", []


def _unknown_command(name: str) -> UsageError:
    from yg.text.suggest import did_you_mean, nearest

    names = [entry.name for entry in EVERY]
    return UsageError(f"unknown command '{name}'", hint=did_you_mean(nearest(name, names)) or HINT)


def _error_text(error: YgError, argv: Sequence[str], palette: Palette) -> str:
    """Write an error in the format that the command line asks for."""
    is_json = "--json" in argv or "--format=json" in argv or ("--format", JSON) in pairwise(argv)
    if not is_json:
        return error_text(error, palette)
    return json_text(ErrorDocument.of(error))


def _bug_report(error: Exception) -> str:
    if os.environ.get("YG_DEBUG") == "1":
        import traceback

        return "".join(traceback.format_exception(error))
    summary = visible(f"{type(error).__name__}: {error}".split("\n", 1)[0])
    return f"yg has a bug: {summary}. Run again with YG_DEBUG=1 and report the traceback.\n"
