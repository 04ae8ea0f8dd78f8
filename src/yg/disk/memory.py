"""What earlier runs found out about files, as far as the files are still the same.

A file or directory is the same if its stamp is: size, times of change, inode. Stamps too young to
be told from those of a later edit within the same clock tick are not kept. Whatever is damaged,
of another version or not writable only costs time: it is then found out again.
"""

from __future__ import annotations

import os
import stat
import time

from yg.disk.lines import Lines
from yg.kernel import paths
from yg.kernel.snapshot import Kind
from yg.kernel.typed import TYPE_CHECKING, Any, TypeAlias, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg.disk.state import Stamped

# File systems stamp files by coarse clocks, some of them by other machines' clocks.
SETTLED_NS = 2_000_000_000
STATE = "stamps"  # the key of the stamps of the whole graph

EXTENT, DIGEST = "extent", "digest"  # facts that other facts do not hang on
_LETTERS = {Kind.FILE: "f", Kind.DIRECTORY: "d", Kind.LINK: "l", Kind.OTHER: "o"}
_KINDS = {letter: kind for kind, letter in _LETTERS.items()}

Stamp: TypeAlias = tuple[int, int, int, int]  # size, mtime_ns, ctime_ns, inode
Facts: TypeAlias = dict[str, Any]


def stamp_of(status: os.stat_result) -> Stamp:
    """Return what identifies one state of a file without reading it."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


class Change:
    """How much a change matters to what is remembered of the graph as a whole."""

    NOTHING = 0
    TEXT = 1  # a text says something else, and can still be read
    STRUCTURE = 2  # a declaration, or which files there are


def change_of(facts: Facts) -> int:
    """Tell how much it matters that a file is no longer as its facts say."""
    return Change.TEXT if facts.keys() <= {EXTENT, DIGEST} else Change.STRUCTURE


class _Row:
    """What is known of one directory: its names, and facts about files in it."""

    __slots__ = ("files", "names", "stamp")

    def __init__(self, entry: Any) -> None:
        stamp, names, files = entry or (None, None, {})
        self.stamp: Stamp | None = tuple(stamp) if stamp else None
        self.names: list[str] | None = names
        self.files: dict[str, list[Any]] = files  # name: stamp and facts


class Memory:
    """The facts about files and directories that one run knows, from before or by itself."""

    def __init__(self, root: str, linkable: str) -> None:
        """Remember for the tree at `root`, whose name `linkable` alone may be a link."""
        self._root = root
        self._linkable = linkable
        self._now = time.time_ns()
        self._lines = Lines(root)
        self._rows: dict[str, _Row] = {}
        self._known: dict[str, Facts] = {}
        self._stamps: dict[str, Stamp | None] = {}
        self._dirty: set[str] = set()
        self.met = Change.NOTHING  # the greatest change that was met, and is no longer to be seen
        self._new_memos: set[str] = set()
        self.held = 0  # characters of texts that were read, for those who count them
        self.is_settled = True  # whether all that was asked for could be kept

    def listing(self, directory: str) -> dict[str, Kind] | None:
        """Return the names in a directory that has not changed since they were read."""
        row = self._row(directory)
        if row.names is None or row.stamp != self.stamp(directory):
            return None
        return {name[1:]: _KINDS[name[0]] for name in row.names}

    def keep_listing(self, directory: str, names: Mapping[str, Kind]) -> None:
        """Remember the names in a directory; its stamp was taken before they were read."""
        row, stamp = self._row(directory), self.stamp(directory)
        found = _written(names)
        if row.names is not None and _visible(row.names) != _visible(found):
            self.met = max(self.met, Change.STRUCTURE)
        if self.may_keep(stamp):
            row.names, row.stamp = found, stamp
            kept = {name[1:] for name in found}
            row.files = {name: entry for name, entry in row.files.items() if name in kept}
            self._dirty.add(directory)

    def facts(self, file: str) -> Facts:
        """Return what is known of a file as it is now."""
        known = self._known.get(file)
        if known is None:
            known = self._known[file] = self._recalled(file)
        return known

    def _recalled(self, file: str) -> Facts:
        entry = self._row(paths.parent(file)).files.get(paths.name_of(file))
        stamp = self.stamp(file)
        if stamp is None or not self._has_settled(stamp):
            self.is_settled = False
        if entry is None or tuple(entry[0]) != stamp:
            return {}
        facts: Facts = entry[1]
        return facts

    def keep(self, file: str, name: str, fact: Any) -> None:
        """Remember a fact about a file; its stamp was taken before it was read."""
        facts, stamp = self.facts(file), self.stamp(file)
        facts[name] = fact
        if not self.may_keep(stamp):
            return
        directory, base = paths.parent(file), paths.name_of(file)
        row = self._row(directory)
        before = row.files.get(base)
        if before is not None and tuple(before[0]) != stamp:
            self.met = max(self.met, change_of(before[1]))
        row.files[base] = [stamp, facts]
        self._dirty.add(directory)

    def stamp(self, path: str) -> Stamp | None:
        """Return the stamp of a file or directory, which is looked at once; None for a gone one."""
        if path not in self._stamps:
            self._stamps[path] = self._look(path)
        return self._stamps[path]

    def _look(self, path: str) -> Stamp | None:
        place = self._root if path == paths.ROOT else f"{self._root}/{path}"
        try:
            may_be_link = path in (paths.ROOT, self._linkable)
            status = os.stat(place) if may_be_link else os.lstat(place)
        except (OSError, ValueError):
            return None
        is_plain = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
        return stamp_of(status) if is_plain else None

    def may_keep(self, stamp: Stamp | None) -> TypeGuard[Stamp]:
        """Tell whether a stamp is so old that no later edit can have the same."""
        if stamp is not None and self._has_settled(stamp):
            return True
        self.is_settled = False
        return False

    def _has_settled(self, stamp: Stamp) -> bool:
        _, modified, changed, _ = stamp
        return max(modified, changed) + SETTLED_NS < self._now

    def changed(self, top: str) -> tuple[list[str], list[str]]:
        """Return the directories and files below one that are not as they were remembered."""
        directories: list[str] = []
        files: list[str] = []
        for directory, row in self._rows_below(top):
            now = self.stamp(directory)
            if now is None:
                self._forget(directory)
                continue
            if row.names is not None and row.stamp != now:
                directories.append(directory)
            place = f"{self._root}/{directory}/"
            for name, (stamp, _) in row.files.items():
                try:
                    found = os.lstat(place + name)
                except OSError:
                    files.append(f"{directory}/{name}")
                    continue
                if stamp_of(found) != tuple(stamp):
                    files.append(f"{directory}/{name}")
        return directories, files

    def _forget(self, directory: str) -> None:
        """Let go of what is known of a directory that is gone."""
        self.met = Change.STRUCTURE
        self._rows[directory] = _Row(None)
        self._lines.put(directory, None)

    @property
    def is_whole(self) -> bool:
        """Whether nothing of what was remembered has been lost."""
        return self._lines.is_whole

    def is_as_before(self, top: str) -> bool:
        """Tell whether nothing below a directory has changed since its state was written down."""
        from yg.disk.state import is_as_packed

        state = self._lines.get_large(STATE)
        return state is not None and is_as_packed(self._root, top, state)

    def keep_state(self, top: str) -> None:
        """Write down the stamps of all that is known below a directory, once all of it is."""
        from yg.disk.state import packed_state

        self._lines.put_large(STATE, packed_state(self._known_below(top)))

    def _known_below(self, top: str) -> Iterator[Stamped]:
        for directory, row in self._rows_below(top):
            files = ((name, stamp) for name, (stamp, _) in row.files.items())
            yield directory, row.stamp if row.names is not None else None, files

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
        entry = self._row(paths.parent(file)).files.get(paths.name_of(file))
        return entry[1] if entry else {}

    def memo(self, name: str) -> Any:
        """Return what is remembered of the graph as a whole under a name."""
        return self._lines.get_large(name)

    def keep_memo(self, name: str, entry: Any) -> None:
        """Remember something about the graph as a whole; it tells what makes it untrue."""
        self._lines.put_large(name, entry)
        self._new_memos.add(name)

    def save(self) -> None:
        """Write down what is new."""
        if self.met:
            self._forget_memos()
        self._known.clear()  # what follows needs the room
        for directory in self._dirty:
            row = self._rows.pop(directory)
            self._lines.put(directory, [row.stamp, row.names, row.files])
        self._lines.save()
        self._lines.close()
        self._dirty.clear()

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
        letters = {name[:1] for name in names or ()}
        shapes = {(type(known), type(facts)) for known, facts in files.values()}
    except (AttributeError, TypeError, ValueError):
        return False
    is_list = isinstance(stamp, list | None) and isinstance(names, list | None)
    return is_list and letters <= _KINDS.keys() and shapes <= {(list, dict)}


def visible_names(names: Mapping[str, Kind]) -> list[str]:
    """Write the names that can be part of a graph as they are remembered."""
    return _visible(_written(names))


def _written(names: Mapping[str, Kind]) -> list[str]:
    return [_LETTERS[kind] + name for name, kind in names.items()]


def _visible(names: list[str]) -> list[str]:
    return [name for name in names if not name.startswith(".", 1)]
