"""Apply Edits: atomic for each file, confined to one directory, never through a link."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from yg_old.disk.files.barrier import sync_file_system
from yg_old.disk.files.folders import Folders
from yg_old.disk.files.temporary import clear_abandoned_below, clear_abandoned_in, temporary_name
from yg_old.kernel.edit import Copy, Delete, MakeDirectory, Rename, Write
from yg_old.kernel.errors import YgError
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg_old.kernel.edit import Edit

BATCH = 500  # files that are written and synced before the first one is renamed
MANY = 20  # files that are synced together instead of one by one


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
    """Applies edits to the files inside one directory of a repository.

    Each directory on the way is opened without following a link, and files are created and renamed
    relative to it (`disk/files/folders.py`).

    After a crash of the machine every file has its old content or its new one, never a part: what
    a file will contain is on the disk before the file gets its name. A few files are synced one by
    one; many are synced together, by one call for their file system where it has such a call.
    Which of the new names survive is not promised; run the command again.
    """

    def __init__(self, root: str, within: str = paths.ROOT, *, graph: str = "") -> None:
        """Confine edits to the path `within`; `graph` is the folder that may be a link.

        By default that is the first directory of `within`.
        """
        self._root = root
        self._within = within
        self._graph = graph or within.partition("/")[0]
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
                self._make(edit.path)
            elif isinstance(edit, Rename):
                self._rename(edit.path, edit.to)
            elif isinstance(edit, Copy):
                self._copy(edit.path, edit.to)
        self._write(writes)

    def _write(self, writes: Sequence[Write]) -> None:
        """Write and sync all contents to temporary files, then rename them into place."""
        ready: list[tuple[str, str]] = []  # the temporary name, and the path
        devices: dict[int, str] = {}  # a path on each file system that has unsynced files
        is_synced_alone = len(writes) < MANY or sync_file_system is None
        with self._folders() as folders:
            try:
                for edit in writes:
                    with self._convert_errors(edit.path):
                        folder = self._parent(folders, edit.path, make=True)
                        if stat.S_ISLNK(_mode(paths.name_of(edit.path), folder) or 0):
                            hint = "Links are not written."
                            raise ApplyError(f"'{edit.path}' is a link", hint=hint)
                        self._clear(paths.parent(edit.path), folder)
                        temporary = temporary_name()
                        ready.append((temporary, edit.path))
                        device = _write_file(temporary, folder, edit.content, sync=is_synced_alone)
                        if not is_synced_alone:
                            devices.setdefault(device, edit.path)
                if sync_file_system is not None:
                    for path in devices.values():
                        with self._convert_errors(path):
                            sync_file_system(self._parent(folders, path))
                for temporary, path in ready:
                    with self._convert_errors(path):
                        folder = self._parent(folders, path)
                        name = paths.name_of(path)
                        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
                    self._has_applied = True
            finally:
                for temporary, path in ready:
                    with suppress(OSError, ApplyError):
                        os.unlink(temporary, dir_fd=self._parent(folders, path))

    def clear(self, directory: str, *, below: bool = False) -> None:
        """Remove abandoned temporary files from a directory, with `below` also recursively."""
        with self._folders() as folders:
            if below:
                clear_abandoned_below(folders, directory)
                return
            with suppress(OSError):  # missing, or behind a link
                clear_abandoned_in(folders.open(directory))

    def _clear(self, directory: str, folder: int) -> None:
        if directory not in self._cleared:
            self._cleared.add(directory)
            clear_abandoned_in(folder)

    def _make(self, path: str) -> None:
        with self._folders() as folders, self._convert_errors(path):
            self._parent(folders, f"{path}/x", make=True)

    def _delete(self, path: str) -> None:
        with self._folders() as folders:
            with self._convert_errors(path):
                os.unlink(paths.name_of(path), dir_fd=self._parent(folders, path))
            self._has_applied = True
            self._remove_empty(folders, paths.parent(path))

    def _remove_empty(self, folders: Folders, directory: str) -> None:
        """Remove a directory and those above it, as long as they are empty."""
        with suppress(OSError):  # not empty, the usual case
            while directory != self._within and paths.is_inside(directory, self._within):
                above = paths.parent(directory)
                os.rmdir(paths.name_of(directory), dir_fd=folders.open(above))
                directory = above

    def _rename(self, path: str, to: str) -> None:
        with self._folders() as sources, self._folders() as targets:
            with self._convert_errors(to):
                source = self._parent(sources, path)
                target = self._parent(targets, to, make=True)
                if _mode(paths.name_of(to), target) is not None:
                    raise ApplyError(f"cannot rename '{path}': '{to}' exists", hint="Move it away.")
                old, new = paths.name_of(path), paths.name_of(to)
                os.rename(old, new, src_dir_fd=source, dst_dir_fd=target)
            self._has_applied = True
            self._remove_empty(sources, paths.parent(path))

    def _copy(self, path: str, to: str) -> None:
        with self._folders() as folders, self._convert_errors(to):
            content = read_file(paths.name_of(path), self._parent(folders, path))
            if _mode(paths.name_of(to), self._parent(folders, to, make=True)) is not None:
                raise ApplyError(f"cannot copy '{path}': '{to}' exists", hint="Move it away.")
        self._write([Write(to, content)])

    def _folders(self) -> Folders:
        return Folders(self._root, self._graph)

    def _parent(self, folders: Folders, path: str, *, make: bool = False) -> int:
        """Open the directory of a path inside the confines; raises ApplyError for a link."""
        if paths.normalise(path) != path or not paths.is_inside(path, self._within):
            raise ApplyError(f"'{path}' is outside {self._within}/", hint="Nothing was written.")
        try:
            return folders.open(paths.parent(path), make=make)
        except NotADirectoryError as error:
            found = error.filename
            is_local = found != self._within and paths.is_inside(found, self._within)
            raise ApplyError(
                f"'{found}' is a link or a file, but must be a directory",
                hint="Replace it with a directory; links are not followed.",
            ) from (error if is_local else None)

    @contextmanager
    def _convert_errors(self, path: str) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a valid file name"
            written = "Earlier files are complete. " if self._has_applied else ""
            hint = f"{written}Fix the cause and run it again."
            raise ApplyError(f"cannot write '{path}': {reason}", hint=hint) from error


def read_file(path: str, folder: int | None = None) -> bytes:
    """Read a regular file, in an open directory if given, never through a link; raises OSError."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        return file.read()


def _mode(name: str, folder: int) -> int | None:
    """Return the mode of a name in a directory; None if there is nothing of that name."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        return None


def _write_file(name: str, folder: int, content: bytes, *, sync: bool) -> int:
    """Write a new file and return the number of its device."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    handle = os.open(name, flags, 0o666, dir_fd=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        if sync:
            os.fsync(handle)
        return os.fstat(handle).st_dev
