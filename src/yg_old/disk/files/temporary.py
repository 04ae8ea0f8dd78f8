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
from zlib import crc32

from yg_old.text import paths

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from yg_old.disk.files.folders import Folders

PREFIX = ".yg-tmp-"
A_DAY = 24 * 60 * 60  # seconds; no run takes that long
_NAME = re.compile(re.escape(PREFIX) + r"(?:([0-9a-f]{8})-)?([1-9][0-9]{0,9})-[0-9a-f]{1,8}")


def temporary_path(folder: str) -> str:
    """Return the path of a new temporary file of this process in a folder."""
    return os.path.join(folder, temporary_name())


def temporary_name() -> str:
    """Return the name of a new temporary file of this process."""
    return f"{PREFIX}{_host()}-{os.getpid()}-{os.urandom(4).hex()}"


def clear_abandoned(folder: str) -> bool:
    """Remove the abandoned temporary files in a folder; return whether there were any.

    Only regular files of the current user are removed. It is unknown whether a process of another
    machine or container still runs, so its files are kept for a day.
    """
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return False  # a write to this folder reports the reason
    try:
        return clear_abandoned_in(handle)
    finally:
        os.close(handle)


def clear_abandoned_in(folder: int) -> bool:
    """Do the same in an open folder."""
    made = (_NAME.fullmatch(name) for name in os.listdir(folder) if name.startswith(PREFIX))
    removed = [_clear(folder, match) for match in made if match is not None]
    return any(removed)


def clear_abandoned_below(folders: Folders, directory: str) -> None:
    """Do the same in a directory and all directories below it; remove those that become empty.

    Links are not followed.
    """
    for place in reversed(_with_temporary(folders, directory)):
        with suppress(OSError):  # another process was faster, or it is not empty
            if clear_abandoned_in(folders.open(place)) and place != directory:
                os.rmdir(paths.name_of(place), dir_fd=folders.open(paths.parent(place)))


def _with_temporary(folders: Folders, directory: str) -> list[str]:
    """Return the directories with temporary files, each after those above it."""
    found: dict[str, None] = {}
    waiting = [directory]
    while waiting:
        place = waiting.pop()
        if len(place) > paths.LONGEST:
            continue
        try:
            with os.scandir(folders.open(place)) as entries:
                for entry in entries:
                    if entry.name.startswith(PREFIX):
                        found[place] = None
                    elif entry.is_dir(follow_symlinks=False):
                        waiting.append(paths.join(place, entry.name))
        except OSError:
            continue  # a write to this directory reports the reason
    return list(found)


def _clear(folder: int, made: re.Match[str]) -> bool:
    """Remove a temporary file if it is abandoned; return whether it was removed."""
    try:
        status = os.stat(made[0], dir_fd=folder, follow_symlinks=False)
        is_ours = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
        age = time.time() - status.st_mtime
        if not is_ours or not _is_abandoned(made[1] or _host(), int(made[2]), age):
            return False
        os.unlink(made[0], dir_fd=folder)
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
