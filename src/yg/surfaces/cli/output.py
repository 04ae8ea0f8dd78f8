"""Standard streams: always UTF-8, no control characters for terminals, closed pipes are no errors.

All text for a terminal is written here. Control characters are escaped in notes, and in an answer
if stdout is a terminal. Colour codes start with a random mark that no graph can contain; the mark
is replaced by the terminal escape after everything else is escaped.
"""

from __future__ import annotations

import os
import sys
import time

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import TextIO

PATIENCE, INTERVAL = 1.0, 0.2  # seconds before the first progress, and between two
ESCAPE = "\x1b["  # start of a terminal escape sequence


def write(text: str, notes: str = "", code: int = 0, mark: str = "") -> int:
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


class Progress:
    """A line on a terminal that counts the files that are read, once that takes a while."""

    def __init__(self) -> None:
        self._is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._count = 0
        self._next = time.monotonic() + PATIENCE
        self._has_line = False

    def step(self) -> None:
        """Count a file."""
        self._count += 1
        if self._is_shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + INTERVAL
            self._has_line = True
            _write_notes(f"\r{self._count} files read ..")

    def end(self) -> None:
        """Remove the line."""
        if self._has_line:
            _write_notes(f"\r{ESCAPE}K")
        self._has_line = False


def has_colour(stream: TextIO | None) -> bool:
    """Return whether to colour the text on a stream: on terminals, unless the user says more."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    is_terminal = stream is not None and stream.isatty()
    return is_terminal and os.environ.get("TERM") != "dumb"


def input_lines() -> Iterator[str]:
    """Yield the lines of standard input that are not empty; bytes may become surrogates."""
    if sys.stdin is None:
        from yg.kernel.errors import UsageError

        raise UsageError("standard input is closed")
    for line in sys.stdin.buffer:
        text = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
        if text:
            yield text


def _write_notes(text: str) -> None:
    """Write notes to stderr; ignore errors, since the answer matters more."""
    try:
        _write(sys.stderr, text)
    except OSError:
        return


def _escaped(text: str) -> str:
    if text.isascii() and text.isprintable():
        return text
    from yg.text.escapes import escape_controls

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
