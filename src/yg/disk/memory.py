"""What earlier runs found out about files, as far as the files are still the same.

A file or directory is the same if its stamp is: size, times of change, inode. Stamps too young to
be told from those of a later edit within the same clock tick are not kept. Whatever is damaged,
of another version or not writable only costs time: it is then found out again.
"""

from __future__ import annotations

import os
import stat
import time
from sys import intern
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from yg.disk.lines import Lines
from yg.kernel import paths
from yg.kernel.snapshot import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.disk.state import Stamped

# File systems stamp files by coarse clocks, some of them by other machines' clocks.
SETTLED_NS = 2_000_000_000
STATE = "stamps"  # the key of the stamps of the whole graph

EXTENT, DIGEST = "extent", "digest"  # facts that other facts do not hang on
_LETTERS = {Kind.FILE: "f", Kind.DIRECTORY: "d", Kind.LINK: "l", Kind.OTHER: "o"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}
_UNSEEN = "unseen"  # what has not been looked at in this run

# Size, mtime_ns, ctime_ns, inode: as one text they take half the room of four numbers.
Stamp: TypeAlias = str
Facts: TypeAlias = dict[str, Any]


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what identifies one state of a file without reading it."""
    return f"{status.st_size} {status.st_mtime_ns} {status.st_ctime_ns} {status.st_ino}"


def touched(status: os.stat_result) -> int:
    """Return when a file was last changed in any way."""
    return max(status.st_mtime_ns, status.st_ctime_ns)


class Change:
    """How much a change matters to what is remembered of the graph as a whole."""

    NOTHING = 0
    TEXT = 1  # a text says something else, and can still be read
    STRUCTURE = 2  # a declaration, or which files there are


def change_of(facts: Facts) -> int:
    """Tell how much it matters that a file is no longer as its facts say."""
    return Change.TEXT if facts.keys() <= {EXTENT, DIGEST} else Change.STRUCTURE


class _Seen:
    """Something that has a stamp: the one it was known by, and the one it has now."""

    __slots__ = ("now", "stamp")

    def __init__(self, stamp: Stamp | None) -> None:
        self.stamp = stamp
        self.now: Stamp | None = _UNSEEN


class _File(_Seen):
    """What is known of one file. There are many, and most have one fact or two."""

    __slots__ = ("_facts",)

    def __init__(self, stamp: Stamp | None = None, facts: Facts | None = None) -> None:
        super().__init__(stamp)
        self._facts = _flat(facts or {})

    @property
    def facts(self) -> Facts:
        """The facts, as they were when the file had its stamp."""
        return dict(zip(self._facts[::2], self._facts[1::2], strict=True))

    def learn(self, stamp: Stamp, name: str, fact: Any) -> None:
        """Add a fact to those of the same stamp; others are no longer true."""
        kept = self.facts if self.stamp == stamp else {}
        self.stamp = stamp
        self._facts = _flat({**kept, name: fact})


def _flat(facts: Facts) -> tuple[Any, ...]:
    """Return names and facts in turn: a dict for each file would take three times the room."""
    return tuple([each for pair in facts.items() for each in pair])


class _Row(_Seen):
    """What is known of one directory: its names, and facts about files in it."""

    __slots__ = ("files", "names")

    def __init__(self, entry: Any = None) -> None:
        stamp, names, files = entry or (None, None, {})
        super().__init__(stamp)
        self.names: list[str] | None = None if names is None else [intern(each) for each in names]
        self.files = {intern(name): _File(*known) for name, known in files.items()}

    @property
    def known_files(self) -> Iterator[tuple[str, Stamp]]:
        """The files of which something is known from before or by now, and their stamps."""
        for name, file in self.files.items():
            if file.stamp is not None:
                yield name, file.stamp

    @property
    def entry(self) -> Any:
        """The row as it is written down."""
        files = {name: [stamp, self.files[name].facts] for name, stamp in self.known_files}
        return [self.stamp, self.names, files]


class Memory:
    """The facts about files and directories that one run knows, from before or by itself."""

    def __init__(self, root: str, linkable: str, *, is_trusted: bool = True) -> None:
        """Remember for the tree at `root`, whose name `linkable` alone may be a link."""
        self._root = root
        self._linkable = linkable
        self._now = time.time_ns()
        self._lines = Lines(root, is_trusted=is_trusted)
        self._rows: dict[str, _Row] = {}
        self._young: set[Stamp] = set()  # that cannot be told from those of a later edit
        self._dirty: set[str] = set()
        self.met = Change.NOTHING  # the greatest change that was met, and is no longer to be seen
        self._new_memos: set[str] = set()
        self._has_state = False
        self._last_path, self._last_file = "", _File()
        self.held = 0  # characters of texts that were read, for those who count them
        self.is_settled = True  # whether all that was asked for could be kept

    def listing(self, directory: str) -> dict[str, Kind] | None:
        """Return the names in a directory that has not changed since they were read."""
        row = self._row(directory)
        if row.names is None or row.stamp != self._looked(row, directory):
            return None
        return {intern(name[1:]): _KINDS[name[0]] for name in row.names}

    def keep_listing(self, directory: str, names: Mapping[str, Kind]) -> None:
        """Remember the names in a directory; its stamp was taken before they were read."""
        row = self._row(directory)
        stamp = self._looked(row, directory)
        found = _written(names)
        if row.names is not None and _visible(row.names) != _visible(found):
            self.met = max(self.met, Change.STRUCTURE)
        if self.may_keep(stamp):
            row.names, row.stamp = found, stamp
            row.files = {name: file for name, file in row.files.items() if name in names}
            self._last_path = ""
            self._dirty.add(directory)

    def facts(self, file: str) -> Facts:
        """Return what is known of a file as it is now."""
        known = self._file(file)
        stamp = self._looked(known, file)
        self.may_keep(stamp)  # or nothing that hangs on this file is remembered
        return known.facts if known.stamp == stamp else {}

    def keep(self, file: str, name: str, fact: Any) -> None:
        """Remember a fact about a file; its stamp was taken before it was read."""
        known = self._file(file)
        stamp = self._looked(known, file)
        if not self.may_keep(stamp):
            return
        if known.stamp is not None and known.stamp != stamp:
            self.met = max(self.met, change_of(known.facts))
        known.learn(stamp, name, fact)
        self._dirty.add(paths.parent(file))

    def stamp(self, file: str) -> Stamp | None:
        """Return the stamp of a file, which is looked at once; None for one that is gone."""
        return self._looked(self._file(file), file)

    def stamp_of_directory(self, directory: str) -> Stamp | None:
        """Return the stamp of a directory, which is looked at once; None for one that is gone."""
        return self._looked(self._row(directory), directory)

    def _looked(self, seen: _Seen, path: str) -> Stamp | None:
        if seen.now is _UNSEEN:
            seen.now = self._look(path)
            if seen.now == seen.stamp:
                seen.now = seen.stamp  # one text instead of two
        return seen.now

    def _look(self, path: str) -> Stamp | None:
        place = self._root if path == paths.ROOT else f"{self._root}/{path}"
        try:
            may_be_link = path in (paths.ROOT, self._linkable)
            status = os.stat(place) if may_be_link else os.lstat(place)
        except (OSError, ValueError):
            return None
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)):
            return None
        stamp = stamp_of(status)
        if touched(status) + SETTLED_NS >= self._now:
            self._young.add(stamp)
        return stamp

    def may_keep(self, stamp: Stamp | None) -> TypeGuard[Stamp]:
        """Tell whether a stamp is so old that no later edit can have the same."""
        if stamp is not None and stamp not in self._young:
            return True
        self.is_settled = False
        return False

    def changed(self, top: str) -> tuple[list[str], list[str]]:
        """Return the directories and files below one that are not as they were remembered."""
        directories: list[str] = []
        files: list[str] = []
        for directory, row in self._rows_below(top):
            now = self._looked(row, directory)
            if now is None:
                self._forget(directory)
                continue
            if row.names is not None and row.stamp != now:
                directories.append(directory)
            place = f"{self._root}/{directory}/"
            for name, stamp in row.known_files:
                try:
                    found = stamp_of(os.lstat(place + name))
                except OSError:
                    found = ""
                if found != stamp:
                    files.append(f"{directory}/{name}")
        return directories, files

    def _forget(self, directory: str) -> None:
        """Let go of what is known of a directory that is gone."""
        self.met = Change.STRUCTURE
        self._rows[directory] = _Row()
        self._last_path = ""
        self._lines.put(directory, None)

    @property
    def is_whole(self) -> bool:
        """Whether nothing of what was remembered has been lost."""
        return self._lines.is_whole

    @property
    def is_as_before(self) -> bool:
        """Whether nothing of the graph has changed since its state was written down."""
        from yg.disk.state import is_as_packed

        state = self._lines.get_large(STATE)
        return state is not None and is_as_packed(self._root, self._linkable, state)

    def keep_state(self) -> None:
        """Write down, in the end, the stamps of all that is known of the graph by then."""
        self._has_state = True

    def _known_below(self, top: str) -> Iterator[Stamped]:
        for directory, row in self._rows_below(top):
            yield directory, row.stamp if row.names is not None else None, row.known_files

    def _rows_below(self, top: str) -> Iterator[tuple[str, _Row]]:
        """Yield what is known of a directory and all below it but hidden ones."""
        known = {*self._lines.keys(), *self._rows}
        for directory in sorted(known):
            if paths.is_inside(directory, top) and "/." not in directory:
                yield directory, self._row(directory)

    def names(self, directory: str) -> list[str] | None:
        """Return the visible names that were remembered, whether or not they are still true."""
        names = self._row(directory).names
        return None if names is None else _visible(names)

    def old_facts(self, file: str) -> Facts:
        """Return the facts that were remembered, whether or not they are still true."""
        return self._file(file).facts

    def memo(self, name: str) -> Any:
        """Return what is remembered of the graph as a whole under a name."""
        return self._lines.get_large(name)

    def keep_memo(self, name: str, entry: Any) -> None:
        """Remember something about the graph as a whole; it tells what makes it untrue."""
        self._lines.put_large(name, entry)
        self._new_memos.add(name)

    def save(self) -> bool:
        """Write down what is new, and tell whether anything was written."""
        if self.met:
            self._forget_memos()
        if self._has_state:
            from yg.disk.state import packed_state

            self._lines.put_large(STATE, packed_state(self._known_below(self._linkable)))
        for directory in self._dirty:
            self._lines.put(directory, self._rows.pop(directory).entry)
        has_written = self._lines.save()
        self._lines.close()
        self._dirty.clear()
        self._last_path = ""
        return has_written

    def _forget_memos(self) -> None:
        """Take away what the changes that were met make untrue."""
        for key in self._lines.large_keys:
            if key not in (STATE, *self._new_memos) and not self._outlives(key):
                self._lines.put_large(key, None)

    def _outlives(self, memo: str) -> bool:
        match self._lines.get_large(memo):
            case {"sensitivity": int(sensitivity)}:
                return self.met < sensitivity
        return False

    def _file(self, path: str) -> _File:
        if path != self._last_path:  # most are asked for twice in a row
            files, name = self._row(paths.parent(path)).files, paths.name_of(path)
            if name not in files:
                files[intern(name)] = _File()
            self._last_path, self._last_file = path, files[name]
        return self._last_file

    def _row(self, directory: str) -> _Row:
        row = self._rows.get(directory)
        if row is None:
            entry = self._lines.get(directory)
            if entry is not None and not _is_row(entry):  # not of our making
                entry, self.met, self.is_settled = None, Change.STRUCTURE, False
            row = self._rows[directory] = _Row(entry)
        return row


def _is_row(entry: Any) -> bool:
    """Tell whether an entry has the shape in which rows are written."""
    try:
        stamp, names, files = entry
        shapes = {(type(known), type(facts)) for known, facts in files.values()}
    except (AttributeError, TypeError, ValueError):
        return False
    is_listing = names is None or (isinstance(names, list) and all(map(_is_name, names)))
    return isinstance(stamp, str | None) and is_listing and shapes <= {(str, dict)}


def _is_name(name: Any) -> bool:
    return type(name) is str and name[:1] in _KINDS


def visible_names(names: Mapping[str, Kind]) -> list[str]:
    """Write the names that can be part of a graph as they are remembered."""
    return _visible(_written(names))


def _written(names: Mapping[str, Kind]) -> list[str]:
    return [intern(_LETTERS[kind] + name) for name, kind in names.items()]


def _visible(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith(".", 1)]
