"""Temporary files: names that tell which process made them, and removing what killed ones left.

A new file is written under a temporary name beside its target and then renamed. Whoever writes into
a folder first removes the temporary files there whose process is gone.
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
    """Remove the temporary files in a folder whose process is gone; tell whether there were any.

    Only regular files of the present user are removed. Whether a process of another machine or
    container still runs cannot be told, so its files stay for a day.
    """
    try:
        names = os.listdir(folder)
    except OSError:
        return False  # a write into this folder tells why that is not possible
    return _clear_names(folder, names)


def clear_abandoned_below(folder: str) -> None:
    """Do the same in a folder and all below it, and remove those that become empty by it.

    Links are not followed.
    """
    for below, _, names in os.walk(folder, topdown=False):
        if _clear_names(below, names) and below != folder:
            with suppress(OSError):  # not empty
                os.rmdir(below)


def _clear_names(folder: str, names: Iterable[str]) -> bool:
    made = (_NAME.fullmatch(name) for name in names if name.startswith(PREFIX))
    removed = [_clear(folder, each) for each in made if each is not None]
    return any(removed)


def _clear(folder: str, made: re.Match[str]) -> bool:
    """Remove a temporary file if its process is gone; tell whether it was removed."""
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
    return age > A_DAY  # our own number may be that of another thread, or of an earlier process


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True  # it belongs to another user
    return True


def _host() -> str:
    """Return a short name of the machine or container that numbers the processes."""
    return f"{crc32(os.uname().nodename.encode()):08x}"
