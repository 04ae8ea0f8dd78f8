"""The states of repositories that are asked for again and again.

What git says about a commit and an index is kept; files are looked at each time.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.disk.files.stamps import is_settled, look
from yg.disk.git.changed_files import (
    checked_out,
    head_commit,
    head_state,
    index_stamp,
    untracked_files,
)
from yg.disk.git.repository import find_repository

if TYPE_CHECKING:
    from yg.disk.git.changed_files import IndexStamp
    from yg.disk.git.repository import Repository


class _Checkout(Struct, frozen=True):
    """The files of a commit, as the index has them."""

    top: str  # of the work tree
    commit: str
    index: bytes | None  # the stamp of the index
    stamps: dict[str, IndexStamp] | None  # None: not known, or not of the commit

    @property
    def is_unchanged(self) -> bool:
        """Whether every file is the one that the index has."""
        if self.stamps is None:
            return False
        try:
            return all(
                index_stamp(os.lstat(f"{self.top}/{path}")) == stamp
                for path, stamp in self.stamps.items()
            )
        except (OSError, ValueError):
            return False  # a file is missing


class HeadStates:
    """The commit and the index of each repository, as they were last seen."""

    def __init__(self) -> None:
        self._checkouts: dict[str, _Checkout] = {}  # by the top of the work tree

    def get(self, directory: str) -> tuple[str | None, bool] | None:
        """Return the state of the repository of a directory, as `head_state` does."""
        repository = find_repository(directory)
        if repository is None or repository.is_bare:
            return None
        reply = head_commit(repository)
        is_known = reply is not None and reply.code == 0
        if not (reply and is_known and self._checkout(repository, reply.text).is_unchanged):
            return head_state(directory)
        return reply.text, bool(untracked_files(repository.top))

    def _checkout(self, repository: Repository, commit: str) -> _Checkout:
        top, index = repository.top, look(repository.index_file)
        if index is None or not is_settled(index, time.time_ns()):
            return _Checkout(top, commit, index, None)
        known = self._checkouts.get(top)
        if known is None or (known.commit, known.index) != (commit, index):
            known = _Checkout(top, commit, index, checked_out(repository, commit))
            self._checkouts[top] = known
        return known
