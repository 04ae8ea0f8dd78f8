"""The stamps that this run has seen: each is taken once, so that a run has one view of a file.

Stamps so recent that a later edit could have the same one are not stored. A result that depends on
one of them is not stored either.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from yg_old.disk.files.stamps import are_settled, is_settled, look
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.disk.index.rows import Directory


class SeenStamps:
    """The current stamps of files and directories."""

    def __init__(self, root: str, graph: str) -> None:
        self._root = root
        self._graph = graph
        self._now = time.time_ns()
        self._seen: dict[str, bytes | None] = {}
        self._unsettled: set[str] = set()  # paths among them that are missing or too recent
        self._confirmed: dict[str, Directory] = {}  # directories whose stored stamps are current
        self._stored: dict[str, dict[str, bytes]] = {}  # their stamps by directory and name
        self.is_cacheable = True  # whether results of this run may be stored

    def get(self, path: str) -> bytes | None:
        """Return the current stamp of a path that results may depend on; None if it is missing."""
        known = None if path in self._seen else self._confirmed_stamp(path)
        if known is not None:
            return known
        stamp = self.peek(path)
        if path in self._unsettled:
            self.is_cacheable = False
        return stamp

    def settled(self, path: str) -> bytes:
        """Return the current stamp of a path; empty if it is missing or too recent."""
        stamp = self.get(path)
        return b"" if stamp is None or path in self._unsettled else stamp

    def peek(self, path: str) -> bytes | None:
        """Return the current stamp of a path that no result depends on."""
        if path not in self._seen:
            self.add(path, self.take(path))
        return self._seen[path]

    def add(self, path: str, stamp: bytes | None) -> None:
        """Set the current stamp of a path."""
        self._seen[path] = stamp
        if stamp is None or not is_settled(stamp, self._now):
            self._unsettled.add(path)

    def take(self, path: str) -> bytes | None:
        """Ask the file system for a stamp, and do not remember it."""
        if path == paths.ROOT:
            return look(self._root, follows_link=True)
        return look(f"{self._root}/{path}", follows_link=path == self._graph)

    def are_settled(self, stamps: Iterable[bytes]) -> bool:
        """Return whether all of some stamps are old enough to be stored."""
        return are_settled(stamps, self._now)

    # Directories whose files were compared all at once.

    def confirm(self, directory: str, row: Directory) -> None:
        """Record that the stored stamps of all files in a directory are the current ones."""
        self._confirmed[directory] = row

    def is_confirmed(self, directory: str) -> bool:
        """Return whether the stored stamps of all files in a directory are the current ones."""
        return directory in self._confirmed

    def revoke(self, directory: str) -> None:
        """Record that the row of a directory is replaced."""
        self._confirmed.pop(directory, None)
        self._stored.pop(directory, None)

    def _confirmed_stamp(self, path: str) -> bytes | None:
        directory = paths.parent(path)
        stamps = self._stored.get(directory)
        if stamps is None:
            row = self._confirmed.get(directory)
            if row is None:
                return None
            stamps = self._stored[directory] = dict(row.file_stamps())
        return stamps.get(paths.name_of(path))
