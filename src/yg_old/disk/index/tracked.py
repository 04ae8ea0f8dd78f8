"""Tracked files that were just found as the index of git has them, so nobody looks again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.disk.files.stamps import unpack_all
from yg_old.disk.git.changed_files import STORED_BITS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from yg_old.disk.git.changed_files import IndexStamp
    from yg_old.disk.index.rows import Directory


class TrackedFiles(Struct, frozen=True):
    """The stamps of all tracked files of a work tree, as they are at present."""

    top: str
    stamps: Mapping[str, IndexStamp]  # by the path from the top

    def have_stamps_of(self, place: str, row: Directory) -> bool:
        """Return whether all files of a stored directory are tracked and have its stamps."""
        if not place.startswith(f"{self.top}/"):
            return False
        start = f"{place[len(self.top) + 1 :]}/"
        return all(
            self.stamps.get(start + name) == (ctime, mtime, inode & STORED_BITS, size & STORED_BITS)
            for name, (size, mtime, ctime, inode) in zip(
                row.names.files, unpack_all(row.stamps), strict=True
            )
        )
