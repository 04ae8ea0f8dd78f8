"""File digests of a work tree; unchanged files are not read again."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from yg_old.disk.files.stamps import stamp_of
from yg_old.kernel.digest import FileDigest, file_digests
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import PIECE

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.disk.reading.worktree import WorkTree

ATTEMPTS = 3


class WorkTreeHashes:
    """Computes digests, and records the files that could not be read."""

    def __init__(self, tree: WorkTree, on_file: Callable[[], None] = lambda: None) -> None:
        self._tree = tree
        self._on_file = on_file
        self._known: dict[str, FileDigest | UnreadableError] = {}

    def of(self, path: str) -> FileDigest:
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

    def _look(self, path: str) -> FileDigest | UnreadableError:
        try:
            return self._digest(path)
        except UnreadableError as error:
            self._prevent_caching()
            return error

    def _digest(self, path: str) -> FileDigest:
        index = self._tree.index
        known = index.files.digest(path) if index is not None else None
        if known is not None:
            self._tree.note_reading(path)
            return FileDigest(known.digest, known.raw_digest, known.crlf_digest)
        for _ in range(ATTEMPTS):
            before = stamp_of(self._status(path))
            digest = file_digests(self._tree.pieces(path, PIECE))
            if stamp_of(self._status(path)) == before:
                if index is not None and index.stamps.get(path) == before:
                    index.files.keep_digest(path, digest)
                else:
                    self._prevent_caching()
                return digest
        raise UnreadableError(path, "it changes while it is being read")

    def _prevent_caching(self) -> None:
        """Prevent caching of results that depend on a changing or unreadable file."""
        if self._tree.index is not None:
            self._tree.index.stamps.is_cacheable = False

    def _status(self, path: str) -> os.stat_result:
        try:
            status = os.lstat(os.path.join(self._tree.root, path))
        except (OSError, ValueError) as error:
            raise UnreadableError(path, "its status cannot be read") from error
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(path, "not a regular file")
        return status
