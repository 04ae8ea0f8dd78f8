"""The stored lengths of the texts of the graph, by which they are known to be readable."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from yg_old.disk.files.stamps import SIZE, UNKNOWN
from yg_old.disk.index.rows import UNMEASURED
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Collection

    from yg_old.disk.index.database import Database
    from yg_old.disk.index.rows import Directory
    from yg_old.disk.index.seen import SeenStamps


class TextLengths:
    """One number for each file of the graph, in the row of its directory."""

    def __init__(self, database: Database, stamps: SeenStamps) -> None:
        self._rows = database.directories
        self._stamps = stamps

    def get(self, path: str) -> int:
        """Return the stored length of a text; UNMEASURED if there is none."""
        row, at = self._find(path)
        return UNMEASURED if row is None else row.extents[at]

    def keep(self, path: str, extent: int) -> None:
        """Store the length of a text; its stamp was taken before it was read."""
        row, at = self._find(path)
        if row is not None:
            row.extents[at] = extent
            self._rows.put(paths.parent(path), row)

    def measured(self, directory: str) -> Collection[str]:
        """Return the names of files that are known to be readable, if `check` compared them."""
        if not self._stamps.is_confirmed(directory):
            return ()
        row = self._rows.get(directory)
        if row is None:
            return ()
        if min(row.extents, default=0) > UNMEASURED:
            return row.names.files
        found = zip(row.names.files, row.extents, strict=True)
        return [name for name, extent in found if extent > UNMEASURED]

    def _find(self, path: str) -> tuple[Directory | None, int]:
        """Return the stored directory of a file that has not changed, and the file's number."""
        directory, name = paths.parent(path), paths.name_of(path)
        row = self._rows.get(directory)
        if row is None:
            return None, 0
        at = bisect_left(row.names.files, name)
        if row.names.files[at : at + 1] != (name,):
            return None, 0
        stamp = row.stamps[at * SIZE : (at + 1) * SIZE]
        is_confirmed = self._stamps.is_confirmed(directory)
        if stamp == UNKNOWN or (not is_confirmed and self._stamps.get(path) != stamp):
            return None, 0
        return row, at
