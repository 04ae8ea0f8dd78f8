"""The states of repositories that are asked for again and again.

What git says about a commit and an index is kept; files are looked at each time.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.disk.files.stamps import is_past, is_settled, look
from yg_old.disk.git.changed_files import (
    UNTRACKED,
    changed_since,
    checked_out,
    head_commit,
    head_state,
    index_stamp,
)
from yg_old.disk.git.process import MOST_ENTRIES, GitError, begun
from yg_old.disk.git.repository import find_repository
from yg_old.disk.index.head_value import head_value
from yg_old.disk.index.tracked import TrackedFiles

if TYPE_CHECKING:
    from yg_old.disk.git.changed_files import IndexStamp
    from yg_old.disk.git.repository import Repository
    from yg_old.disk.index.head_value import HeadValue


class _Checkout(Struct, frozen=True):
    """The files of a commit, as the index has them."""

    top: str  # of the work tree
    commit: str
    index: bytes | None  # the stamp of the index
    stamps: dict[str, IndexStamp] | None  # None: not known, or not of the commit

    @property
    def touched(self) -> dict[str, IndexStamp | None] | None:
        """The files that may not be those that the index has, with their stamps; None: any."""
        if self.stamps is None:
            return None
        found: dict[str, IndexStamp | None] = {}
        for path, stamp in self.stamps.items():
            try:
                status = os.lstat(f"{self.top}/{path}")
            except (OSError, ValueError):  # it is missing
                found[path] = None
                continue
            if (seen := index_stamp(status)) != stamp:
                found[path] = seen
        return found


class _Change(Struct, frozen=True):
    """A tracked file that was seen to differ from the commit, which is true until it changes."""

    commit: str
    index: bytes
    path: str
    stamp: bytes | None  # None: it is missing


class HeadState(Struct, frozen=True):
    """The state of a repository, and its tracked files if none of them is changed."""

    commit: str | None  # None: there is none yet
    is_dirty: bool
    tracked: TrackedFiles | None = None


class HeadStates:
    """The commit and the index of each repository, as they were last seen.

    Of a work tree with changes, one changed file is kept: to look at it again is enough.
    """

    def __init__(self) -> None:
        self._checkouts: dict[str, _Checkout] = {}  # by the top of the work tree
        self._changes: dict[str, _Change] = {}
        self._heads: dict[str, tuple[HeadValue, str]] = {}  # commits by the git directory

    def get(self, directory: str) -> HeadState | None:
        """Return the state of the repository of a directory; None without git."""
        repository = find_repository(directory)
        if repository is None or repository.is_bare:
            return None
        commit = self._commit(repository)
        if not commit:
            found = head_state(directory)
            return None if found is None else HeadState(*found)
        index = look(repository.index_file)
        if index is None or not is_settled(index, time.time_ns()):
            index = None  # it may be written again and have the same stamp
        if self._is_still_changed(repository.top, commit, index):
            return HeadState(commit, is_dirty=True)
        with begun(repository, *UNTRACKED) as untracked:  # git looks while we do
            is_changed, tracked = self._look(repository, commit, index)
            if is_changed:
                return HeadState(commit, is_dirty=True)
            listed = untracked()
        if listed is None or listed.code != 0:
            raise GitError("git could not list the untracked files")
        return HeadState(commit, bool(listed.out), tracked)

    def _commit(self, repository: Repository) -> str:
        """Return the current commit; empty if there is none. git is asked if it may be another."""
        value = head_value(repository)
        known = self._heads.get(repository.git_directory)
        if known is not None and known[0] == value:
            return known[1]
        reply = head_commit(repository)
        commit = reply.text if reply is not None else ""
        if value is not None and commit and head_value(repository) == value:
            self._heads[repository.git_directory] = value, commit
        return commit

    def _is_still_changed(self, top: str, commit: str, index: bytes | None) -> bool:
        known = self._changes.get(top)
        if known is None or (known.commit, known.index) != (commit, index):
            return False
        return known.stamp == _stamp(f"{top}/{known.path}")

    def _look(
        self, repository: Repository, commit: str, index: bytes | None
    ) -> tuple[bool, TrackedFiles | None]:
        """Return whether any tracked file differs from the commit, and keep one that does.

        Return also the tracked files if all their stamps are known.
        """
        started = time.time_ns()
        checkout = self._checkout(repository, commit, index)
        touched = checkout.touched
        if checkout.stamps is not None and touched == {}:
            return False, TrackedFiles(repository.top, checkout.stamps)
        only = tuple(touched) if touched and len(touched) <= MOST_ENTRIES else ()
        changed = sorted(changed_since(repository, commit, only))
        now = time.time_ns()
        for path in changed if index is not None else ():
            stamp = _stamp(f"{repository.top}/{path}")
            if stamp is None or is_settled(stamp, now):
                self._changes[repository.top] = _Change(commit, index or b"", path, stamp)
                break
        if checkout.stamps is not None and not changed:
            for path, seen in (touched or {}).items():  # written again, with the same content
                if seen is not None and is_past(max(seen[:2]), started):
                    checkout.stamps[path] = seen
        return bool(changed), None

    def _checkout(self, repository: Repository, commit: str, index: bytes | None) -> _Checkout:
        top = repository.top
        if index is None:
            return _Checkout(top, commit, index, None)
        known = self._checkouts.get(top)
        if known is None or (known.commit, known.index) != (commit, index):
            known = _Checkout(top, commit, index, checked_out(repository, commit))
            self._checkouts[top] = known
        return known


def _stamp(place: str) -> bytes | None:
    """Return the stamp of a regular file; None if it is missing, and empty for anything else."""
    return look(place) or (b"" if os.path.lexists(place) else None)
