"""Carry out edits: all or none, confined to a graph, through no link, one process at a time.

New contents are first written to temporary files beside their targets; a full disk shows then, and
nothing has changed. A journal in the user's own cache lists these files and what is to happen. Once
it says that all are written, the edits count as made: a later run completes what a killed one has
left, and before that it removes the temporary files.
"""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode

from yg.disk.private import is_private_file, remove_private, state_folder
from yg.kernel.edit import Remove, Rename, Write
from yg.kernel.errors import YgError
from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.disk.opening import Found
    from yg.kernel.edit import Edit

_JOURNAL = "journal"
PREFIX = ".yg-tmp-"  # of temporary files
PATIENCE = 120.0  # seconds to wait for another writer
READERS_PATIENCE = 2.0
MANY = 20  # files that are synced together instead of one by one
_LARGEST = 256_000_000  # bytes of a journal
_NO_DIRECTORY = (errno.ENOTDIR, errno.ELOOP)  # systems differ in what a link is
_BELOW = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
_NOTHING = "Nothing was written. Fix the cause and run it again."
_REST = "The next run completes the rest. Fix the cause and run it again."


class WriteError(YgError):
    """A file could not be written."""

    code = "cannot-write"


class Step(Struct, frozen=True, array_like=True):
    """An edit in the journal."""

    path: str
    temporary: str = ""  # the name of the file with the new content, for a write
    to: str = ""  # the new path, for a rename
    before: tuple[int, ...] = ()  # the stamp of what was there


class Journal(Struct, frozen=True, array_like=True):
    """The edits of one call, and whether all new contents are written."""

    steps: tuple[Step, ...]
    is_ready: bool


@contextmanager
def writing(graph: Found, patience: float = PATIENCE) -> Iterator[Writer]:
    """Hold the write lock of a graph, after completing a write that was interrupted.

    Raises WriteError if another process keeps the lock.
    """
    from filelock import FileLock, Timeout

    private = state_folder(graph.root, graph.kind.folder)
    if not private:
        hint = "Set XDG_CACHE_HOME or TMPDIR to a directory of yours outside the repository."
        raise WriteError("there is no place for a lock", hint=hint)
    path = os.path.join(private, "lock")
    lock = FileLock(path, timeout=patience, mode=0o600)
    try:
        lock.acquire()
    except Timeout as error:
        hint = "Wait for the other yg command to finish, then try again."
        raise WriteError("another process is writing to the graph", hint=hint) from error
    except OSError as error:
        hint = "It must be a file that you can write to."
        raise WriteError(f"cannot lock '{path}': {error.strerror}", hint=hint) from error
    try:
        writer = Writer(graph, private)
        writer.settle()
        yield writer
    finally:
        lock.release()


def settle(graph: Found) -> tuple[str, ...]:
    """Complete a write that was interrupted, if there is one, and return notes for the user."""
    private = state_folder(graph.root, graph.kind.folder)
    if not private or not os.path.lexists(os.path.join(private, _JOURNAL)):
        return ()
    try:
        with writing(graph, READERS_PATIENCE) as writer:
            return writer.notes
    except WriteError as error:
        return (f"a write to {graph.kind.folder}/ is not complete: {error.message}",)


