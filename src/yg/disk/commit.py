"""The files of a commit as a Snapshot, without a checkout, and the names of commits."""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from yg.disk.git import GitError
from yg.disk.repository import NoCommitsError
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import MAX_TEXT, Kind, Uncached, too_large
from yg.text import paths

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg.disk.git import GitProcess
    from yg.disk.repository import Repository

_KINDS = {b"120000": Kind.LINK, b"160000": Kind.DIRECTORY}  # the latter is a submodule
_BRANCH = re.compile(r"\w[\w./-]*")
_HASH = re.compile(r"[0-9a-f]{7,}")
_SHORT = 12
MOST_COMMITS = 20  # that changed some files, the newest ones


def resolve_commit(repository: Repository, revision: str) -> str:
    """Return the id of the commit that a revision names; raises GitError with the reason."""
    wanted = f"{revision}^{{commit}}"
    if "\0" not in revision:
        arguments = ("--verify", "--quiet", "--end-of-options", wanted)
        if commit := repository.run("rev-parse", *arguments).text:
            return commit
    raise _unknown_revision(repository, revision)


def merge_base(repository: Repository, revision: str) -> str:
    """Return the last commit that a revision and HEAD have in common; raises GitError without one.

    A revision or a history that a shallow clone does not have is never replaced by another one.
    """
    commit = resolve_commit(repository, revision)
    if base := repository.run("merge-base", commit, "HEAD").text:
        return base
    if _is_shallow(repository):
        raise GitError(
            f"this clone does not have the last common commit of '{revision}' and HEAD",
            hint=f"It is shallow; {_fetch()} fetches the rest of the history.",
        )
    message = f"'{revision}' and HEAD have no commit in common"
    raise GitError(message, hint="'git log' lists the commits.")


def commits_before(repository: Repository, files: Sequence[str]) -> Iterator[str]:
    """Yield HEAD, and then the commits before those that changed one of some files, newest first.

    The files are relative to the repository's directory.
    """
    yield resolve_commit(repository, "HEAD")
    inside = [paths.join(repository.prefix, file) for file in files]
    reply = repository.run("rev-list", f"--max-count={MOST_COMMITS}", "HEAD", "--", *inside)
    for commit in reply.text.split():
        if parent := repository.run("rev-parse", "--verify", "--quiet", f"{commit}^").text:
            yield parent


def _unknown_revision(repository: Repository, revision: str) -> GitError:
    if not repository.run("rev-list", "--all", "--max-count=1").text:
        hint = "Commit something first."
        return NoCommitsError("this git repository has no commits yet", hint=hint)
    if _is_shallow(repository):
        fetch = _fetch(revision)
        hint = f"This clone is shallow; {fetch} fetches the rest of the history."
        return GitError(f"there is no revision '{revision}' here", hint=hint)
    return GitError(f"there is no revision '{revision}'", hint="'git log' lists the commits.")


def _is_shallow(repository: Repository) -> bool:
    return repository.run("rev-parse", "--is-shallow-repository").text == "true"


def _fetch(revision: str = "") -> str:
    """Return the command that fetches the whole history, with a branch that is not here."""
    if not _BRANCH.fullmatch(revision) or _HASH.fullmatch(revision):
        return "'git fetch --unshallow'"
    branch = revision.removeprefix("origin/")
    target = revision if branch == revision else f"refs/remotes/{revision}"
    return f"'git fetch --unshallow origin {branch}:{target}'"


class CommitSnapshot(Uncached):
    """The files of a commit below the directory of a repository; paths are relative to it."""

    def __init__(self, repository: Repository, commit: str) -> None:
        self._repository = repository
        self.commit = commit

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files of the commit, sorted; links count, submodules do not."""
        found = (
            paths.join(directory, name)
            for directory, names in self._tree.directories.items()
            for name, kind in names.items()
            if kind is not Kind.DIRECTORY
        )
        return tuple(sorted(found))

    def entries(self, directory: str) -> Mapping[str, Kind]:
        """Return the names in a directory in code-point order; raises UnreadableError."""
        found = self._tree.directories.get(directory)
        if found is None:
            raise UnreadableError(directory, "no such directory in that commit")
        return dict(sorted(found.items()))

    def kind(self, path: str) -> Kind | None:
        """Return the kind of a path; None if it is missing or behind a link."""
        directories = self._tree.directories
        if path in directories:
            return Kind.DIRECTORY
        return directories.get(paths.parent(path), {}).get(paths.name_of(path))

    def read(self, path: str) -> bytes:
        """Return the bytes of a file; raises UnreadableError, also for more than MAX_TEXT.

        Raises GitError if git takes too much time or memory.
        """
        blob = self._tree.blobs.get(path)
        if blob is None:
            raise UnreadableError(path, "no such file in that commit")
        self._objects.send(blob + b"\n")
        header = self._objects.line().split()
        if not header:
            raise self._ended(path)
        if len(header) != 3 or header[1] != b"blob":  # noqa: PLR2004
            raise UnreadableError(path, "git does not have its content (a partial clone?)")
        size = int(header[2])
        if size > MAX_TEXT:
            self._objects.stop()  # rather than read to its end
            del self._objects
            raise too_large(path, size)
        content = self._objects.take(size + 1)
        if len(content) <= size:
            raise self._ended(path)
        return content[:-1]

    def _ended(self, path: str) -> UnreadableError:
        """Return the error for an object that git has not given before it ended."""
        objects = self._objects
        del self._objects
        objects.end()
        return UnreadableError(path, "git ended early")

    @cached_property
    def _objects(self) -> GitProcess:
        return self._repository.start("cat-file", "--batch")

    @cached_property
    def _tree(self) -> _Tree:
        """The whole tree: names by directory, and the blob of each file."""
        directories: dict[str, dict[str, Kind]] = {paths.ROOT: {}}
        blobs: dict[str, bytes] = {}
        for mode, blob, path in self._rows():
            if path == paths.ROOT or paths.normalise(path) != path:
                message = f"{self.commit[:_SHORT]} has a file '{path}', which no work tree can have"
                raise GitError(message, hint="Its trees are damaged; 'git fsck' reports where.")
            kind = _KINDS.get(mode, Kind.FILE)
            if kind is Kind.DIRECTORY:
                directories.setdefault(path, {})
            elif kind is Kind.FILE:
                blobs[path] = blob
            _place(directories, path, kind)
        return _Tree(directories, blobs)

    def _rows(self) -> Iterator[tuple[bytes, bytes, str]]:
        """Yield mode, blob and path of each file."""
        prefix = self._repository.prefix
        tree = f"{self.commit}:{prefix}" if prefix else self.commit
        reply = self._repository.run("ls-tree", "-r", "-z", "--full-tree", tree)
        if reply.code != 0 and not prefix:  # a commit without this directory has no files there
            raise GitError(f"git could not list the files of {self.commit[:_SHORT]}")
        for row in reply.out.split(b"\0")[:-1]:
            facts, _, name = row.partition(b"\t")
            mode, _, blob = facts.split(b" ")
            yield mode, blob, os.fsdecode(name)


class _Tree(NamedTuple):
    directories: dict[str, dict[str, Kind]]
    blobs: dict[str, bytes]


def _place(directories: dict[str, dict[str, Kind]], path: str, kind: Kind) -> None:
    """Add a path to its directory, and new directories to their parents."""
    while path != paths.ROOT:
        directory = paths.parent(path)
        is_known = directory in directories
        directories.setdefault(directory, {})[paths.name_of(path)] = kind
        if is_known:
            return
        path, kind = directory, Kind.DIRECTORY
