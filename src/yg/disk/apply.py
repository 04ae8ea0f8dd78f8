"""Carries out Edits: each file whole or not at all, nothing outside, no link ever followed."""

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

LINKABLE = ".yggdrasil"  # the one directory that may stand elsewhere
BATCH = 500  # files whose content is safe on disk before the first of them gets its name


class ApplyError(YgError):
    """An edit could not be carried out; what was done before it is whole."""

    code = "cannot-write"

    @property
    def is_local(self) -> bool:
        """Whether the cause lies in this one path, so that others may still be written."""
        local = (IsADirectoryError, NotADirectoryError)
        is_too_long = getattr(self.__cause__, "errno", 0) == errno.ENAMETOOLONG
        return isinstance(self.__cause__, local) or is_too_long


class Applier:
    """Changes files inside one directory of a repository, and nothing else."""

    def __init__(self, root: str, within: str = paths.ROOT) -> None:
        """Confine edits to the path `within`."""
        self._root = root
        self._within = within
        self._cleared: set[str] = set()  # directories without temporary files of killed processes

    def apply(self, edits: Iterable[Edit]) -> None:
        """Carry out edits in order; raises ApplyError at the first that fails."""
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
                with _explained(edit.path):
                    self._confined(f"{edit.path}/x", make_directories=True)
            elif isinstance(edit, Rename):
                self._rename(edit.path, edit.to)
            elif isinstance(edit, Copy):
                self._copy(edit.path, edit.to)
        self._write(writes)

    def _write(self, writes: Sequence[Write]) -> None:
        """Write new contents beside the old ones, make sure of them, then put them in place."""
        ready: list[tuple[str, str, str]] = []
        try:
            for edit in writes:
                with _explained(edit.path):
                    target = self._confined(edit.path, make_directories=True)
                    if os.path.islink(target):
                        raise ApplyError(f"'{edit.path}' is a link", hint="Links are not written.")
                    temporary = temporary_path(self._clear(os.path.dirname(target)))
                    ready.append((temporary, target, edit.path))
                    _write_file(temporary, edit.content)
            for temporary, target, path in ready:
                with _explained(path):
                    os.replace(temporary, target)
        finally:
            for temporary, _, _ in ready:
                with suppress(OSError):
                    os.unlink(temporary)

    def clear(self, directory: str, *, below: bool = False) -> None:
        """Remove temporary files that killed processes left in a directory, or also below it."""
        try:
            folder = os.path.dirname(self._confined(paths.join(directory, "x")))
        except (OSError, ApplyError):
            return  # there is no such directory, or it is behind a link
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
        with _explained(path):
            os.unlink(self._confined(path))
        directory = paths.parent(path)
        with suppress(OSError):  # not empty, and that is the usual case
            while directory != self._within and paths.is_inside(directory, self._within):
                os.rmdir(self._confined(directory))
                directory = paths.parent(directory)

    def _rename(self, path: str, to: str) -> None:
        with _explained(to):
            source = self._confined(path)
            target = self._confined(to, make_directories=True)
            if os.path.lexists(target):
                raise ApplyError(f"cannot rename '{path}': '{to}' exists", hint="Move it away.")
            os.rename(source, target)

    def _copy(self, path: str, to: str) -> None:
        with _explained(to):
            content = _read_file(self._confined(path))
            if os.path.lexists(self._confined(to, make_directories=True)):
                raise ApplyError(f"cannot copy '{path}': '{to}' exists", hint="Move it away.")
        self._write([Write(to, content)])

    def _confined(self, path: str, *, make_directories: bool = False) -> str:
        """Return the absolute path of a place that edits may change, with no link on the way."""
        if paths.normalise(path) != path or not paths.is_inside(path, self._within):
            raise ApplyError(f"'{path}' is outside {self._within}/", hint="Nothing was written.")
        for each in paths.lineage(path)[1:]:
            if each == LINKABLE and os.path.isdir(os.path.join(self._root, each)):
                continue
            absolute = os.path.join(self._root, each)
            if make_directories and not os.path.lexists(absolute):
                with suppress(FileExistsError):
                    os.mkdir(absolute)
            if not stat.S_ISDIR(os.lstat(absolute).st_mode):
                raise ApplyError(
                    f"'{each}' is a link or a file, but must be a directory",
                    hint="Replace it by a directory; links are not followed.",
                ) from (NotADirectoryError(absolute) if each != self._within else None)
        return os.path.join(self._root, path)


def _read_file(path: str) -> bytes:
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


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a valid file name"
        hint = "Earlier files are complete; fix the cause and run it again."
        raise ApplyError(f"cannot write '{path}': {reason}", hint=hint) from error
