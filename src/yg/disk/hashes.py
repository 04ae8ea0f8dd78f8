"""Digests of the files of a work tree: each file looked at once, unchanged ones not read."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from yg.disk.index import Index, stamp_of
from yg.kernel.digest import file_digest
from yg.kernel.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.disk.worktree import WorkTree

PIECE = 1 << 20
ATTEMPTS = 3


class WorkTreeHashes:
    """Works out digests, and remembers what could not be read."""

    def __init__(
        self, tree: WorkTree, on_file: Callable[[], None] = lambda: None, *, use_index: bool = True
    ) -> None:
        self._tree = tree
        self._index = Index(tree.root) if use_index else None
        self._on_file = on_file
        self._known: dict[str, str | UnreadableError] = {}

    def of(self, path: str) -> str:
        """Return the digest of a file; raises UnreadableError."""
        if path not in self._known:
            self._known[path] = self._look(path)
            self._on_file()
        found = self._known[path]
        if isinstance(found, UnreadableError):
            raise found
        return found

    @property
    def failures(self) -> tuple[UnreadableError, ...]:
        """The files that could not be read, by path."""
        return tuple(
            found for _, found in sorted(self._known.items()) if isinstance(found, UnreadableError)
        )

    def save(self) -> None:
        """Keep the digests for the next run."""
        if self._index is not None:
            self._index.save()

    def _look(self, path: str) -> str | UnreadableError:
        try:
            return self._digest(path)
        except UnreadableError as error:
            return error

    def _digest(self, path: str) -> str:
        for _ in range(ATTEMPTS):
            before = self._status(path)
            stamp = stamp_of(before)
            remembered = self._index.get(path, stamp) if self._index else None
            if remembered is not None:
                return remembered
            digest = file_digest(self._tree.pieces(path, PIECE))
            if stamp_of(self._status(path)) == stamp:
                if self._index is not None:
                    self._index.put(path, stamp, digest)
                return digest
        raise UnreadableError(path, "it changes while it is being read")

    def _status(self, path: str) -> os.stat_result:
        try:
            status = os.lstat(os.path.join(self._tree.root, path))
        except (OSError, ValueError) as error:
            raise UnreadableError(path, "it cannot be looked at") from error
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(path, "not a regular file")
        return status
