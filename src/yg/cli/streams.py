"""Writing to standard streams: UTF-8 whatever the locale, and readers may leave at any time."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as type checkers read it; `typing` itself takes time to import
if TYPE_CHECKING:
    from typing import TextIO


def write(stream: TextIO | None, text: str) -> None:
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


def answer(stdout: TextIO | None, stderr: TextIO | None, text: str, notes: str, code: int) -> int:
    """Write an answer and the notes beside it; return the exit code."""
    tell(stderr, notes)
    try:
        write(stdout, text)
    except OSError as error:
        tell(stderr, f"error: cannot write the answer: {error.strerror}\n")
        return 1
    return code


def tell(stderr: TextIO | None, notes: str) -> None:
    """Write notes; where nobody can hear them, the answer itself still counts."""
    try:
        write(stderr, notes)
    except OSError:
        return
