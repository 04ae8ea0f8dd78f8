"""A work tree as a Snapshot: directories listed and files read when they are first asked for."""

from __future__ import annotations

import os
import stat
from functools import cached_property
from sys import intern

from yg.disk.known_text import KnownText
from yg.disk.memo import DECLARATIONS, Memos
from yg.kernel import paths
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, PIECE, Kind, Text, too_large
from yg.kernel.typed import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from yg.disk.ignore import Visibility
    from yg.disk.memory import Memory
    from yg.kernel.packing import Packs

T = TypeVar("T")

# Never follow a link, never wait for the other end of a FIFO.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class WorkTree:
    """The files below a directory. No file is read twice, nothing outside is ever read."""

    def __init__(self, root: str, linkable: str, memory: Memory | None = None) -> None:
        """Open the tree at `root`; the top-level name `linkable` alone may be a link."""
        self.root = root
        self.graph = linkable
        self.memory = memory
        self._kinds: dict[str, Kind | None] = {paths.ROOT: Kind.DIRECTORY}
        self._listed: dict[str, Mapping[str, Kind]] = {}
        self._texts: dict[str, Text] = {}
        self._read = self.read  # the same for every text
        # What was looked at besides the listings and the texts of the graph.
        self.looked_into: set[str] = set()  # directories in which single names were looked up
        self.read_outside: set[str] = set()  # files that are not of the graph

    @cached_property
    def visible(self) -> Visibility:
        """What version control sees of the tree."""
        from yg.disk.ignore import Visibility

        return Visibility(self.root)

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        listed = self._listed.get(directory)
        if listed is None:
            listed = self._listed[directory] = self._names(directory)
        return listed

    def _names(self, directory: str) -> Mapping[str, Kind]:
        if self.kind(directory) not in (Kind.DIRECTORY, None):
            raise UnreadableError(directory, "not a directory")
        if not self.is_of_graph(directory):
            self.looked_into.add(directory)
        known = self.memory.listing(directory) if self.memory else None
        if known is not None:
            return known
        try:
            with os.scandir(self._reachable(directory)) as found:
                entries = sorted(found, key=_name)
                names = {intern(entry.name): _entry_kind(entry) for entry in entries}
        except (OSError, ValueError) as error:
            raise self._unreadable(directory, error) from error
        if self.memory:
            self.memory.keep_listing(directory, names)
        return names

    def note_reading(self, path: str) -> None:
        """Note that an answer depends on what a file says."""
        if not self.is_of_graph(path):
            self.read_outside.add(path)

    def is_of_graph(self, path: str) -> bool:
        """Tell whether a path can be part of what the graph declares."""
        return paths.is_inside(path, self.graph) and "/." not in path

    def kind(self, path: str) -> Kind | None:
        """Tell what stands at a path; None for nothing, or for something behind a link."""
        if path in self._kinds:
            return self._kinds[path]
        directory = paths.parent(path)
        if directory in self._listed and directory != paths.ROOT:  # where a link may be followed
            return self._listed[directory].get(paths.name_of(path))
        if len(path) > paths.LONGEST or (".." in path and paths.normalise(path) != path):
            return None
        above = paths.ROOT
        for each in (*paths.lineage(path), path):
            if each not in self._kinds:
                self._kinds[each] = self._look(each)
                self.looked_into.add(above)
            if each != path and self._kinds[each] is not Kind.DIRECTORY:
                self._kinds[path] = None
                return None
            above = each
        return self._kinds[path]

    def recall(self, name: str, packing: Packs[T], find: Callable[[], T]) -> T:
        """Find something out of the graph's declarations, or know it from an earlier run."""
        if self.memory is None:
            return find()
        return self.memos.of(name, DECLARATIONS, packing, find)

    @cached_property
    def memos(self) -> Memos:
        """What is remembered of the graph as a whole."""
        if self.memory is None:
            raise RuntimeError("a tree without a memory remembers nothing")
        return Memos(self, self.memory)

    def text(self, path: str) -> Text:
        """Return the text of a file, which is read when it is first looked at."""
        text = self._texts.get(path)
        if text is None:
            self.note_reading(path)
            if self.memory is None:
                text = Text(path, self._read)
            else:
                text = KnownText(path, self._read, self.memory)
            self._texts[path] = text
        return text

    def _look(self, path: str) -> Kind | None:
        follow = path == self.graph
        try:
            mode = os.stat(self._absolute(path), follow_symlinks=follow).st_mode
        except (OSError, ValueError):  # nothing there, or a name that cannot exist
            return None
        return _mode_kind(mode)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT."""
        handle, size = self._opened(path)
        try:
            return _text_of(path, handle, size)
        except OSError as error:
            raise self._unreadable(path, error) from error
        finally:
            os.close(handle)

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file of any size piece by piece; raises UnreadableError."""
        handle, _ = self._opened(path)
        try:
            while piece := os.read(handle, length):
                yield piece
        except OSError as error:
            raise self._unreadable(path, error) from error
        finally:
            os.close(handle)

    def _opened(self, path: str) -> tuple[int, int]:
        """Open a regular file: return its handle, and its size as it was then."""
        self.note_reading(path)
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
        """Tell why something cannot be read, which nobody remembers: it may be so for a moment."""
        if self.memory:
            self.memory.is_settled = False
        return UnreadableError(path, _reason(error))

    def _reachable(self, path: str) -> str:
        """Return where a path is, unless it leads out of the tree or through a link."""
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
    """Read to the end, most often in one piece; raises UnreadableError if there is too much."""
    pieces: list[bytes] = []
    length = 0
    if size > MAX_TEXT:
        raise too_large(path, size)
    while piece := os.read(handle, size + 1 if not pieces else PIECE):
        pieces.append(piece)
        length += len(piece)
        if length > MAX_TEXT:  # it has grown since
            raise too_large(path, max(length, os.fstat(handle).st_size))
        if length == size and len(pieces) == 1:
            break
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _name(entry: os.DirEntry[str]) -> str:
    return entry.name


def _entry_kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return Kind.LINK
    if entry.is_file(follow_symlinks=False):
        return Kind.FILE
    return Kind.DIRECTORY if entry.is_dir(follow_symlinks=False) else Kind.OTHER


def _mode_kind(mode: int) -> Kind:
    if stat.S_ISREG(mode):
        return Kind.FILE
    if stat.S_ISDIR(mode):
        return Kind.DIRECTORY
    return Kind.LINK if stat.S_ISLNK(mode) else Kind.OTHER


def _reason(error: OSError | ValueError) -> str:
    """Name what went wrong in words that do not depend on the locale."""
    import errno

    if isinstance(error, ValueError):
        return "its name cannot exist on this machine"
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
