"""Writing to standard streams: UTF-8 whatever the locale, and readers may leave at any time.

This is the one place where text leaves for a terminal. An answer keeps its control characters only
in a file or a pipe; notes never keep them. Colours begin with a random mark that no graph can
contain; it becomes a command to the terminal when everything else has been escaped.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # as type checkers read it; `typing` itself takes time to import
if TYPE_CHECKING:
    from typing import TextIO

ESCAPE = "\x1b["  # begins a command to a terminal


def answer(text: str, notes: str = "", code: int = 0, mark: str = "") -> int:
    """Write an answer and the notes beside it; return the exit code.

    `mark` is what colours begin with in both texts.
    """
    _tell(_painted(_escaped(notes), mark))
    is_for_people = sys.stdout is not None and sys.stdout.isatty()
    try:
        _send(sys.stdout, _painted(_escaped(text) if is_for_people else text, mark))
    except OSError as error:
        _tell(f"error: cannot write the answer: {error.strerror}\n")
        return 1
    return code


def show_progress(line: str) -> None:
    """Write a line over the last one on a terminal; an empty one only removes that."""
    _tell(f"\r{_escaped(line)}{ESCAPE}K")


def _tell(text: str) -> None:
    """Write notes; where nobody can read them, the answer itself still counts."""
    try:
        _send(sys.stderr, text)
    except OSError:
        return


def _escaped(text: str) -> str:
    if not text:
        return text
    from yg.kernel.escapes import escape_controls

    return escape_controls(text)


def _painted(text: str, mark: str) -> str:
    """Put the commands for colours in the place of their marks."""
    return text.replace(mark, ESCAPE) if mark else text


def _send(stream: TextIO | None, text: str) -> None:
    """Write text as a whole; a reader who has left is no error, a full disk is."""
    if not text:
        return
    if stream is None:
        raise OSError(None, "the stream is closed")
    try:
        stream.buffer.write(text.encode("utf-8", "backslashreplace"))
        stream.flush()
    except BrokenPipeError:
        _forget(stream)
    except OSError:
        _forget(stream)
        raise


def _forget(stream: TextIO) -> None:
    """Send the rest nowhere, so that the interpreter does not try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
