"""Temporary files, named after their process, and removal of abandoned ones.

A file is written under a temporary name beside its target and then renamed. Before writing to a
folder, a process removes the temporary files there whose process no longer runs.
"""

from __future__ import annotations

import os
import re
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Iterable

PREFIX = ".yg-tmp-"
A_DAY = 24 * 60 * 60  # seconds; no run takes that long
_NAME = re.compile(re.escape(PREFIX) + r"(?:([0-9a-f]{8})-)?([1-9][0-9]{0,9})-[0-9a-f]{1,8}")


def temporary_path(folder: str) -> str:
    """Return the path of a new temporary file of this process in a folder."""
    return os.path.join(folder, f"{PREFIX}{_host()}-{os.getpid()}-{os.urandom(4).hex()}")


def clear_abandoned(folder: str) -> bool:
    """Remove the abandoned temporary files in a folder; return whether there were any.

    Only regular files of the current user are removed. It is unknown whether a process of another
    machine or container still runs, so its files are kept for a day.
    """
    try:
        names = os.listdir(folder)
    except OSError:
        return False  # a write to this folder reports the reason
    return _clear_names(folder, names)


def clear_abandoned_below(folder: str) -> None:
    """Do the same in a folder and all folders below it; remove those that become empty.

    Links are not followed.
    """
    for below, _, names in os.walk(folder, topdown=False):
        if _clear_names(below, names) and below != folder:
            with suppress(OSError):  # not empty
                os.rmdir(below)


def _clear_names(folder: str, names: Iterable[str]) -> bool:
    made = (_NAME.fullmatch(name) for name in names if name.startswith(PREFIX))
    removed = [_clear(folder, match) for match in made if match is not None]
    return any(removed)


def _clear(folder: str, made: re.Match[str]) -> bool:
    """Remove a temporary file if it is abandoned; return whether it was removed."""
    path = os.path.join(folder, made[0])
    try:
        status = os.lstat(path)
        is_ours = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
        age = time.time() - status.st_mtime
        if not is_ours or not _is_abandoned(made[1] or _host(), int(made[2]), age):
            return False
        os.unlink(path)
    except OSError:
        return False  # another process was faster, or the folder cannot be written
    return True


def _is_abandoned(host: str, process: int, age: float) -> bool:
    if host == _host() and process != os.getpid():
        return not _is_alive(process)
    return age > A_DAY  # our own pid may be in use by a thread, or come from an earlier process


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True  # it belongs to another user
    return True


def _host() -> str:
    """Return a short id of the machine or container that the pid belongs to."""
    return f"{crc32(os.uname().nodename.encode()):08x}"
