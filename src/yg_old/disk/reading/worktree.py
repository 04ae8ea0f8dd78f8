"""The work tree as a Snapshot; directories and files are read on first access."""

from __future__ import annotations

import os
import stat
from functools import cached_property
from operator import attrgetter
from sys import intern
from typing import TYPE_CHECKING, TypeVar

from yg_old.disk.files.stamps import stamp_of
from yg_old.disk.index.cached_text import CachedText, HeldTexts
from yg_old.disk.index.changes import DECLARATIONS
from yg_old.disk.index.directories import kind_of
from yg_old.disk.index.private import cache_folder
from yg_old.disk.index.results import always
from yg_old.disk.index.store import Index
from yg_old.kernel.digest import HEAD
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import MAX_TEXT, PIECE, Kind, Text, too_large, visible_names
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from yg_old.disk.git.ignore import Visibility
    from yg_old.disk.index.changes import ChangeKind
    from yg_old.disk.index.database import Databases
    from yg_old.disk.index.rows import Directory
    from yg_old.kernel.codec import Codec
    from yg_old.kernel.snapshot import Names

T = TypeVar("T")

# Never follow a link, never wait for the other end of a FIFO.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_NAME = attrgetter("name")


class WorkTree:
    """The files below a directory. Each is read at most once; no link leads outside."""

    def __init__(
        self,
        root: str,
        graph: str,
        *,
        uses_index: bool = False,
        databases: Databases | None = None,
    ) -> None:
        """Open the tree at `root`; only the directory `graph` may be a link."""
        self.root = root
        self.graph = graph
        self._kinds: dict[str, Kind | None] = {paths.ROOT: Kind.DIRECTORY}
        self._listed: dict[str, Mapping[str, Kind]] = {}
        self._reached: set[str] = set()  # directories of the graph with no link above them
        self._compared: set[str] = set()  # directories of texts, seen by the index
        self._texts: dict[str, Text] = {}
        self._held = HeldTexts()
        self.computed: dict[str, bytes] = {}  # values of recipes, if there is no index
        self._read = self.read  # one bound method for all texts
        self.index: Index | None = None
        if uses_index and (folder := cache_folder(root, graph)):
            self.index = Index(root, graph, folder, self._reads_well, databases)

    @property
    def visible(self) -> Visibility:
        """The files outside the graph that version control does not ignore."""
        if self.index is not None:
            self.index.used.note_view()
        return self._visible

    @cached_property
    def _visible(self) -> Visibility:
        from yg_old.disk.git.ignore import Visibility

        return Visibility(self.root, self.graph)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Notes for the user on how the files were found."""
        return self._visible.notes

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        listed = self._listed.get(directory)
        if listed is None:
            known = self._known(directory)
            listed = self._read_entries(directory) if known is None else known.entries()
            self._listed[directory] = listed
        return listed

    def names(self, directory: str) -> Names:
        """Return the names in a directory by kind, without dot-names; raises UnreadableError."""
        known = self._known(directory) if directory not in self._listed else None
        if known is not None:
            return known.names
        entries = self.entries(directory)
        known = self._known(directory)  # the index has stored it by now
        return visible_names(entries) if known is None else known.names

    def _known(self, directory: str) -> Directory | None:
        """Return a directory of the graph from the index, if it has not changed."""
        if self.index is None or not self.is_of_graph(directory):
            return None
        known = self.index.directories.get(directory)
        # The index checks that the directory itself is not a link; its parents are checked here.
        is_reached = paths.parent(directory) in self._reached or self.kind(directory) is not None
        if known is None or not is_reached:
            return None
        self._reached.add(directory)
        return known

    def _read_entries(self, directory: str) -> Mapping[str, Kind]:
        if self.kind(directory) not in (Kind.DIRECTORY, None):
            raise UnreadableError(directory, "not a directory")
        if self.index is None:
            return self._scan(directory)[0]
        if not self.is_of_graph(directory):
            self._note_search(directory)
            return self._scan(directory)[0]
        self.index.stamps.get(directory)  # before its names are read
        entries, stamps = self._scan(directory)
        self.index.directories.keep(directory, entries, stamps)
        return entries

    def _scan(self, directory: str) -> tuple[dict[str, Kind], dict[str, bytes]]:
        """Read the names in a directory, and the stamps of its files if there is an index."""
        try:
            with os.scandir(self._reachable(directory)) as found:
                entries = sorted(found, key=_NAME)
                names = {intern(entry.name): kind_of(entry) for entry in entries}
                stamps = {
                    entry.name: stamp_of(entry.stat(follow_symlinks=False))
                    for entry in entries
                    if self.index is not None and names[entry.name] is Kind.FILE
                }
        except (OSError, ValueError) as error:
            raise self._unreadable(directory, error) from error
        return names, stamps

    def _note_search(self, directory: str) -> None:
        """Record that the result depends on the names in a directory."""
        if self.index is None:
            return
        if paths.is_inside(directory, self.graph) and not self.is_of_graph(directory):
            # Baselines: a sync does not change which source files there are.
            self.index.used.note_reading(directory)
        else:
            self.index.used.note_search(directory)

    def note_reading(self, path: str) -> None:
        """Record that the result depends on the content of a file."""
        if self.index is None:
            return
        if self.is_of_graph(path):
            self._list_for(path)
        else:
            self.index.used.note_reading(path)

    def is_of_graph(self, path: str) -> bool:
        """Return whether a path belongs to the graph, without dot-names."""
        return paths.is_inside(path, self.graph) and "/." not in path

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""
        if path in self._kinds:
            return self._kinds[path]
        directory = paths.parent(path)
        # The graph directory in the root may be a link.
        if directory in self._listed and directory != paths.ROOT:
            self._note_hidden(path)
            return self._listed[directory].get(paths.name_of(path))
        if len(path) > paths.LONGEST or (".." in path and paths.normalise(path) != path):
            return None
        if not self._is_directory(directory):
            self._kinds[path] = None
            return None
        self._kinds[path] = found = self._find(path)
        return found

    def _find(self, path: str) -> Kind | None:
        """Return the kind of a path in a directory.

        If it is one of the graph, the index must know all its names, to notice any change.
        """
        directory = paths.parent(path)
        if self.index is None or not self.is_of_graph(directory):
            self._note_search(directory)
            return self._look(path)
        self._note_hidden(path)
        known = self._known(directory)
        if known is not None:
            return known.kind(paths.name_of(path))
        try:
            return self.entries(directory).get(paths.name_of(path))
        except UnreadableError:
            return self._look(path)  # nothing is cached then

    def _note_hidden(self, path: str) -> None:
        """Record that the result depends on a dot-name, which the graph itself does not."""
        if not self.is_of_graph(path):
            self._note_search(paths.parent(path))

    def _is_directory(self, path: str) -> bool:
        """Return whether a path is a directory, and not behind a link."""
        if self._kinds.get(path) is Kind.DIRECTORY:
            return True  # so those above it are directories, too
        for part in (*paths.lineage(path), path):
            if part not in self._kinds:
                self._kinds[part] = self._find(part)
            if self._kinds[part] is not Kind.DIRECTORY:
                return False
        return True

    def recall(self, name: str, codec: Codec[T], compute: Callable[[], T]) -> T:
        """Return a result cached under a name, or compute it from the graph's declarations."""
        return self.result(name, DECLARATIONS, codec, compute)

    def revise(self, name: str, codec: Codec[T], update: Callable[[T | None], T]) -> T:
        """Return the new version of a cached result: `update` gets the old one, None at first."""
        return (
            update(None) if self.index is None else self.index.results.revise(name, codec, update)
        )

    def result(  # noqa: PLR0913
        self,
        name: str,
        depends: ChangeKind,
        codec: Codec[T],
        compute: Callable[[], T],
        *,
        holds: Callable[[T], bool] = always,
        amend: Callable[[T, tuple[str, ...]], T | None] | None = None,
    ) -> T:
        """Return a result cached under a name, or compute it; `depends` names its inputs."""
        if self.index is None:
            return compute()
        return self.index.results.get(
            name, depends, codec, compute, self._visible, holds=holds, amend=amend
        )

    def readings(self, tree: str, file: str, recipe: str) -> Mapping[str, bytes]:
        """Return the cached results of a recipe for all files of one name, by directory."""
        return {} if self.index is None else self.index.files.readings(tree, file, recipe)

    def measured(self, directory: str) -> Collection[str]:
        """Return the names of files in a directory that are known to be readable text."""
        return () if self.index is None else self.index.lengths.measured(directory)

    def text(self, path: str) -> Text:
        """Return the text of a file, which is read on first access."""
        text = self._texts.get(path)
        if text is None:
            if self.index is None:
                text = Text(path, self._read)
            elif paths.is_inside(path, self.graph):
                self.note_reading(path)
                text = CachedText(path, self._read, self.index, self._held)
            else:
                self.index.used.note_document(path)
                text = CachedText(path, self._content, self.index, self._held)
            self._texts[path] = text
        return text

    def _reads_well(self, path: str) -> bool:
        """Return whether a file is text without a conflict; callable while its directory is read.

        A change from one such text to another is no reason to look for errors again.
        """
        text = self._texts.get(path) or Text(path, self._content)
        return not text.fault and not text.conflict

    def _list_for(self, path: str) -> None:
        """List the directory of a graph file, because the index compares whole directories."""
        directory = paths.parent(path)
        if directory in self._compared or directory in self._listed:
            return
        self._compared.add(directory)
        if self._known(directory) is None:
            try:
                self.entries(directory)
            except UnreadableError:
                return  # reading the file reports it

    def _look(self, path: str) -> Kind | None:
        follow = path == self.graph
        try:
            mode = os.stat(self._absolute(path), follow_symlinks=follow).st_mode
        except (OSError, ValueError):  # missing, or an invalid name
            return None
        return _mode_kind(mode)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT."""
        self.note_reading(path)
        return self._content(path)

    def _content(self, path: str) -> bytes:
        handle, size = self._opened(path)
        try:
            return _text_of(path, handle, size)
        except OSError as error:
            raise self._unreadable(path, error) from error
        finally:
            os.close(handle)

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file of any size piece by piece; raises UnreadableError."""
        self.note_reading(path)
        handle, _ = self._opened(path)
        try:
            while piece := os.read(handle, length):
                yield piece
        except OSError as error:
            raise self._unreadable(path, error) from error
        finally:
            os.close(handle)

    def _opened(self, path: str) -> tuple[int, int]:
        """Open a regular file; return its handle and its size."""
        try:
            handle = os.open(self._reachable(path), _FLAGS | _BINARY)
        except (OSError, ValueError) as error:
            raise self._unreadable(path, error) from error
        try:
            status = os.fstat(handle)
        except OSError as error:
            os.close(handle)
            raise self._unreadable(path, error) from error
        if not stat.S_ISREG(status.st_mode):
            os.close(handle)
            raise UnreadableError(path, "not a regular file")
        return handle, status.st_size

    def _unreadable(self, path: str, error: OSError | ValueError) -> UnreadableError:
        """Return the error for a path; nothing is cached then, as the cause may be temporary."""
        if self.index is not None:
            self.index.stamps.is_cacheable = False
        return UnreadableError(path, _reason(error))

    def _reachable(self, path: str) -> str:
        """Return an absolute path; raise UnreadableError if it leaves the tree or has a link."""
        directory = paths.parent(path)
        above = Kind.DIRECTORY if directory in self._listed else self.kind(directory)
        if path != paths.ROOT and above is not Kind.DIRECTORY:
            is_file = above is Kind.FILE
            raise UnreadableError(
                path, "not a directory" if is_file else "no such file or directory"
            )
        if ".." in path and paths.normalise(path) != path:
            raise UnreadableError(path, "it is outside the repository")
        return self._absolute(path)

    def _absolute(self, path: str) -> str:
        return self.root if path == paths.ROOT else f"{self.root}/{path}"


