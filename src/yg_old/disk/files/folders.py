"""Open directories below a root by descriptor, so that no link on the way is ever followed.

What is created, renamed or removed relative to a descriptor stays in that directory, even if
somebody replaces a directory above it by a link in the meantime.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from typing import Self

from yg_old.disk.files.graph_folder import graph_place
from yg_old.text import paths

MOST = 64  # descriptors that are open at the same time
_ROOT = os.O_RDONLY | os.O_DIRECTORY
_BELOW = _ROOT | os.O_NOFOLLOW


class Folders:
    """Open directories below a root, to be used in a `with` statement.

    The root may be a link, and the directory `graph` in it may be one inside the work tree.
    """

    def __init__(self, root: str, graph: str) -> None:
        self._root = root
        self._graph = graph
        self._handles: dict[str, int] = {}  # by path, the last one used at the end

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for handle in self._handles.values():
            os.close(handle)
        self._handles.clear()

    def open(self, directory: str, *, make: bool = False) -> int:
        """Return the descriptor of a directory, which may be closed when another one is opened.

        `make` creates missing directories. Raises OSError; a link or a file on the way is a
        NotADirectoryError with its path as `filename`. Raises YgError if the graph is elsewhere.
        """
        missing = []
        while directory not in self._handles and directory != paths.ROOT:
            missing.append(directory)
            directory = paths.parent(directory)
        handle = self._handles.pop(directory, None)
        handle = self._keep(directory, os.open(self._root, _ROOT) if handle is None else handle)
        for path in reversed(missing):
            handle = self._keep(path, self._opened(path, handle, make=make))
        return handle

    def _keep(self, directory: str, handle: int) -> int:
        self._handles[directory] = handle
        if len(self._handles) > MOST:
            os.close(self._handles.pop(next(iter(self._handles))))
        return handle

    def _opened(self, path: str, above: int, *, make: bool) -> int:
        """Open one more directory below an open one."""
        if path == self._graph:
            place = graph_place(self._root, path)
            if place != (self._root, path):  # a link
                return _descend(place.base, place.path.split("/"))
        try:
            return _entered(path, above)
        except FileNotFoundError:
            if not make:
                raise
        with suppress(FileExistsError):
            os.mkdir(paths.name_of(path), dir_fd=above)
        return _entered(path, above)


def _entered(path: str, above: int) -> int:
    try:
        return os.open(paths.name_of(path), _BELOW, dir_fd=above)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):  # systems differ in what a link is
            raise NotADirectoryError(errno.ENOTDIR, "not a directory", path) from error
        raise


def _descend(base: str, parts: list[str]) -> int:
    """Open a directory some levels below another one."""
    handle = os.open(base, _ROOT)
    for part in parts:
        above = handle
        try:
            handle = _entered(part, above)
        finally:
            os.close(above)
    return handle
