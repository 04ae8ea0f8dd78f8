"""The index: cached facts about files and cached results, valid until files change.

A file or directory is unchanged if its stamp is. Stamps so recent that a later edit could have the
same one are not stored. The index never changes an answer: if it is damaged, of another version or
not writable, everything is computed again.
"""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from enum import IntFlag
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from msgspec import DecodeError

from yg.disk.cache import NAME as CACHE
from yg.disk.cache import cache_folder
from yg.disk.database import NAME as FILE
from yg.disk.database import (
    UNMEASURED,
    Database,
    Directory,
    File,
    Result,
    StoredFacts,
    StoredReading,
    Used,
)
from yg.disk.seal import Seal
from yg.disk.stamps import (
    SIZE,
    UNKNOWN,
    are_settled,
    directory_stamp_of,
    is_settled,
    look,
    stamp_of,
)
from yg.kernel import paths
from yg.kernel.snapshot import Kind, Names, visible_names

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from yg.disk.database import Databases, Table
    from yg.disk.ignore import Visibility
    from yg.kernel.codec import Codec
    from yg.kernel.digest import FileDigest

T = TypeVar("T")

DECLARING = (".yaml", ".yml", ".json", ".jsonl")  # suffixes of files that may be declarations


class ChangeKind(IntFlag):
    """Kinds of changes; a result depends on some of them."""

    STRUCTURE = 1  # of the graph: a declaration, or the set of files
    TEXT = 2  # of the graph: a readable text
    PLACES = 4  # outside: the set of files
    HIDDEN = 8  # in hidden directories of the graph, such as baselines
    CONTENTS = 16  # outside: the content of files that rules read
    SOURCES = 32  # outside: the content of files that drift covers


DECLARATIONS = ChangeKind.STRUCTURE
TEXTS = ChangeKind.STRUCTURE | ChangeKind.TEXT
PLACES = ChangeKind.STRUCTURE | ChangeKind.PLACES
ALL_RULES = TEXTS | PLACES | ChangeKind.HIDDEN | ChangeKind.CONTENTS
DRIFT = TEXTS | PLACES | ChangeKind.HIDDEN | ChangeKind.SOURCES


# The tables of the paths outside the graph that results depend on.
_TABLES = {
    ChangeKind.PLACES: "places",
    ChangeKind.HIDDEN: "hidden",
    ChangeKind.CONTENTS: "contents",
    ChangeKind.SOURCES: "sources",
}


def always(_result: object) -> bool:
    """Accept any stored result."""
    return True


