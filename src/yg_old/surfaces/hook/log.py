"""The log of hooks: problems, which no harness would show."""

from __future__ import annotations

import os
import time

from yg_old.disk.index.private import read_private, user_folder, write_private

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Callable

NAME = "hook.log"
MOST = 64_000  # bytes
KEPT = MOST // 2  # after it has become too long
LONGEST = 300  # characters of a message, and of a directory
_OPENED = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)


def note(directory: str, message: str, clock: Callable[[], float]) -> None:
    """Add a line about a directory to the log, if there is a place outside its work tree."""
    folder = user_folder(directory)
    if not folder:
        return
    when = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(clock()))
    line = f"{message[:LONGEST]} (in {directory[-LONGEST:]})"
    shown = "".join(letter if letter.isprintable() else " " for letter in line)
    path = os.path.join(folder, NAME)
    try:
        if os.path.lexists(path) and os.lstat(path).st_size > MOST:
            write_private(path, (read_private(path, 2 * MOST) or b"")[-KEPT:].partition(b"\n")[2])
        handle = os.open(path, _OPENED, 0o600)
        try:
            os.write(handle, f"{when} {shown}\n".encode("utf-8", "backslashreplace"))
        finally:
            os.close(handle)
    except OSError:
        return  # there is nobody to tell


def read(directory: str) -> str:
    """Return the log; empty if there is none."""
    folder = user_folder(directory)
    content = read_private(os.path.join(folder, NAME), 2 * MOST) if folder else None
    return (content or b"").decode("utf-8", "replace")
