"""The lock that allows one writer at a time in a repository."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from yg.disk.apply import ApplyError
from yg.disk.cache import cache_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "lock"
PATIENCE = 120.0  # seconds to wait for another writer


@contextmanager
def writing(root: str, graph: str, patience: float | None = None) -> Iterator[None]:
    """Hold the write lock of a repository, waiting some seconds for other processes."""
    from filelock import FileLock, Timeout

    folder = cache_folder(root, graph)
    if folder is None:
        raise ApplyError(
            f"cannot write to {graph}/.cache/",
            hint="It must be a writable directory, not a link.",
        )
    path = os.path.join(folder, NAME)
    if os.path.islink(path):
        raise ApplyError(f"'{path}' is a link", hint="Remove it; links are not followed.")
    lock = FileLock(path, timeout=PATIENCE if patience is None else patience)
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
