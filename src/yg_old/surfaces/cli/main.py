"""Run one command, write its output and handle its errors."""

from __future__ import annotations

import os
import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TextIO

from yg_old.commands.command import JSON, Server, warnings
from yg_old.commands.table import BY_NAME, REPEATABLE, SPEC_TOPIC, overview, spec_overview
from yg_old.disk.git import timeouts
from yg_old.kernel.errors import UsageError, YgError
from yg_old.kernel.palette import Palette, visible
from yg_old.surfaces.cli import streams
from yg_old.surfaces.cli.outcome import HelpAsked, Outcome, Terminal
from yg_old.version import GRAPH_FORMAT, __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from yg_old.commands.command import Command, Run
    from yg_old.commands.request import Request
    from yg_old.commands.table import Entry
    from yg_old.workspace.opened import OpenWorkspace

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
        _input_bytes,
    )
    outcome = answer(argv, terminal)
    return streams.answer(outcome.text, outcome.notes, outcome.code, mark)


def answer(argv: Sequence[str], terminal: Terminal) -> Outcome:
    """Run a command; errors become part of the outcome."""
    timeouts.forget()
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
    from yg_old.commands.issues import error_data, error_text
    from yg_old.kernel.document import document_text

    if _wants_json(argv):
        return Outcome("", error.exit_code, document_text(error_data(error)))
    return Outcome("", error.exit_code, error_text(error, terminal.err))


def _run(argv: list[str], terminal: Terminal) -> Outcome:
    name, rest = _split(argv)
    match name:
        case "":
            return Outcome("", UsageError.exit_code, overview(in_specs=_has_spec_graph()))
        case "--help":
            return Outcome(overview(in_specs=_has_spec_graph()))
        case "--version":
            return Outcome(f"yg {__version__} (graph format {GRAPH_FORMAT})\n")
    command = BY_NAME.get(name)
    if command is None and (name, rest) == (SPEC_TOPIC, ["--help"]):
        return Outcome(spec_overview())
    if command is None:
        raise _unknown_command(name)
    return _run_command(command, rest, argv, terminal)


def _run_command(
    entry: Entry, words: Sequence[str], argv: Sequence[str], terminal: Terminal
) -> Outcome:
    """Run a command; save the index of the graphs that it opened, even if it fails."""
    from yg_old.surfaces.cli.progress import Progress
    from yg_old.surfaces.cli.requests import parsed, place_of, request_of, run_of

    command, args = parsed(entry, words)
    request = request_of(command, args, terminal)
    if isinstance(command, Server):
        return Outcome("", command.serve(place_of(args), request))
    progress = Progress(terminal.show_progress, "Hashing files:")
    runs: list[Run] = []

    def ask() -> Outcome:
        runs.append(run_of(args, request, terminal, progress))
        try:
            return _answered(command, runs[-1], request, args.format, terminal)
        except YgError as error:
            if args.format == JSON:
                raise  # its document must be all of stderr
            return _error_outcome(error, argv, terminal)
        finally:
            progress.finish()

    notes: tuple[str, ...] = ()
    try:
        outcome = _repeated(ask, runs) if entry.name in REPEATABLE else ask()
        for workspace in _opened(runs):
            notes = tuple(workspace.graph_notes)
    finally:
        for workspace in _opened(runs):
            workspace.save()
            workspace.close()
    for workspace in _opened(runs):
        notes += workspace.notes
    return _with_notes(outcome, notes, terminal)


def _opened(runs: Sequence[Run]) -> list[OpenWorkspace]:
    """Return the graph that was opened last, if any."""
    return runs[-1].opened[-1:] if runs else []


def _repeated(ask: Callable[[], Outcome], runs: Sequence[Run]) -> Outcome:
    """Run a command that reads a graph, again if the graph is written to meanwhile."""
    from yg_old.commands.one_state import of_one_state

    return of_one_state(ask, lambda: _opened(runs))


def _answered(
    command: Command[Any, Any],
    run: Run,
    request: Request[Any],
    wanted: str | None,
    terminal: Terminal,
) -> Outcome:
    """Ask a command and write its answer in the form that is wanted."""
    document = command.ask(run, request)
    form = wanted or document.form
    form = form if form == JSON else request.form or form
    notes = command.beside(document, form, terminal.err)
    output: str | None = getattr(request, "output", None)
    if output is None:
        text = command.written(document, form, terminal.out)
        return Outcome(text, document.exit_code, notes)
    from yg_old.surfaces.cli.output import write_output

    write_output(run.directory, output, command.content(document, form))
    return Outcome("", document.exit_code, notes)


def _with_notes(outcome: Outcome, notes: Sequence[str], terminal: Terminal) -> Outcome:
    """Add notes as warnings."""
    if not notes:
        return outcome
    return Outcome(outcome.text, outcome.code, warnings(notes, terminal.err) + outcome.notes)


def _has_spec_graph() -> bool:
    """Tell whether the graph of the current directory is a Spec Graph."""
    from yg_old.workspace.opening import open_workspace

    try:
        return open_workspace(".", uses_index=False).format.is_specgraph
    except YgError:
        return False  # no graph yet, or several


def _unknown_command(name: str) -> UsageError:
    from yg_old.text.suggest import did_you_mean, nearest

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


def _input_bytes(most: int) -> bytes:
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    return sys.stdin.buffer.read(most)


def _standard_input() -> Iterator[str]:
    if sys.stdin is None:
        raise UsageError("standard input is closed")
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
        if text:
            yield text
