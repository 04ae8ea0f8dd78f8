"""The files of a commit or of the git index as a Snapshot, without a checkout."""

from __future__ import annotations

import os
import time
import weakref
from contextlib import suppress
from functools import cached_property
from select import POLLIN, poll
from typing import TYPE_CHECKING, NamedTuple

from yg_old.disk.git import process as git
from yg_old.disk.git import timeouts
from yg_old.disk.git.process import (
    GitError,
    GitMemoryError,
    GitTimeoutError,
    ask,
    is_out_of_memory,
)
from yg_old.disk.git.repository import find_repository
from yg_old.kernel.digest import HEAD
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import (
    MAX_TEXT,
    PIECE,
    Kind,
    Names,
    Text,
    Uncached,
    too_large,
    visible_names,
)
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


LINK, SUBMODULE = b"120000", b"160000"
_KINDS = {LINK: Kind.LINK, SUBMODULE: Kind.DIRECTORY}
_PIECE = 1 << 16
_CAT_FILE = "cat-file"


class Row(NamedTuple):
    """One file of a tree or of the index."""

    mode: bytes
    blob: bytes
    path: str


def tree_rows(directory: str, commit: str, prefix: str, only: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the files of a commit below a prefix, or only some of them, with paths below it."""
    tree = f"{commit}:{prefix}" if prefix else commit
    reply = ask(directory, "ls-tree", "-r", "-z", "--full-tree", tree, *only)
    # A commit without this directory has no files there.
    if reply is None or (reply.code != 0 and not prefix):
        raise GitError(f"git could not list the files of {commit[:12]}")
    for row in reply.out.split(b"\0"):
        if row:
            facts, _, name = row.partition(b"\t")
            mode, _, blob = facts.split(b" ")
            yield Row(mode, blob, os.fsdecode(name))


def _staged_rows(directory: str) -> Iterator[Row]:
    repository = find_repository(directory)
    reply = ask(directory, "ls-files", "--stage", "-z")
    if repository is None or reply is None or reply.code != 0:
        raise GitError("git could not list the files of the index")
    inside = f"{repository.prefix}/" if repository.prefix else ""
    for row in reply.out.split(b"\0"):
        facts, _, name = row.partition(b"\t")
        path = os.fsdecode(name)
        if row and path.startswith(inside):
            mode, blob, _ = facts.split(b" ")
            yield Row(mode, blob, path.removeprefix(inside))


class GitSnapshot(Uncached):
    """The files of one commit, or of the index, below a directory."""

    def __init__(self, directory: str, commit: str, prefix: str) -> None:
        """Open a commit; paths are relative to `prefix`. An empty commit means the index."""
        self._directory = directory
        self._commit = commit
        self._prefix = prefix
        self._texts: dict[str, Text] = {}

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        found = self._listing[0].get(directory)
        if found is None:
            raise UnreadableError(directory, "no such directory in that commit")
        return dict(sorted(found.items()))

    def names(self, directory: str) -> Names:
        """Return the names in a directory by kind, without dot-names; raises UnreadableError."""
        return visible_names(self.entries(directory))

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path."""
        if path in self._listing[0]:
            return Kind.DIRECTORY
        return self._listing[0].get(paths.parent(path), {}).get(paths.name_of(path))

    def text(self, path: str) -> Text:
        """Return the text of a file, which is read on first access."""
        if path not in self._texts:
            self._texts[path] = Text(path, self.read)
        return self._texts[path]

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT."""
        return b"".join(self._objects.pieces(path, self._blob(path), PIECE, MAX_TEXT))

    def pieces(self, path: str, length: int) -> Iterator[bytes]:
        """Yield the bytes of a file piece by piece; raises UnreadableError."""
        return self._objects.pieces(path, self._blob(path), length)

    def _blob(self, path: str) -> bytes:
        blob = self._listing[1].get(path)
        if blob is None:
            raise UnreadableError(path, "no such file in that commit")
        return blob

    @cached_property
    def _objects(self) -> Objects:
        return Objects(self._directory)

    @cached_property
    def _listing(self) -> tuple[dict[str, dict[str, Kind]], dict[str, bytes]]:
        """The whole tree: names by directory, and the blob of each file."""
        directories: dict[str, dict[str, Kind]] = {paths.ROOT: {}}
        blobs: dict[str, bytes] = {}
        for mode, blob, path in self._rows():
            if path == paths.ROOT or paths.normalise(path) != path:
                where = self._commit[:12] or "the index"
                hint = "Its trees are damaged; 'git fsck' reports where."
                raise GitError(
                    f"{where} has a file '{path}', which no work tree can have", hint=hint
                )
            kind = _KINDS.get(mode, Kind.FILE)
            if kind is Kind.DIRECTORY:
                directories.setdefault(path, {})
            _place(directories, path, kind)
            if kind is Kind.FILE:
                blobs[path] = blob
        return directories, blobs

    def _rows(self) -> Iterator[Row]:
        if self._commit:
            return tree_rows(self._directory, self._commit, self._prefix)
        return _staged_rows(self._directory)


def _place(directories: dict[str, dict[str, Kind]], path: str, kind: Kind) -> None:
    """Add a path to its directory, and new directories to their parents."""
    while path != paths.ROOT:
        directory = paths.parent(path)
        is_known = directory in directories
        directories.setdefault(directory, {})[paths.name_of(path)] = kind
        if is_known:
            return
        path, kind = directory, Kind.DIRECTORY


class Objects:
    """A `git cat-file --batch` process that reads objects."""

    def __init__(self, directory: str) -> None:
        repository = find_repository(directory)
        process = git.start(repository, _CAT_FILE, "--batch") if repository else None
        if process is None or not (process.stdin and process.stdout and process.stderr):
            raise GitError("git could not be started")
        self._sink = process.stdin
        self._source = _Source(process.stdout.fileno(), process.stderr.fileno())
        weakref.finalize(self, git.stop, process)

    def pieces(
        self, path: str, blob: bytes, length: int, most: int | None = None
    ) -> Iterator[bytes]:
        """Yield the content of an object, unless it is too large.

        Raises UnreadableError; GitLimitError if git takes too much time or memory.
        """
        with suppress(BrokenPipeError):  # it has ended, and so has its output
            self._sink.write(blob + b"\n")
        header = self._source.line().split()
        if not header:
            raise self._ended(path, "git ended early")
        if len(header) != 3 or header[1] != b"blob":  # noqa: PLR2004
            raise UnreadableError(path, "git does not have its content (a partial clone?)")
        size = left = int(header[2])
        try:
            if most is not None and size > most:
                head = self._source.take(HEAD)
                left -= len(head)
                raise too_large(path, size, head)
            while left and (piece := self._source.take(min(left, length))):
                left -= len(piece)
                yield piece
            if left:
                raise self._ended(path, "git gave only a part of its content")
        finally:  # skip the rest, to get to the next object
            while left and (piece := self._source.take(min(left, _PIECE))):
                left -= len(piece)
            self._source.take(1)

    def _ended(self, path: str, reason: str) -> UnreadableError | GitMemoryError:
        """Return the error for an object that git has not given before it ended."""
        if is_out_of_memory(self._source.messages):
            return GitMemoryError(_CAT_FILE)
        return UnreadableError(path, reason)


class _Source:
    """The output of a process, read with a time limit."""

    def __init__(self, output: int, errors: int) -> None:
        self._output = output
        self._errors = errors
        self.messages = b""  # the beginning of its error output
        self._rest = b""
        self._poll = poll()
        self._poll.register(output, POLLIN)
        self._poll.register(errors, POLLIN)

    def line(self) -> bytes:
        """Return the next line, without its end; empty at the end of the output."""
        while b"\n" not in self._rest:
            piece = self._piece()
            if not piece:
                return b""
            self._rest += piece
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def take(self, length: int) -> bytes:
        """Return this many bytes, or fewer at the end of the output."""
        pieces = [self._rest]
        missing = length - len(self._rest)
        while missing > 0 and (piece := self._piece()):
            pieces.append(piece)
            missing -= len(piece)
        whole = b"".join(pieces)
        self._rest = whole[length:]
        return whole[:length]

    def _piece(self) -> bytes:
        """Return the next bytes of the output; empty at its end."""
        if command := timeouts.noted():
            raise GitTimeoutError(command)
        end = time.monotonic() + git.TIME_LIMIT
        while ready := dict(self._poll.poll(max(0, end - time.monotonic()) * 1000)):
            if self._errors in ready:
                self._read_messages()
            if self._output in ready:
                return os.read(self._output, _PIECE)
        raise git.timed_out(_CAT_FILE)

    def _read_messages(self) -> None:
        found = os.read(self._errors, _PIECE)
        self.messages = (self.messages + found)[:_PIECE]
        if not found:
            self._poll.unregister(self._errors)
