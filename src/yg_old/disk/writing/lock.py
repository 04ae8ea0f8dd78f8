"""The lock that lets one command of a user write to a graph at a time."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from yg_old.disk.files.apply import ApplyError
from yg_old.disk.index.private import is_private_file, remove_private, state_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "lock"
PATIENCE = 120.0  # seconds to wait for another writer
_MODE = 0o600


@contextmanager
def writing(root: str, graph: str, patience: float | None = None) -> Iterator[None]:
    """Hold the write lock of a graph, waiting some seconds for other processes."""
    from filelock import FileLock, Timeout

    folder = state_folder(root, graph)
    if not folder:
        raise ApplyError(
            "there is no place for a lock",
            hint="Set XDG_CACHE_HOME or TMPDIR to a directory of yours outside the repository.",
        )
    path = os.path.join(folder, NAME)
    if os.path.lexists(path) and not is_private_file(path):
        remove_private(path)  # not made here
    lock = FileLock(path, timeout=PATIENCE if patience is None else patience, mode=_MODE)
    try:
        lock.acquire()
    except Timeout as error:
        hint = "Wait for the other yg command to finish, then try again."
        raise ApplyError("another process is writing to the graph", hint=hint) from error
    except OSError as error:
        hint = "It must be a file that you can write to."
        raise ApplyError(f"cannot lock '{path}': {error.strerror}", hint=hint) from error
    try:
        yield
    finally:
        lock.release()
