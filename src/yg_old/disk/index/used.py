"""What results depend on besides the graph: paths outside it, and which files are ignored."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from yg_old.disk.files.stamps import look
from yg_old.disk.index.changes import NO_CHANGE, ChangeKind
from yg_old.disk.index.rows import Used
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg_old.disk.index.database import Database, Table
    from yg_old.disk.index.seen import SeenStamps

T = TypeVar("T")

_TABLES = {
    ChangeKind.PLACES: "places",
    ChangeKind.HIDDEN: "hidden",
    ChangeKind.CONTENTS: "contents",
    ChangeKind.SOURCES: "sources",
    ChangeKind.DOCUMENTS: "documents",
}


class UsedPaths:
    """The paths that results depend on and that are not files of the graph, by kind of change."""

    def __init__(self, database: Database, stamps: SeenStamps, root: str, graph: str) -> None:
        self._database = database
        self._stamps = stamps
        self._root = root
        self._graph = graph
        self._used: dict[ChangeKind, set[str]] = {kind: set() for kind in _TABLES}
        self._compared = NO_CHANGE  # which kinds have been compared
        self._reader = ChangeKind.CONTENTS  # the kind of the files that are being read
        self._is_view_used = False  # whether it was asked which files are ignored
        self._replaced: dict[str, Used] = {}  # the rows of directories with changed sources
        self.changes = NO_CHANGE  # of these paths, found in this run

    # Noting what a result uses.

    def note_search(self, directory: str) -> None:
        """Record that results depend on the names in a directory outside the graph."""
        self._used[ChangeKind.PLACES].add(directory)

    def note_reading(self, path: str) -> None:
        """Record that results depend on a file outside the graph or in a hidden directory."""
        is_hidden = paths.is_inside(path, self._graph)
        self._used[ChangeKind.HIDDEN if is_hidden else self._reader].add(path)

    def note_document(self, path: str) -> None:
        """Record that results depend on a text outside the graph that the graph refers to."""
        self._used[ChangeKind.DOCUMENTS].add(path)

    def note_view(self) -> None:
        """Record that results depend on which files are ignored."""
        self._is_view_used = True

    def observe(self, compute: Callable[[], T], depends: ChangeKind) -> tuple[T, bool]:
        """Compute a result; return also whether it depends on which files are ignored."""
        reader, is_view_used = self._reader, self._is_view_used
        self._reader = depends & ChangeKind.SOURCES or ChangeKind.CONTENTS
        self._is_view_used = False
        try:
            found = compute()
            return found, self._is_view_used
        finally:
            # A result that needs this one depends on the same files.
            self._reader = reader
            self._is_view_used = is_view_used or self._is_view_used

    # Comparing with the last run.

    def compare(self, depends: ChangeKind) -> None:
        """Record the changes outside the graph that a result depends on."""
        for change, name in _TABLES.items():
            if depends & change and change not in self._compared:
                self._compared |= change
                table = self._database.used[name]
                if self._database.is_whole(table) and not self._are_unchanged(table):
                    self.changes |= change

    def _are_unchanged(self, table: Table[Used]) -> bool:
        """Compare the used paths of one kind; remove the rows of directories with a change."""
        changed = [
            directory
            for directory, known in table.all().items()
            if known is not None and not self._is_unchanged(directory, known)
        ]
        for directory in changed:
            known = table.get(directory)
            if known is not None and table is self._database.used[_TABLES[ChangeKind.SOURCES]]:
                self._replaced[directory] = known
            table.put(directory, None)
        return not changed

    def _is_unchanged(self, directory: str, known: Used) -> bool:
        if directory == paths.ROOT:  # the root and the graph may be links
            return all(self._stamps.take(name) == stamp for name, stamp in known.stamps.items())
        place = f"{self._root}/{directory}"
        return all(look(f"{place}/{name}") == stamp for name, stamp in known.stamps.items())

    # Amending a result after changes of some sources.

    def changed_sources(self) -> tuple[str, ...]:
        """Return the source files that differ from the last run, sorted."""
        return tuple(
            sorted(
                paths.join(directory, name)
                for directory, known in self._replaced.items()
                for name, stamp in known.stamps.items()
                if self._stamps.take(paths.join(directory, name)) != stamp
            )
        )

    def note_replaced(self) -> None:
        """Record that an amended result depends on the same sources as before."""
        for directory, known in self._replaced.items():
            for name in known.stamps:
                self._used[ChangeKind.SOURCES].add(paths.join(directory, name))

    def restore(self) -> None:
        """Undo the comparison of sources, so that the stored result can be amended again."""
        table = self._database.used[_TABLES[ChangeKind.SOURCES]]
        for directory, known in self._replaced.items():
            table.put(directory, known)
        self._replaced = {}
        self._compared &= ~ChangeKind.SOURCES
        self.changes &= ~ChangeKind.SOURCES

    # Storing.

    def look(self, depends: ChangeKind) -> None:
        """Take the stamps of all paths of some kinds: one that is too recent prevents caching."""
        for kind, used in self._used.items():
            if depends & kind:
                for path in used:
                    self._stamps.get(path)

    def keep(self) -> None:
        """Store the stamps of all paths that were used."""
        for kind, used in self._used.items():
            table = self._database.used[_TABLES[kind]]
            found: dict[str, dict[str, bytes | None]] = {}
            for path in sorted(used):
                stamps = found.setdefault(paths.parent(path), {})
                stamps[paths.name_of(path)] = self._stamps.get(path)
            for directory, stamps in found.items():
                known = table.get(directory)
                before = known.stamps if known is not None else {}
                if any(name in before and before[name] != stamps[name] for name in stamps):
                    self.changes |= kind
                merged = {**before, **stamps}
                after = {name: stamp for name, stamp in merged.items() if stamp is not None}
                if after != before:
                    table.put(directory, Used(after) if after else None)