class Index:
    """The cache of one run: facts about files, and results about the graph."""

    def __init__(
        self,
        root: str,
        graph: str,
        reads_well: Callable[[str], bool],
        databases: Databases | None = None,
    ) -> None:
        """Open the index of the graph in the folder `graph` of the repository at `root`.

        `reads_well` returns whether a file of the graph can be read as text. A long-running process
        passes `databases` to keep files open between commands.
        """
        self._databases = databases
        self._root = root
        self._graph = graph
        self._reads_well = reads_well
        self._now = time.time_ns()
        self._seal = Seal(root, f"{graph}/{CACHE}")
        self._seen: dict[str, bytes | None] = {}  # stamps taken in this run
        self._unsettled: set[str] = set()  # paths among them that are missing or too recent
        self._current: set[str] = set()  # directories whose stored names are up to date
        self._compared: set[str] = set()  # directories whose files match their stored stamps
        self._stored: dict[str, dict[str, bytes]] = {}  # stamps by directory and name
        self._changes = ChangeKind(0)
        self._compared_outside = ChangeKind(0)  # which kinds have been compared
        self._has_results = False
        self._used: dict[ChangeKind, set[str]] = {kind: set() for kind in _TABLES}
        self._reader = ChangeKind.CONTENTS  # the kind of the files that are being read
        self.uses_view = False  # whether it was asked which files are ignored
        self.held = 0  # characters of the texts in memory
        self.is_cacheable = True  # whether results of this run may be stored

    @cached_property
    def _database(self) -> Database:
        path = os.path.join(self._root, self._graph, CACHE, FILE)
        if self._databases is not None:
            return self._databases.open(path, self._seal.text)
        return Database(path, self._seal.text)

    @property
    def is_tracked(self) -> bool:
        """Whether git tracks the cache folder; then the index is neither read nor written."""
        return self._seal.is_tracked

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user about the index."""
        if not self.is_tracked:
            return ()
        folder = f"{self._graph}/{CACHE}"
        fix = f"'git rm -r --cached {folder}' removes them from git"
        return (f"git tracks files in {folder}/, so the local index is not used; {fix}",)

    # Directories and stamps.

    def listing(self, directory: str) -> Directory | None:
        """Return the stored directory if it has not changed."""
        known = self._database.directories.get(directory)
        if known is None or directory in self._current:
            return known
        if not known.stamp or known.stamp != self._current_stamp(directory):
            return None
        self._current.add(directory)
        return known

    def keep_listing(
        self, directory: str, entries: Mapping[str, Kind], stamps: Mapping[str, bytes]
    ) -> None:
        """Store the names in a directory; its stamp was taken before they were read."""
        if not self._is_of_graph(directory):
            return
        if not all(map(paths.is_utf8, entries)):
            self.is_cacheable = False
            return
        names, hidden = _split_hidden(entries)
        known = self._database.directories.get(directory)
        self._current.add(directory)
        own = self._settled(directory)
        if known is None and own and are_settled(stamps.values(), self._now):
            # Usual for a new index; there is nothing to compare with.
            found = {name: stamps[name] for name in names.files}
            extents = [UNMEASURED] * len(found)
            row = Directory(own, names, hidden, b"".join(found.values()), extents)
            self._database.directories.put(directory, row)
            self._stored[directory] = found
            self._compared.add(directory)
            return
        for name, stamp in stamps.items():
            self._remember(paths.join(directory, name), stamp)
        if known is not None:
            self._note_changes(directory, known, names)
        self._put(directory, names, hidden)

    def _note_changes(self, directory: str, known: Directory, names: Names) -> None:
        """Record how a directory and its files differ from the stored state."""
        if known.names != names:
            self._changes |= ChangeKind.STRUCTURE
        for name, stamp in _stamps(known):
            path = paths.join(directory, name)
            if self._current_stamp(path) != stamp:
                self._note_change(path)

    def _note_change(self, path: str) -> None:
        is_gone = self._current_stamp(path) is None
        if is_gone or path.endswith(DECLARING) or not self._reads_well(path):
            self._changes |= ChangeKind.STRUCTURE
        else:
            self._changes |= ChangeKind.TEXT

    def _put(self, path: str, names: Names, hidden: dict[str, Kind]) -> None:
        """Store a directory with its current stamps, except those that are too recent."""
        stamps = [self._settled(paths.join(path, name)) or UNKNOWN for name in names.files]
        stamp = self._settled(path)
        known = self._database.directories.get(path)
        measured = _measured(known) if known is not None else {}
        files = zip(names.files, stamps, strict=True)
        extents = [measured.get(file, UNMEASURED) for file in files]
        row = Directory(stamp, names, hidden, b"".join(stamps), extents)
        self._stored.pop(path, None)
        is_useless = known is None and not stamp and set(stamps) <= {UNKNOWN}
        if row != known and not is_useless:
            self._database.directories.put(path, row)

    def stamp(self, path: str) -> bytes | None:
        """Return the current stamp of a file, taken once per run; None if it is missing."""
        known = None if path in self._seen else self._stored_stamp(path)
        return self._look(path) if known is None else known

    def _look(self, path: str) -> bytes | None:
        """Return the current stamp of a path that results may depend on."""
        stamp = self._current_stamp(path)
        if path in self._unsettled:
            self.is_cacheable = False
        return stamp

    def _settled(self, path: str) -> bytes:
        """Return the current stamp of a path; empty if it is missing or too recent."""
        stamp = self._look(path)
        return b"" if stamp is None or path in self._unsettled else stamp

    def _current_stamp(self, path: str) -> bytes | None:
        if path not in self._seen:
            self._remember(path, self._take_stamp(path))
        return self._seen[path]

    def _remember(self, path: str, stamp: bytes | None) -> None:
        self._seen[path] = stamp
        if stamp is None or not is_settled(stamp, self._now):
            self._unsettled.add(path)

    def _take_stamp(self, path: str) -> bytes | None:
        if path == paths.ROOT:
            return look(self._root, follows_link=True)
        return look(f"{self._root}/{path}", follows_link=path == self._graph)

    def _compared_stamp(self, path: str) -> bytes | None:
        """Return what to compare of a path at the root: of the graph folder, its names.

        Its times do not serve, because creating the cache folder changes them.
        """
        if path != self._graph:
            return self._take_stamp(path)
        entries = self._entries_in(path)
        if entries is None:
            return None
        names = (f"{name}/{kind}" for name, kind in entries.items() if name != CACHE)
        return "\0".join(names).encode()

    def _kept_stamp(self, path: str) -> bytes | None:
        """Return what to keep of a path; of the graph folder only if it has not changed since."""
        stamp = self._look(path)
        if path != self._graph or stamp is None:
            return stamp
        names = self._compared_stamp(path)
        return names if self._take_stamp(path) == stamp else None

    def _stored_stamp(self, path: str) -> bytes | None:
        """Return the stored stamp of a file, if `check` found its directory unchanged."""
        parent = paths.parent(path)
        if parent not in self._compared:
            return None
        stamps = self._stored.get(parent)
        if stamps is None:
            directory = self._database.directories.get(parent)
            stamps = self._stored[parent] = dict(_stamps(directory)) if directory else {}
        return stamps.get(paths.name_of(path))

    def _is_of_graph(self, path: str) -> bool:
        return paths.is_inside(path, self._graph) and "/." not in path

    # Changes.

    def check(self) -> tuple[str, ...]:
        """Compare all stored files of the graph with the file system; return the changed paths."""
        return self._changed

    @cached_property
    def _changed(self) -> tuple[str, ...]:
        if not self._database.is_whole(self._database.directories):
            self._changes |= ChangeKind.STRUCTURE
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

    def directory_states(self) -> dict[str, bytes]:
        """Return a value for each directory of the graph that differs if a file in it changed.

        Directories with files that changed too recently are left out.
        """
        self.check()
        rows = self._database.directories.all().items()
        return {
            directory: row.stamp + row.stamps
            for directory, row in rows
            if row is not None and row.stamp and UNKNOWN not in row.stamps
        }

    def _is_as_stored(self, directory: str, known: Directory) -> bool:
        """Return whether a directory and all its files match their stored stamps."""
        place = f"{self._root}/{directory}"
        try:
            status = os.stat(place) if directory == self._graph else os.lstat(place)
            if directory_stamp_of(status) != known.stamp:
                return False
            found = [stamp_of(os.lstat(f"{place}/{name}")) for name in known.names.files]
        except OSError:
            return False
        if b"".join(found) != known.stamps:
            return False
        self._current.add(directory)
        self._compared.add(directory)
        return True

    def _changed_in(self, directory: str, known: Directory) -> Iterator[str]:
        """Yield a directory if its names changed, and its changed files."""
        names, hidden = known.names, known.hidden
        if self._look(directory) != known.stamp:
            entries = self._entries_in(directory)
            if entries is None:
                yield directory
                self._forget(directory, known)
                return
            names, hidden = _split_hidden(entries)
        if names != known.names:
            yield directory
        self._note_changes(directory, known, names)
        for name, stamp in _stamps(known):
            path = paths.join(directory, name)
            if self._current_stamp(path) != stamp:
                yield path
                if self._current_stamp(path) is None:
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
        self._changes |= ChangeKind.STRUCTURE
        for name in known.names.files:
            self._drop_facts(paths.join(directory, name))
        self._database.directories.put(directory, None)

    def _drop_facts(self, path: str) -> None:
        self._database.files.put(path, None)
        self._database.readings.put(path, None)

    def _compare_outside(self, depends: ChangeKind) -> None:
        """Record the changes outside the graph that a result depends on."""
        for change, name in _TABLES.items():
            if depends & change and change not in self._compared_outside:
                self._compared_outside |= change
                table = self._database.used[name]
                if self._database.is_whole(table) and not self._are_unchanged(table):
                    self._changes |= change

    def _are_unchanged(self, table: Table[Used]) -> bool:
        """Compare the used paths of one kind; remove the rows of directories with a change."""
        changed = [
            directory
            for directory, known in table.all().items()
            if known is not None and not self._is_unchanged(directory, known)
        ]
        for directory in changed:
            table.put(directory, None)
        return not changed

    def _is_unchanged(self, directory: str, known: Used) -> bool:
        if directory == paths.ROOT:  # the root and the graph may be links
            return all(self._compared_stamp(name) == stamp for name, stamp in known.stamps.items())
        place = f"{self._root}/{directory}"
        return all(look(f"{place}/{name}") == stamp for name, stamp in known.stamps.items())

    # Facts about single files.

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
            if directory == path or self.listing(directory) is None:
                continue
            if self.stamp(path) == known.stamp:
                found[directory] = known.value
        return found

    def extent(self, path: str) -> int:
        """Return the stored length of a text of the graph; UNMEASURED if there is none."""
        known, at = self._entry(path)
        return UNMEASURED if known is None else known.extents[at]

    def keep_extent(self, path: str, extent: int) -> None:
        """Store the length of a text of the graph; its stamp was taken before it was read."""
        known, at = self._entry(path)
        if known is not None:
            known.extents[at] = extent
            self._database.directories.put(paths.parent(path), known)

    def measured(self, directory: str) -> Collection[str]:
        """Return the names of files that are known to be readable, if `check` compared them."""
        if directory not in self._compared:
            return ()
        known = self._database.directories.get(directory)
        if known is None:
            return ()
        if min(known.extents, default=0) > UNMEASURED:
            return known.names.files
        found = zip(known.names.files, known.extents, strict=True)
        return [name for name, extent in found if extent > UNMEASURED]

    def _entry(self, path: str) -> tuple[Directory | None, int]:
        """Return the stored directory of a file that has not changed, and the file's number."""
        directory, name = paths.parent(path), paths.name_of(path)
        known = self._database.directories.get(directory)
        if known is None:
            return None, 0
        at = bisect_left(known.names.files, name)
        if known.names.files[at : at + 1] != (name,):
            return None, 0
        stamp = known.stamps[at * SIZE : (at + 1) * SIZE]
        if stamp == UNKNOWN or (directory not in self._compared and self.stamp(path) != stamp):
            return None, 0
        return known, at

    def digest(self, path: str) -> File | None:
        """Return the stored digests of a file that has not changed; None if there are none."""
        stamp = self.stamp(path)
        known = self._database.files.get(path)
        return known if known is not None and known.stamp == stamp else None

    def keep_digest(self, path: str, digest: FileDigest) -> None:
        """Store the digest of a file; its stamp was taken before it was read."""
        if stamp := self.settled_stamp(path):
            self._database.files.put(path, File(stamp, digest.lf, digest.raw))

    def settled_stamp(self, path: str) -> bytes:
        """Return the current stamp of a file; empty if it is missing or too recent."""
        stamp = self.stamp(path)
        return b"" if stamp is None or path in self._unsettled else stamp

    def reading(self, path: str, recipe: str) -> bytes:
        """Return the stored result of a recipe for a file; empty if there is none."""
        stamp = self.stamp(path)
        known = self._database.readings.get(path)
        is_valid = known is not None and (known.stamp, known.recipe) == (stamp, recipe)
        return known.value if known is not None and is_valid else b""

    def keep_reading(self, path: str, recipe: str, value: bytes) -> None:
        """Store the result of a recipe for a file; its stamp was taken before it was read."""
        if stamp := self.settled_stamp(path):
            self._database.readings.put(path, StoredReading(stamp, recipe, value))

    def facts(self, key: str, algorithm: str) -> bytes | None:
        """Return the stored facts of a content; None if there are none of this algorithm."""
        known = self._database.facts.get(key)
        return known.value if known is not None and known.algorithm == algorithm else None

    def keep_facts(self, key: str, algorithm: str, value: bytes) -> None:
        """Store the facts of a content; they hold as long as the algorithm does."""
        self._database.facts.put(key, StoredFacts(algorithm, value))

    # Results about the graph as a whole.

    def result(  # noqa: PLR0913
        self,
        name: str,
        depends: ChangeKind,
        codec: Codec[T],
        compute: Callable[[], T],
        visible: Visibility,
        *,
        holds: Callable[[T], bool] = always,
    ) -> T:
        """Return a stored result that is still valid, or compute and store it.

        `holds` checks what no stamp of a file tells.
        """
        known = self._database.result(name)
        if known is not None and self._is_valid(known, visible):
            self.uses_view = self.uses_view or bool(known.view)
            try:
                stored = codec.decode(known.value)
            except DecodeError:
                pass  # written by other code: compute it again
            else:
                if holds(stored):
                    return stored
        self.check()
        found, uses_view = self._computed(compute, depends)
        value = codec.encode(found)
        if value is not None and self._can_store(depends):
            seen = visible.digest if uses_view else ""
            self._database.put_result(name, Result(int(depends), seen, value))
            self._has_results = True
        return found

    def _computed(self, compute: Callable[[], T], depends: ChangeKind) -> tuple[T, bool]:
        """Compute a result; return also whether it depends on which files are ignored."""
        before = self._reader, self.uses_view
        self._reader = depends & ChangeKind.SOURCES or ChangeKind.CONTENTS
        self.uses_view = False
        try:
            found = compute()
            return found, self.uses_view
        finally:
            # A result that needs this one depends on the same files.
            self._reader, self.uses_view = before[0], before[1] or self.uses_view

    def note_search(self, directory: str) -> None:
        """Record that results depend on the names in a directory outside the graph."""
        self._used[ChangeKind.PLACES].add(directory)

    def note_reading(self, path: str) -> None:
        """Record that results depend on a file outside the graph or in a hidden directory."""
        is_hidden = paths.is_inside(path, self._graph)
        self._used[ChangeKind.HIDDEN if is_hidden else self._reader].add(path)

    def _is_valid(self, known: Result, visible: Visibility) -> bool:
        self.check()
        if not known.depends & self._changes:
            self._compare_outside(ChangeKind(known.depends))
        if self._database.is_broken or known.depends & self._changes:
            return False
        return not known.view or known.view == visible.digest

    def _can_store(self, depends: ChangeKind) -> bool:
        """Return whether the stamps of all inputs of a result are settled."""
        for kind, used in self._used.items():
            if depends & kind:
                for path in used:
                    self._look(path)
        return self.is_cacheable

    # Saving.

    def save(self) -> None:
        """Write all changes to the database."""
        if self._has_results:
            self._keep_outside()
        database = self._database
        if database.is_dirty and cache_folder(self._root, self._graph):
            seal = self._seal.text
            if seal and database.write(seal, int(self._changes)):
                self._changes = ChangeKind(0)  # they are stored now
        self._seal.keep_untracked()
        self._has_results = False

    def close(self) -> None:
        """Close the database, unless it is kept open for the next command."""
        if self._databases is None and "_database" in self.__dict__:
            self._database.close()

    def _keep_outside(self) -> None:
        """Store the stamps of the paths used outside the graph."""
        for kind, used in self._used.items():
            table = self._database.used[_TABLES[kind]]
            found: dict[str, dict[str, bytes | None]] = {}
            for path in sorted(used):
                stamps = found.setdefault(paths.parent(path), {})
                stamps[paths.name_of(path)] = self._kept_stamp(path)
            for directory, stamps in found.items():
                known = table.get(directory)
                before = known.stamps if known is not None else {}
                if any(name in before and before[name] != stamps[name] for name in stamps):
                    self._changes |= kind
                merged = {**before, **stamps}
                after = {name: stamp for name, stamp in merged.items() if stamp is not None}
                if after != before:
                    table.put(directory, Used(after) if after else None)


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


def _stamps(directory: Directory) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a stored directory with their stamps."""
    for at, name in enumerate(directory.names.files):
        yield name, directory.stamps[at * SIZE : (at + 1) * SIZE]


def _measured(directory: Directory) -> dict[tuple[str, bytes], int]:
    """Return the lengths of texts by name and stamp."""
    return dict(zip(_stamps(directory), directory.extents, strict=True))


def entries_of(directory: Directory) -> dict[str, Kind]:
    """Return all names of a stored directory in code-point order."""
    names = directory.names
    groups = (names.files, names.directories, names.links, names.others)
    found = {name: kind for kind, group in zip(Kind, groups, strict=True) for name in group}
    return dict(sorted({**directory.hidden, **found}.items()))