class Writer:
    """Carries out edits of files while the write lock is held."""

    def __init__(self, graph: Found, private: str) -> None:
        self._graph = graph
        self._folder = graph.kind.folder
        self._journal = os.path.join(private, _JOURNAL)
        self.notes: tuple[str, ...] = ()  # for the user, on what an earlier run has left

    def commit(self, edits: Sequence[Edit], within: Sequence[str] = ()) -> None:
        """Carry out edits in order, all or none; raises WriteError.

        Paths are in the graph's folder or in one of the paths `within`. No edit depends on an
        earlier one, except that a directory may be renamed after writes to files in it.
        """
        if not edits:
            return
        steps = tuple([self._planned(edit, (self._folder, *within)) for edit in edits])
        self._store(Journal(steps, is_ready=False))
        try:
            for edit, step in zip(edits, steps, strict=True):
                if isinstance(edit, Write):
                    self._stage(step, edit.content, sync=len(steps) < MANY)
            if len(steps) >= MANY:
                os.sync()
            self._store(Journal(steps, is_ready=True))
        except WriteError:
            self._undo(steps)
            raise
        for step in steps:
            self._carry_out(step)
        remove_private(self._journal)

    def settle(self) -> None:
        """Complete or undo a write that was interrupted."""
        journal = self._load()
        if journal is None:
            return
        what = f"a write to {self._folder}/"
        left = [step for step in journal.steps if self._is_left(step)]
        edited = [step.path for step in left if self._stamp(step.path) != step.before]
        if not journal.is_ready:
            self._undo(journal.steps)
        elif edited:
            self._undo(left)
            reason = f"'{edited[0]}' was edited since"
            self.notes = (f"{what} was interrupted and is not completed, because {reason}",)
        else:
            for step in left:
                self._carry_out(step)
            remove_private(self._journal)
            self.notes = (f"completed {what} that was interrupted",)

    def _planned(self, edit: Edit, within: Sequence[str]) -> Step:
        """Return the step for an edit; raises WriteError if it is not allowed or not possible."""
        named = (edit.path, edit.to) if isinstance(edit, Rename) else (edit.path,)
        for path in named:
            is_inside = any(paths.is_inside(path, place) for place in within)
            if path == paths.ROOT or paths.normalise(path) != path or not is_inside:
                message = f"'{path}' is outside {self._folder}/"
                raise WriteError(message, hint="Nothing was written.")
            if not paths.is_utf8(path):
                raise WriteError(f"cannot write '{path}': not a valid file name", hint=_NOTHING)
        before = self._stamp(edit.path)
        if isinstance(edit, Write):
            return Step(edit.path, f"{PREFIX}{os.urandom(8).hex()}", before=before)
        if not before:
            raise WriteError(f"cannot write '{edit.path}': it does not exist", hint=_NOTHING)
        if isinstance(edit, Remove):
            return Step(edit.path, before=before)
        if self._stamp(edit.to):
            message = f"cannot rename '{edit.path}': '{edit.to}' exists"
            raise WriteError(message, hint="Move it away.")
        return Step(edit.path, to=edit.to, before=before)

    def _stage(self, step: Step, content: bytes, *, sync: bool) -> None:
        """Write new content to a temporary file with the mode that the target has."""
        with self._parent(step.path, _NOTHING, make=True) as folder:
            status = _status(paths.name_of(step.path), folder)
            if status is not None and not stat.S_ISREG(status.st_mode):
                is_link = stat.S_ISLNK(status.st_mode)
                message = f"'{step.path}' is {'a link' if is_link else 'not a regular file'}"
                raise WriteError(message, hint="Nothing was written. Links are not written.")
            with open(os.open(step.temporary, _NEW, 0o666, dir_fd=folder), "wb") as file:
                if status is not None:
                    os.fchmod(file.fileno(), status.st_mode & 0o777)
                file.write(content)
                file.flush()
                if sync:
                    os.fsync(file.fileno())

    def _carry_out(self, step: Step) -> None:
        name = paths.name_of(step.path)
        with self._parent(step.path, _REST) as folder:
            if step.temporary:
                os.replace(step.temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
                return
            if not step.to:
                os.unlink(name, dir_fd=folder)
            else:
                with self._parent(step.to, _REST, make=True) as target:
                    to = paths.name_of(step.to)
                    if _status(to, target) is not None:
                        raise WriteError(f"'{step.to}' exists", hint=_REST)
                    os.rename(name, to, src_dir_fd=folder, dst_dir_fd=target)
        self._remove_empty(paths.parent(step.path))

    def _is_left(self, step: Step) -> bool:
        """Return whether a step of an interrupted write was not carried out."""
        name = step.temporary or paths.name_of(step.path)
        return bool(self._stamp(paths.join(paths.parent(step.path), name)))

    def _undo(self, steps: Sequence[Step]) -> None:
        """Remove temporary files, and directories that were made for them."""
        for step in steps:
            if step.temporary:
                directory = paths.parent(step.path)
                try:
                    with self._parent(step.path, _NOTHING) as folder:
                        os.unlink(step.temporary, dir_fd=folder)
                except WriteError:
                    pass  # it was not written, or is out of reach
                if not step.before:
                    self._remove_empty(directory)
        remove_private(self._journal)

    def _remove_empty(self, directory: str) -> None:
        """Remove a directory and those above it, as long as they are empty."""
        while directory not in (paths.ROOT, self._folder):
            try:
                with self._parent(directory, _REST) as folder:
                    os.rmdir(paths.name_of(directory), dir_fd=folder)
            except WriteError:
                return  # not empty, the usual case
            directory = paths.parent(directory)

    def _stamp(self, path: str) -> tuple[int, ...]:
        """Return what changes with a file; empty if it is missing, or is behind a link."""
        try:
            with self._parent(path, _NOTHING) as folder:
                status = _status(paths.name_of(path), folder)
        except WriteError as error:
            if getattr(error.__cause__, "errno", 0) in (errno.ENOENT, *_NO_DIRECTORY):
                return ()
            raise
        if status is None:
            return ()
        if stat.S_ISDIR(status.st_mode):
            return (status.st_ino,)
        return status.st_ino, status.st_size, status.st_mtime_ns

    @contextmanager
    def _parent(self, path: str, hint: str, *, make: bool = False) -> Iterator[int]:
        """Open the directory of a path, through no link; OSErrors become WriteErrors.

        What is created, renamed or removed relative to the descriptor stays in that directory,
        even if somebody replaces a directory above it by a link in the meantime.
        """
        base, inside = self._graph.root, path
        if paths.is_inside(path, self._folder):  # the only folder that may be a link
            base, inside = self._graph.base, self._graph.path + path.removeprefix(self._folder)
        handle = -1
        try:
            handle = os.open(base, os.O_RDONLY | os.O_DIRECTORY)
            for directory in paths.lineage(inside)[1:]:
                below = _entered(directory, handle, make=make)
                os.close(handle)
                handle = below
            yield handle
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "not a valid file name"
            raise WriteError(f"cannot write '{path}': {reason}", hint=hint) from error
        finally:
            if handle >= 0:
                os.close(handle)

    def _store(self, journal: Journal) -> None:
        draft = f"{self._journal}.new"
        remove_private(draft)
        try:
            with open(os.open(draft, _NEW, 0o600), "wb") as file:
                file.write(encode(journal))
            os.replace(draft, self._journal)
        except OSError as error:
            message = f"cannot write '{self._journal}': {error.strerror}"
            raise WriteError(message, hint=_NOTHING) from error

    def _load(self) -> Journal | None:
        if not is_private_file(self._journal, _LARGEST):
            return None
        try:
            with open(self._journal, "rb") as file:
                return decode(file.read(), type=Journal)
        except DecodeError:
            return None  # of another version


def _entered(directory: str, above: int, *, make: bool) -> int:
    """Open a directory by its name in the open one above it; `make` creates it if missing."""
    name = paths.name_of(directory)
    try:
        return os.open(name, _BELOW, dir_fd=above)
    except FileNotFoundError:
        if not make:
            raise
    except OSError as error:
        if error.errno in _NO_DIRECTORY:
            hint = "Replace it with a directory; links are not followed."
            message = f"'{directory}' is a link or a file, but must be a directory"
            raise WriteError(message, hint=hint) from error
        raise
    try:
        os.mkdir(name, dir_fd=above)
    except FileExistsError:
        pass  # another process was faster
    return os.open(name, _BELOW, dir_fd=above)


def _status(name: str, folder: int) -> os.stat_result | None:
    """Return the status of a name in a directory; None if there is nothing of that name."""
    try:
        return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
