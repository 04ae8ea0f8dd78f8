"""Run one command, write its output and handle its errors."""

from __future__ import annotations

import os
import sys
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TextIO

from yg.cli import streams
from yg.cli.commands import BY_NAME, REPEATABLE, overview
from yg.cli.outcome import Call, HelpAsked, Outcome, Terminal
from yg.kernel.errors import UsageError, YgError
from yg.render.plain import Palette, visible
from yg.version import GRAPH_FORMAT, __version__

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator, Sequence

BUG = 70
_OPTIONS_WITH_VALUE = ("-C", "--format", "--kind", "--at")
INTERRUPTED = 130


def main(argv: Sequence[str]) -> int:
    """Run the command line and return the exit code."""
    mark = os.urandom(16).hex()  # no text of a graph can contain it
    terminal = Terminal(
        _standard_input,
        _progress(sys.stderr),
        _palette(sys.stdout, mark),
        _palette(sys.stderr, mark),
    )
    outcome = answer(argv, terminal)
    return streams.answer(outcome.text, outcome.notes, outcome.code, mark)


def answer(argv: Sequence[str], terminal: Terminal) -> Outcome:
    """Run a command; errors become part of the outcome."""
    try:
        return _run(list(argv), terminal)
    except HelpAsked as asked:
        return Outcome(asked.text)
    except YgError as error:
        return _error_outcome(error, argv, terminal)
    except KeyboardInterrupt:
        return Outcome("", INTERRUPTED, "interrupted\n")
    except Exception as error:  # noqa: BLE001
        return Outcome("", BUG, _bug_report(error))


def _error_outcome(error: YgError, argv: Sequence[str], terminal: Terminal) -> Outcome:
    """Report an error in the requested format."""
    from yg.render.data import document_text
    from yg.render.issues import error_data, error_text

    if _wants_json(argv):
        return Outcome("", error.exit_code, document_text(error_data(error)))
    return Outcome("", error.exit_code, error_text(error, terminal.err))


def _run(argv: list[str], terminal: Terminal) -> Outcome:
    name, rest = _split(argv)
    match name:
        case "":
            return Outcome("", UsageError.exit_code, overview())
        case "--help":
            return Outcome(overview())
        case "--version":
            return Outcome(f"yg {__version__} (graph format {GRAPH_FORMAT})\n")
    command = BY_NAME.get(name)
    if command is None:
        raise _unknown_command(name)
    module = command.load()
    args = module.parser(command.name, command.summary).parse(rest)
    notes: tuple[str, ...] = ()
    try:
        ask = partial(_outcome, module, args, argv, terminal)
        outcome = _of_one_state(ask, args) if command.name in REPEATABLE else ask()
        if (opened := getattr(args, "workspace", None)) is not None:
            notes = tuple(opened.graph_notes)
    finally:
        workspace = getattr(args, "workspace", None)
        if workspace is not None:
            workspace.save()
            workspace.close()
    if workspace is not None:
        notes += workspace.notes
    return _with_notes(outcome, notes, terminal)


def _of_one_state(ask: Callable[[], Outcome], args: Namespace) -> Outcome:
    """Run a command that reads a graph, again if the graph is written to meanwhile."""
    from yg.answers.one_state import of_one_state

    return of_one_state(ask, lambda: filter(None, [getattr(args, "workspace", None)]))


def _outcome(module: Any, args: Namespace, argv: Sequence[str], terminal: Terminal) -> Outcome:
    """Run the module of a command; an error is an outcome, too, and gets the notes."""
    try:
        outcome: Outcome = module.run(Call(args, terminal))
    except YgError as error:
        if _wants_json(argv):
            raise  # its document must be all of stderr
        return _error_outcome(error, argv, terminal)
    return outcome


def _with_notes(outcome: Outcome, notes: Sequence[str], terminal: Terminal) -> Outcome:
    """Add notes as warnings."""
    if not notes:
        return outcome
    from yg.answers.answer import warnings

    return Outcome(outcome.text, outcome.code, warnings(notes)(terminal.err) + outcome.notes)


def _unknown_command(name: str) -> UsageError:
    from yg.kernel.suggest import did_you_mean, nearest

    hint = did_you_mean(nearest(name, BY_NAME)) or "'yg --help' lists the commands."
    return UsageError(f"unknown command '{name}'", hint=hint)


def _split(argv: list[str]) -> tuple[str, list[str]]:
    """Split the command from its arguments; common options may precede the command."""
    before: list[str] = []
    rest = iter(argv)
    for word in rest:
        if word in ("-h", "--help", "help"):
            topic = next((name for name in rest if not name.startswith("-")), "")
            return (topic, ["--help"]) if topic else ("--help", [])
        if word in ("-V", "--version"):
            return "--version", []
        if not word.startswith("-"):
            return word, [*before, *rest]
        before.append(word)
        if word in _OPTIONS_WITH_VALUE:
            before.append(next(rest, ""))
    if before:
        raise UsageError("no command given", hint="'yg --help' lists the commands.")
    return "", []


def _wants_json(argv: Sequence[str]) -> bool:
    has_option = ("--format", "json") in pairwise(argv)
    return has_option or "--json" in argv or "--format=json" in argv


def _bug_report(error: Exception) -> str:
    if os.environ.get("YG_DEBUG") == "1":
        import traceback

        return "".join(traceback.format_exception(error))
    summary = visible(f"{type(error).__name__}: {error}".split("\n", 1)[0])
    return f"yg has a bug: {summary}. Run again with YG_DEBUG=1 and report the traceback.\n"


def _palette(stream: TextIO | None, mark: str) -> Palette:
    return Palette(_has_colour(stream), mark)


def _has_colour(stream: TextIO | None) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    is_terminal = stream is not None and stream.isatty()
    return is_terminal and os.environ.get("TERM") != "dumb"


def _progress(stream: TextIO | None) -> Callable[[str], None] | None:
    return streams.show_progress if stream is not None and stream.isatty() else None


def _standard_input() -> Iterator[str]:
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
        if text:
            yield text
