"""Apply Edits: atomic for each file, confined to one directory, never through a link."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from yg.disk.temporary import clear_abandoned, clear_abandoned_below, temporary_path
from yg.kernel import paths
from yg.kernel.edit import Copy, Delete, MakeDirectory, Rename, Write
from yg.kernel.errors import YgError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.kernel.edit import Edit

LINKABLE = ".yggdrasil"  # the only directory that may be a link
BATCH = 500  # files that are written and synced before the first one is renamed


class ApplyError(YgError):
    """An edit failed; the edits before it are complete."""

    code = "cannot-write"

    @property
    def is_local(self) -> bool:
        """Whether the cause concerns only this path, so that others can still be written."""
        local = (IsADirectoryError, NotADirectoryError)
        is_too_long = getattr(self.__cause__, "errno", 0) == errno.ENAMETOOLONG
        return isinstance(self.__cause__, local) or is_too_long


def cleared_applier(root: str, folder: str) -> Applier:
    """Return an Applier for a folder, after removing temporary files of interrupted runs there."""
    applier = Applier(root, folder)
    applier.clear(folder, below=True)
    return applier


class Applier:
    """Applies edits to the files inside one directory of a repository."""

    def __init__(self, root: str, within: str = paths.ROOT) -> None:
        """Confine edits to the path `within`."""
        self._root = root
        self._within = within
        self._cleared: set[str] = set()  # directories already cleared of abandoned files
        self._has_applied = False  # whether an edit is complete

    def apply(self, edits: Iterable[Edit]) -> None:
        """Apply edits in order; raises ApplyError at the first that fails."""
        writes: list[Write] = []
        for edit in edits:
            if isinstance(edit, Write) and len(writes) < BATCH:
                writes.append(edit)
                continue
            self._write(writes)
            writes = [edit] if isinstance(edit, Write) else []
            if isinstance(edit, Delete):
                self._delete(edit.path)
            elif isinstance(edit, MakeDirectory):
                with self._convert_errors(edit.path):
                    self._confined(f"{edit.path}/x", make_directories=True)
            elif isinstance(edit, Rename):
                self._rename(edit.path, edit.to)
            elif isinstance(edit, Copy):
                self._copy(edit.path, edit.to)
        self._write(writes)

    def _write(self, writes: Sequence[Write]) -> None:
        """Write and sync all contents to temporary files, then rename them into place."""
        ready: list[tuple[str, str, str]] = []
        try:
            for edit in writes:
                with self._convert_errors(edit.path):
                    target = self._confined(edit.path, make_directories=True)
                    if os.path.islink(target):
                        raise ApplyError(f"'{edit.path}' is a link", hint="Links are not written.")
                    temporary = temporary_path(self._clear(os.path.dirname(target)))
                    ready.append((temporary, target, edit.path))
                    _write_file(temporary, edit.content)
            for temporary, target, path in ready:
                with self._convert_errors(path):
                    os.replace(temporary, target)
                self._has_applied = True
        finally:
            for temporary, _, _ in ready:
                with suppress(OSError):
                    os.unlink(temporary)

    def clear(self, directory: str, *, below: bool = False) -> None:
        """Remove abandoned temporary files from a directory, with `below` also recursively."""
        try:
            folder = os.path.dirname(self._confined(paths.join(directory, "x")))
        except (OSError, ApplyError):
            return  # the directory is missing or behind a link
        if below:
            clear_abandoned_below(folder)
        else:
            clear_abandoned(folder)

    def _clear(self, directory: str) -> str:
        if directory not in self._cleared:
            self._cleared.add(directory)
            clear_abandoned(directory)
        return directory

    def _delete(self, path: str) -> None:
        with self._convert_errors(path):
            os.unlink(self._confined(path))
        self._has_applied = True
        self._remove_empty(paths.parent(path))

    def _remove_empty(self, directory: str) -> None:
        """Remove a directory and those above it, as long as they are empty."""
        with suppress(OSError):  # not empty, the usual case
            while directory != self._within and paths.is_inside(directory, self._within):
                os.rmdir(self._confined(directory))
                directory = paths.parent(directory)

    def _rename(self, path: str, to: str) -> None:
        with self._convert_errors(to):
            source = self._confined(path)
            target = self._confined(to, make_directories=True)
            if os.path.lexists(target):
                raise ApplyError(f"cannot rename '{path}': '{to}' exists", hint="Move it away.")
            os.rename(source, target)
        self._has_applied = True
        self._remove_empty(paths.parent(path))

    def _copy(self, path: str, to: str) -> None:
        with self._convert_errors(to):
            content = read_file(self._confined(path))
            if os.path.lexists(self._confined(to, make_directories=True)):
                raise ApplyError(f"cannot copy '{path}': '{to}' exists", hint="Move it away.")
        self._write([Write(to, content)])

    def _confined(self, path: str, *, make_directories: bool = False) -> str:
        """Return an absolute path inside the directory; raise ApplyError if a link leads to it."""
        if paths.normalise(path) != path or not paths.is_inside(path, self._within):
            raise ApplyError(f"'{path}' is outside {self._within}/", hint="Nothing was written.")
        for directory in paths.lineage(path)[1:]:
            if directory == LINKABLE and os.path.isdir(os.path.join(self._root, directory)):
                continue
            absolute = os.path.join(self._root, directory)
            if make_directories and not os.path.lexists(absolute):
                with suppress(FileExistsError):
                    os.mkdir(absolute)
            if not stat.S_ISDIR(os.lstat(absolute).st_mode):
                raise ApplyError(
                    f"'{directory}' is a link or a file, but must be a directory",
                    hint="Replace it with a directory; links are not followed.",
                ) from (NotADirectoryError(absolute) if directory != self._within else None)
        return os.path.join(self._root, path)

    @contextmanager
    def _convert_errors(self, path: str) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a valid file name"
            written = "Earlier files are complete. " if self._has_applied else ""
            hint = f"{written}Fix the cause and run it again."
            raise ApplyError(f"cannot write '{path}': {reason}", hint=hint) from error


def read_file(path: str) -> bytes:
    """Read a regular file, never through a link; raises OSError."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        return file.read()


def _write_file(path: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags, 0o666)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(handle)
