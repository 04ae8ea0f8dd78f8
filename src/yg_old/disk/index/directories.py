"""The stored directories of the graph; their `check` says what has changed since the last run."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.disk.files.stamps import UNKNOWN, directory_stamp_of, stamp_of
from yg_old.disk.index.changes import NO_CHANGE, ChangeKind
from yg_old.disk.index.rows import UNMEASURED, Directory
from yg_old.kernel.snapshot import Kind, visible_names
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from yg_old.disk.index.database import Database
    from yg_old.disk.index.seen import SeenStamps
    from yg_old.disk.index.tracked import TrackedFiles
    from yg_old.kernel.snapshot import Names

DECLARING = (".yaml", ".yml", ".json", ".jsonl")  # suffixes of files that may be declarations


class Directories:
    """The names in the directories of the graph, with the stamps of the files."""

    def __init__(
        self,
        database: Database,
        stamps: SeenStamps,
        root: str,
        graph: str,
        reads_well: Callable[[str], bool],
    ) -> None:
        """Open the directories; `reads_well` returns whether a file can be read as text."""
        self._database = database
        self._stamps = stamps
        self._root = root
        self._graph = graph
        self._reads_well = reads_well
        self._current: set[str] = set()  # directories whose stored names are up to date
        self.changes = NO_CHANGE  # of the graph, found in this run
        self.tracked: TrackedFiles | None = None  # if somebody has just looked at them

    @property
    def has_graph(self) -> bool:
        """Whether the folder of the graph has a row, without which no change of it is noticed.

        Every directory with a row was listed, and so were all directories above it.
        """
        return self._database.directories.get(self._graph) is not None

    # One directory.

    def get(self, directory: str) -> Directory | None:
        """Return the stored directory if it has not changed."""
        known = self._database.directories.get(directory)
        if known is None or directory in self._current:
            return known
        if not known.stamp or known.stamp != self._stamps.peek(directory):
            return None
        self._current.add(directory)
        return known

    def keep(
        self, directory: str, entries: Mapping[str, Kind], stamps: Mapping[str, bytes]
    ) -> None:
        """Store the names in a directory; its stamp was taken before they were read."""
        if not paths.is_inside(directory, self._graph) or "/." in directory:
            return
        if not all(map(paths.is_utf8, entries)):
            self._stamps.is_cacheable = False
            return
        names, hidden = _split_hidden(entries)
        known = self._database.directories.get(directory)
        self._current.add(directory)
        own = self._stamps.settled(directory)
        if known is None and own and self._stamps.are_settled(stamps.values()):
            # Usual for a new index; there is nothing to compare with.
            joined = b"".join(stamps[name] for name in names.files)
            row = Directory(own, names, hidden, joined, [UNMEASURED] * len(names.files))
            self._database.directories.put(directory, row)
            self._stamps.confirm(directory, row)
            return
        for name, stamp in stamps.items():
            self._stamps.add(paths.join(directory, name), stamp)
        if known is not None:
            self._note_changes(directory, known, names)
        self._put(directory, names, hidden)

    def _note_changes(self, directory: str, known: Directory, names: Names) -> None:
        """Record how a directory and its files differ from the stored state."""
        if known.names != names:
            self.changes |= ChangeKind.STRUCTURE
        for path, stamp in _files(directory, known):
            if self._stamps.peek(path) != stamp:
                self.changes |= self._change_of(path)

    def _change_of(self, path: str) -> ChangeKind:
        is_gone = self._stamps.peek(path) is None
        if is_gone or path.endswith(DECLARING) or not self._reads_well(path):
            return ChangeKind.STRUCTURE
        return ChangeKind.TEXT

    def _put(self, directory: str, names: Names, hidden: dict[str, Kind]) -> None:
        """Store a directory with its current stamps, except those that are too recent."""
        files = [paths.join(directory, name) for name in names.files]
        stamps = [self._stamps.settled(path) or UNKNOWN for path in files]
        stamp = self._stamps.settled(directory)
        known = self._database.directories.get(directory)
        row = Directory(stamp, names, hidden, b"".join(stamps), [UNMEASURED] * len(files))
        if known is not None:
            measured = dict(zip(known.file_stamps(), known.extents, strict=True))
            row.extents = [measured.get(file, UNMEASURED) for file in row.file_stamps()]
        self._stamps.revoke(directory)
        is_useless = known is None and not stamp and set(stamps) <= {UNKNOWN}
        if row != known and not is_useless:
            self._database.directories.put(directory, row)

    # All of them.

    def check(self) -> tuple[str, ...]:
        """Compare all stored files of the graph with the file system; return the changed paths."""
        return self._changed

    @cached_property
    def _changed(self) -> tuple[str, ...]:
        if not self._database.is_whole(self._database.directories):
            self.changes |= ChangeKind.STRUCTURE
            return ()
        known = sorted(self._database.directories.all().items())
        return tuple(
            [
                path
                for directory, row in known
                if row is not None and not self._is_as_stored(directory, row)
                for path in self._changed_in(directory, row)
            ]
        )

    def _is_as_stored(self, directory: str, known: Directory) -> bool:
        """Return whether a directory and all its files match their stored stamps."""
        place = f"{self._root}/{directory}"
        try:
            status = os.stat(place) if directory == self._graph else os.lstat(place)
            if directory_stamp_of(status) != known.stamp:
                return False
            if not self._have_stored_stamps(place, known):
                return False
        except OSError:
            return False
        self._current.add(directory)
        self._stamps.confirm(directory, known)
        return True

    def _have_stored_stamps(self, place: str, known: Directory) -> bool:
        """Return whether all files of a directory match their stored stamps; raises OSError."""
        if self.tracked is not None and self.tracked.have_stamps_of(place, known):
            return True
        found = [stamp_of(os.lstat(f"{place}/{name}")) for name in known.names.files]
        return b"".join(found) == known.stamps

    def _changed_in(self, directory: str, known: Directory) -> Iterator[str]:
        """Yield a directory if its names changed, and its changed files."""
        names, hidden = known.names, known.hidden
        stamp = self._stamps.get(directory)
        if stamp != known.stamp:
            entries = self._entries_in(directory) if stamp is not None else None
            if entries is None:  # gone, or a link in its place
                yield directory
                self._forget(directory, known)
                return
            names, hidden = _split_hidden(entries)
        if names != known.names:
            yield directory
        self._note_changes(directory, known, names)
        for path, stamp in _files(directory, known):
            if self._stamps.peek(path) != stamp:
                yield path
                if self._stamps.peek(path) is None:
                    self._drop_facts(path)
        self._put(directory, names, hidden)

    def _entries_in(self, directory: str) -> dict[str, Kind] | None:
        """Read the names in a directory; None if it is missing or a name cannot be stored."""
        try:
            with os.scandir(f"{self._root}/{directory}") as entries:
                found = {entry.name: kind_of(entry) for entry in entries}
        except OSError:
            return None
        return dict(sorted(found.items())) if all(map(paths.is_utf8, found)) else None

    def _forget(self, directory: str, known: Directory) -> None:
        """Remove the stored facts about a deleted directory."""
        self.changes |= ChangeKind.STRUCTURE
        for path, _ in _files(directory, known):
            self._drop_facts(path)
        self._stamps.revoke(directory)
        self._database.directories.put(directory, None)

    def _drop_facts(self, path: str) -> None:
        self._database.files.put(path, None)
        self._database.readings.put(path, None)


def kind_of(entry: os.DirEntry[str]) -> Kind:
    """Return the kind of a directory entry, without following links."""
    if entry.is_file(follow_symlinks=False):
        return Kind.FILE
    if entry.is_dir(follow_symlinks=False):
        return Kind.DIRECTORY
    return Kind.LINK if entry.is_symlink() else Kind.OTHER


def _split_hidden(entries: Mapping[str, Kind]) -> tuple[Names, dict[str, Kind]]:
    """Separate dot-names from the other names."""
    hidden = {name: kind for name, kind in entries.items() if name.startswith(".")}
    return visible_names(entries), hidden


def _files(directory: str, row: Directory) -> Iterator[tuple[str, bytes]]:
    """Yield the paths of the files of a stored directory with their stamps."""
    for name, stamp in row.file_stamps():
        yield paths.join(directory, name), stamp
