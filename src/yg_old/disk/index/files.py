"""Stored facts about single files, valid until the file changes, and about single contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.disk.index.rows import File, StoredFacts, StoredReading

if TYPE_CHECKING:
    from yg_old.disk.index.database import Database
    from yg_old.disk.index.directories import Directories
    from yg_old.disk.index.seen import SeenStamps
    from yg_old.kernel.digest import FileDigest


class FileFacts:
    """The digests of files, and the results of recipes for them."""

    def __init__(self, database: Database, stamps: SeenStamps, directories: Directories) -> None:
        self._database = database
        self._stamps = stamps
        self._directories = directories

    def digest(self, path: str) -> File | None:
        """Return the stored digests of a file that has not changed; None if there are none."""
        stamp = self._stamps.get(path)
        known = self._database.files.get(path)
        return known if known is not None and known.stamp == stamp else None

    def keep_digest(self, path: str, digest: FileDigest) -> None:
        """Store the digest of a file; its stamp was taken before it was read."""
        if stamp := self._stamps.settled(path):
            self._database.files.put(path, File(stamp, digest.lf, digest.raw, digest.crlf))

    def reading(self, path: str, recipe: str) -> bytes:
        """Return the stored result of a recipe for a file; empty if there is none."""
        stamp = self._stamps.get(path)
        known = self._database.readings.get(path)
        is_valid = known is not None and (known.stamp, known.recipe) == (stamp, recipe)
        return known.value if known is not None and is_valid else b""

    def keep_reading(self, path: str, recipe: str, value: bytes) -> None:
        """Store the result of a recipe for a file; its stamp was taken before it was read."""
        if stamp := self._stamps.settled(path):
            self._database.readings.put(path, StoredReading(stamp, recipe, value))

    def readings(self, tree: str, file: str, recipe: str) -> dict[str, bytes]:
        """Return the stored results of a recipe for the files of one name, by directory.

        Only unchanged directories and files below `tree` are included.
        """
        found: dict[str, bytes] = {}
        end = f"/{file}"
        for path, known in self._database.readings.below(tree).items():
            if known is None or not known.value or known.recipe != recipe:
                continue
            directory = path.removesuffix(end)
            if directory == path or self._directories.get(directory) is None:
                continue
            if self._stamps.get(path) == known.stamp:
                found[directory] = known.value
        return found


class ContentFacts:
    """Facts that depend on a content alone, by a key that identifies it."""

    def __init__(self, database: Database) -> None:
        self._rows = database.facts

    def get(self, key: str, algorithm: str) -> bytes | None:
        """Return the stored facts of a content; None if there are none of this algorithm."""
        known = self._rows.get(key)
        return known.value if known is not None and known.algorithm == algorithm else None

    def keep(self, key: str, algorithm: str, value: bytes) -> None:
        """Store the facts of a content; they hold as long as the algorithm does."""
        self._rows.put(key, StoredFacts(algorithm, value))
