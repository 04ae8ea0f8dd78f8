"""Fingerprints of a repository: two that are equal mean that no watched file has changed."""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.disk.git.repository import find_repository

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_GIT_FILES = ("HEAD", "index", os.path.join("logs", "HEAD"))


class Fingerprint(Struct, frozen=True):
    """A digest of names and stamps, and the time of the latest change in nanoseconds."""

    digest: bytes
    newest: int


def fingerprint(root: str, folder: str, files: Iterable[str]) -> Fingerprint:
    """Look at a graph, at the state of git, and at some files and the directories they are in."""
    places = [os.path.join(root, file) for file in files]
    directories = dict.fromkeys(os.path.dirname(place) for place in places)
    graph = _below(os.path.join(root, folder))
    return _fingerprint((*graph, *_git_files(root), *directories, *places))


def graph_fingerprint(root: str, folder: str) -> Fingerprint:
    """Look at the files of a graph alone."""
    return _fingerprint(_below(os.path.join(root, folder)))


def _fingerprint(places: Iterable[str]) -> Fingerprint:
    found = sha256()
    newest = 0
    for place in places:
        try:
            status = os.lstat(place)
        except OSError:
            continue  # gone: its name is missing from the digest
        found.update(os.fsencode(place))
        stamp = status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino
        found.update(f"\0{stamp}\n".encode())
        newest = max(newest, status.st_mtime_ns, status.st_ctime_ns)
    return Fingerprint(found.digest(), newest)


def _below(top: str) -> Iterator[str]:
    """Yield the directory and all in it, sorted."""
    waiting = [top]
    for place in waiting:  # grows while it is read
        yield place
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)
            else:
                yield entry.path


def _git_files(root: str) -> tuple[str, ...]:
    repository = find_repository(root)
    if repository is None:
        return ()
    return tuple(os.path.join(repository.git_directory, name) for name in _GIT_FILES)
