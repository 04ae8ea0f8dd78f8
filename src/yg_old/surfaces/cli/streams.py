"""Writing to the standard streams: always UTF-8, and a closed pipe is not an error.

All text for a terminal is written here. Control characters are escaped in notes, and in an answer
if stdout is a terminal. Colour codes start with a random mark that no graph can contain; the mark
is replaced by the terminal escape after everything else is escaped.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from typing import TextIO

ESCAPE = "\x1b["  # start of a terminal escape sequence


def answer(text: str, notes: str = "", code: int = 0, mark: str = "") -> int:
    """Write an answer to stdout and notes to stderr; return the exit code.

    `mark` is the start of colour codes in both texts.
    """
    _write_notes(_coloured(_escaped(notes), mark))
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    try:
        _write(sys.stdout, _coloured(_escaped(text) if is_terminal else text, mark))
    except OSError as error:
        _write_notes(f"error: cannot write to standard output: {error.strerror}\n")
        return 1
    return code


def check_open() -> None:
    """Raise an error if standard input or output is closed: a server needs both."""
    if sys.stdin is None or sys.stdout is None:
        from yg_old.kernel.errors import YgError

        raise YgError("standard input or output is closed")


def show_progress(line: str) -> None:
    """Replace the current line of the terminal; an empty line clears it."""
    _write_notes(f"\r{_escaped(line)}{ESCAPE}K")


def _write_notes(text: str) -> None:
    """Write notes to stderr; ignore errors, since the answer matters more."""
    try:
        _write(sys.stderr, text)
    except OSError:
        return


def _escaped(text: str) -> str:
    if not text:
        return text
    from yg_old.text.escapes import escape_controls

    return escape_controls(text)


def _coloured(text: str, mark: str) -> str:
    """Replace the marks of colour codes by terminal escapes."""
    return text.replace(mark, ESCAPE) if mark else text


def _write(stream: TextIO | None, text: str) -> None:
    """Write text; a closed pipe is not an error, a full disk is."""
    if not text:
        return
    if stream is None:
        raise OSError(None, "the stream is closed")
    try:
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except BrokenPipeError:
        _discard(stream)
    except OSError:
        _discard(stream)
        raise


def _discard(stream: TextIO) -> None:
    """Redirect the stream to the null device, so that the interpreter does not flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