def _text_of(path: str, handle: int, size: int) -> bytes:
    """Read a file to its end, usually at once; raises UnreadableError above MAX_TEXT."""
    pieces: list[bytes] = []
    length = 0
    if size > MAX_TEXT:
        raise too_large(path, size, os.read(handle, HEAD))
    while piece := os.read(handle, size + 1 if not pieces else PIECE):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_TEXT:  # it has grown since
            raise too_large(path, max(length, os.fstat(handle).st_size), pieces[0])
        if length == size and len(pieces) == 1:
            break
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _mode_kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return Kind.FILE
    if stat.S_ISDIR(mode):
        return Kind.DIRECTORY
    return Kind.LINK if stat.S_ISLNK(mode) else Kind.OTHER


def _reason(error: OSError | ValueError) -> str:
    """Return the reason for an error, independent of the locale."""
    import errno

    if isinstance(error, ValueError):
        return "not a valid file name on this system"
    if error.errno == errno.ELOOP:
        return "it is a link"
    if error.errno == errno.ENXIO:
        return "not a regular file"
    known = {
        PermissionError: "permission denied",
        FileNotFoundError: "no such file or directory",
        NotADirectoryError: "not a directory",
        IsADirectoryError: "it is a directory",
    }
    return known.get(type(error), f"error {error.errno}: {error.strerror}")
