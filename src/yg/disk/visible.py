"""The files of a directory that git does not ignore, and those that differ from a commit.

Inside a repository git answers; outside one, and where git is not used, the .gitignore files do.
"""

from __future__ import annotations

import os
import stat
from hashlib import new
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.disk.git import GitError
from yg.disk.repository import find_repository
from yg.kernel.snapshot import MAX_TEXT
from yg.text import paths
from yg.text.patterns import Patterns

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.disk.git import Reply
    from yg.disk.repository import Repository

LARGEST = 2_000_000  # bytes; a larger .gitignore file is not used
_GIT = ".git"
_IGNORE = ".gitignore"
_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK
_SEEN = ("--cached", "--others", "--exclude-standard")
_SUBMODULE = b"160000"
_SHA1_DIGITS = 40

_Specs = tuple[tuple[str, Patterns], ...]  # directory and patterns, the nearest first


class Visible(Struct, frozen=True):
    """The files of a directory that are not ignored, sorted."""

    files: tuple[str, ...]  # tracked ones may have been deleted
    notes: tuple[str, ...] = ()  # for the user, on what could not be found out


def visible_files(root: str) -> Visible:
    """Return the files below a directory that git tracks or does not ignore.

    Files of repositories inside it do not count. No link to a directory is followed.
    """
    try:
        repository = find_repository(root)
        if repository is not None:
            reply = _list_files(repository, *_SEEN)
            note = "git could not read everything here; 'git status' shows what"
            return Visible(_below(repository, reply.out), (note,) if reply.has_messages else ())
    except GitError as error:
        note = f"{error.message}; .gitignore files are read without it"
        return Visible(tuple(sorted(_walk(root))), (note,))
    return Visible(tuple(sorted(_walk(root))))


def is_ignored(root: str, path: str) -> bool:
    """Return whether git ignores a path, which may be missing and is relative to a directory."""
    place = os.path.join(root, path)
    is_directory = os.path.isdir(place)
    try:
        # git lists files that exist.
        exists = os.path.lexists(place) and not is_directory
        repository = find_repository(os.path.dirname(place)) if exists else None
        if repository is not None:
            inside = paths.join(repository.prefix, os.path.basename(place))
            return not repository.run("ls-files", "-z", *_SEEN, "--", inside).out
    except GitError:
        pass  # `visible_files` reports it
    specs: _Specs = ()
    for part in (*paths.lineage(path)[1:], path):
        specs = (*_specs_in(root, paths.parent(part)), *specs)
        if _is_excluded(part, specs, is_directory=part != path or is_directory):
            return True
    return False


def changed_files(repository: Repository, commit: str) -> tuple[str, ...]:
    """Return the files of the repository's directory that differ from a commit, sorted.

    Untracked files count unless they are ignored. Raises GitError. Filters are not run: a file
    that one has written counts as changed if its size or time differs from the index.
    """
    options = ("--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=dirty")
    prefix = (repository.prefix,) if repository.prefix else ()
    reply = repository.run("diff-index", *options, commit, "--", *prefix)
    if reply.code != 0:
        raise GitError(f"git could not compare the files with {commit[:12]}")
    fields = reply.out.split(b"\0")
    changed = [
        name
        for facts, name in zip(fields[::2], fields[1::2], strict=False)
        if _differs(os.path.join(os.fsencode(repository.top), name), *facts[1:].split(b" ")[:4])
    ]
    untracked = _list_files(repository, "--others", "--exclude-standard").out.split(b"\0")
    inner = [name.rstrip(b"/") for name in untracked]  # a repository inside this one is one change
    return _below(repository, b"\0".join([*changed, *inner]))


def _list_files(repository: Repository, *options: str) -> Reply:
    prefix = (repository.prefix,) if repository.prefix else ()
    reply = repository.run("ls-files", "-z", *options, "--", *prefix)
    if reply.code != 0:
        raise GitError("git could not list the files of this repository")
    return reply


def _below(repository: Repository, out: bytes) -> tuple[str, ...]:
    """Return the files below the repository's directory, relative to it."""
    start = f"{repository.prefix}/" if repository.prefix else ""
    names = {os.fsdecode(name) for name in out.split(b"\0") if name and not name.endswith(b"/")}
    return tuple(sorted(name.removeprefix(start) for name in names if name.startswith(start)))


def _differs(path: bytes, old_mode: bytes, mode: bytes, old: bytes, blob: bytes) -> bool:
    """Return whether a file differs from its blob by more than times and line ends.

    A blob of zeros stands for a file of which git has only compared size and times.
    """
    if old_mode != mode or blob.strip(b"0") or mode == _SUBMODULE:
        return True
    try:
        if os.path.islink(path):
            return _blob(os.readlink(path), old) != old
        content = _content(path)
    except OSError:
        return True  # it is missing or cannot be read
    if content is None:
        return True
    return old not in (_blob(content, old), _blob(content.replace(b"\r\n", b"\n"), old))


def _blob(content: bytes, like: bytes) -> bytes:
    """Return what git names a blob by, in a repository that has another one."""
    algorithm = "sha1" if len(like) == _SHA1_DIGITS else "sha256"
    head = b"blob %d\0" % len(content)
    return new(algorithm, head + content, usedforsecurity=False).hexdigest().encode()


def _content(path: bytes | str) -> bytes | None:
    """Return the content of a regular file; None if it is none or too large; raises OSError."""
    if not stat.S_ISREG(os.lstat(path).st_mode):
        return None  # to open a FIFO or a device may already do something
    with open(os.open(path, _FLAGS), "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_TEXT:
            return None
        return file.read(MAX_TEXT)


# Without git.


def _walk(root: str) -> Iterator[str]:
    """Yield the files below a directory that its .gitignore files do not exclude."""
    waiting: list[tuple[str, _Specs]] = [(paths.ROOT, ())]
    while waiting:
        directory, specs = waiting.pop()
        try:
            with os.scandir(os.path.join(root, directory)) as listing:
                entries = list(listing)
        except OSError:
            continue  # the reader of the mapped files in it reports that
        if directory != paths.ROOT and any(entry.name == _GIT for entry in entries):
            continue  # a repository inside this one
        specs = (*_specs_in(root, directory), *specs)
        for entry in entries:
            path = paths.join(directory, entry.name)
            is_directory = entry.is_dir(follow_symlinks=False)
            if entry.name == _GIT or _is_excluded(path, specs, is_directory=is_directory):
                continue
            if is_directory:
                waiting.append((path, specs))
            elif entry.is_file(follow_symlinks=False):
                yield path


def _specs_in(root: str, directory: str) -> _Specs:
    """Return the patterns of a directory; none if it has no file of them, as in git."""
    try:
        content = _content(os.path.join(root, directory, _IGNORE))
    except OSError:
        return ()
    prefix = "" if directory == paths.ROOT else f"{directory}/"
    return ((prefix, Patterns(content)),) if content is not None and len(content) <= LARGEST else ()


def _is_excluded(path: str, specs: _Specs, *, is_directory: bool) -> bool:
    """Check the .gitignore files, the nearest first; the first one with a match decides."""
    for directory, patterns in specs:
        inside = os.fsencode(path.removeprefix(directory))
        verdict = patterns.verdict(inside, is_directory=is_directory)
        if verdict is not None:
            return verdict
    return False
