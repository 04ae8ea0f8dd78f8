"""The state of a folder: the stamps of everything below it, to see later whether it changed."""

from __future__ import annotations

import os
import time

from yg.disk.files.stamps import UNKNOWN, directory_stamp_of, is_past, stamp_of


def folder_state(folder: str) -> dict[str, bytes] | None:
    """Return the stamps of all files and directories by path, without dot-names.

    None if one of them is so recent that a later edit could have the same stamp, or if a directory
    cannot be read.
    """
    now = time.time_ns()
    latest = 0
    found: dict[str, bytes] = {}  # not the folder itself, whose stamp changes with dot-names
    try:
        waiting = [folder]
        while waiting:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    status = entry.stat(follow_symlinks=False)
                    latest = max(latest, status.st_mtime_ns, status.st_ctime_ns)
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                        found[entry.path] = directory_stamp_of(status)
                    else:
                        found[entry.path] = stamp_of(status)
    except OSError:
        return None
    return found if is_past(latest, now) and UNKNOWN not in found.values() else None
