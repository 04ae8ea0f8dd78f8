"""A work tree as a Snapshot: directories listed and files read when they are first asked for."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind, Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Never follow a link, never wait for the other end of a FIFO.
_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)


class WorkTree:
    """The files below a directory. No file is read twice, nothing outside is ever read."""

    def __init__(self, root: str, linkable: str) -> None:
        """Open the tree at `root`; the top-level name `linkable` alone may be a link."""
        self.root = root
        self._linkable = linkable
        self._kinds: dict[str, Kind | None] = {paths.ROOT: Kind.DIRECTORY}
        self._texts: dict[str, Text] = {}

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        if self.kind(directory) not in (Kind.DIRECTORY, None):
            raise UnreadableError(directory, "not a directory")
        try:
            with os.scandir(self._reachable(directory)) as found:
                return {entry.name: _entry_kind(entry) for entry in sorted(found, key=_name)}
        except (OSError, ValueError) as error:
            raise UnreadableError(directory, _reason(error)) from error

    def kind(self, path: str) -> Kind | None:
        """Tell what stands at a path; None for nothing, or for something behind a link."""
        if path in self._kinds:  # known, so all directories above it are
            return self._kinds[path]
        if len(path) > paths.LONGEST or (".." in path and paths.normalise(path) != path):
            return None
        for each in (*paths.lineage(path), path):
            if each not in self._kinds:
                self._kinds[each] = self._look(each)
            if each != path and self._kinds[each] is not Kind.DIRECTORY:
                return None
        return self._kinds[path]

    def text(self, path: str) -> Text:
        """Return the text of a file, which is read when it is first looked at."""
        text = self._texts.get(path)
        if text is None:
            text = self._texts[path] = Text(path, self.read)
        return text

    def _look(self, path: str) -> Kind | None:
        follow = path == self._linkable
        try:
            mode = os.stat(self._absolute(path), follow_symlinks=follow).st_mode
        except (OSError, ValueError):  # nothing there, or a name that cannot exist
            return None
        return _mode_kind(mode)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError."""
        with self._opened(path) as (handle, size):
            return _read_all(handle, size)

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file piece by piece; raises UnreadableError."""
        with self._opened(path) as (handle, _):
            while piece := os.read(handle, length):
                yield piece

    @contextmanager
    def _opened(self, path: str) -> Iterator[tuple[int, int]]:
        """Open a regular file: its handle, and its size as it was then."""
        try:
            handle = os.open(self._reachable(path), _FLAGS | _BINARY)
        except (OSError, ValueError) as error:
            raise UnreadableError(path, _reason(error)) from error
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise UnreadableError(path, "not a regular file")
            yield handle, status.st_size
        except OSError as error:
            raise UnreadableError(path, _reason(error)) from error
        finally:
            os.close(handle)

    def _reachable(self, path: str) -> str:
        """Return where a path is, unless it leads out of the tree or through a link."""
        above = self.kind(paths.parent(path))
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


def _read_all(handle: int, size: int) -> bytes:
    """Read to the end; most files are had in one piece and one look at the end."""
    pieces: list[bytes] = []
    while piece := os.read(handle, size + 1 if not pieces else 1 << 20):
        pieces.append(piece)
        if len(piece) == size and len(pieces) == 1:
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
