"""Facts about the contents that baselines record, read from git where a baseline has none."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import DecodeError

from yg_old.code.languages import ENDINGS, ending
from yg_old.disk.git.process import GitError, head_commit
from yg_old.disk.git.repository import find_repository
from yg_old.text.paths import name_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg_old.code.facts import FileFacts
    from yg_old.disk.git.history import History, OldVersion
    from yg_old.workspace.opened import OpenWorkspace

NO_GIT = "no git"
FAILED = "failed"  # a search that is to be repeated


class RecordedContents:
    """The facts of recorded contents; all files are searched together, and each only once.

    The index keeps the facts by content; and, until the next commit, which contents git lacks.
    """

    def __init__(self, workspace: OpenWorkspace) -> None:
        self._root = workspace.root
        self._index = workspace.tree.index
        self._found: dict[tuple[str, str], FileFacts | None] = {}
        self.lacking_in = ""  # the state of git in which some content was not found
        self.notes: list[str] = []

    def of(self, path: str, digest: str) -> FileFacts | None:
        """Return the facts of a content that was searched; None if git does not have it."""
        return self._found.get((path, digest))

    def search(self, wanted: Iterable[tuple[str, str]]) -> None:
        """Search contents, given by their paths and digests."""
        asked = dict.fromkeys(each for each in wanted if ending(each[0]) in ENDINGS)
        left = [each for each in asked if each not in self._found and not self._recall(*each)]
        if not left:
            return
        state = git_state(self._root)
        unknown = [each for each in left if not self._is_lacking(*each, state)]
        found: Mapping[tuple[str, str], OldVersion] = {}
        try:
            found = in_git(self._root, unknown) if unknown and state != NO_GIT else {}
        except GitError as error:
            state = FAILED
            self.notes.append(f"changes are compared without git: {error.message}")
        for each in left:
            if each in found:
                self._keep(*each, found[each].content)
            else:
                self._note_lack(*each, state)

    def _recall(self, path: str, digest: str) -> bool:
        """Take facts from the index; return whether it has any."""
        from yg_old.code.read import FACTS

        known = self._index.facts.get(_key(path, digest), FACTS.name) if self._index else None
        if known is None:
            return False
        try:
            self._found[path, digest] = FACTS.codec.decode(known)
        except DecodeError:
            return False  # written by other code
        return True

    def _keep(self, path: str, digest: str, content: bytes) -> None:
        from yg_old.code.read import FACTS

        facts = self._found[path, digest] = FACTS.make(path, content)
        value = FACTS.codec.encode(facts)
        if self._index is not None and value is not None:
            self._index.facts.keep(_key(path, digest), FACTS.name, value)

    def _is_lacking(self, path: str, digest: str, state: str) -> bool:
        key = f"{digest} {path} lacking"
        return self._index is not None and self._index.facts.get(key, state) is not None

    def _note_lack(self, path: str, digest: str, state: str) -> None:
        self._found[path, digest] = None
        self.lacking_in = self.lacking_in if self.lacking_in == FAILED else state
        if self._index is not None and state not in (FAILED, NO_GIT):
            self._index.facts.keep(f"{digest} {path} lacking", state, b"")


def _key(path: str, digest: str) -> str:
    """Return the key of facts in the index; those of files in the work tree have others.

    What a run without an index would not find must not be found by one that has an index.
    """
    return f"{digest} {name_of(path)} recorded"


def git_state(root: str) -> str:
    """Return what the contents that git has depend on: its last commit, and the staged files."""
    repository = find_repository(root)
    if repository is None:
        return NO_GIT
    try:
        status = os.stat(repository.index_file)
        staged = f"{status.st_mtime_ns} {status.st_size} {status.st_ino}"
    except OSError:
        staged = ""
    return f"{head_commit(root)} {staged}"


def in_git(root: str, wanted: Iterable[tuple[str, str]]) -> dict[tuple[str, str], OldVersion]:
    """Return the versions with these digests: at their paths, or else at any path."""
    from yg_old.disk.git.history import History

    history: History = History(root)
    by_path: dict[str, set[str]] = {}
    for path, digest in wanted:
        by_path.setdefault(path, set()).add(digest)
    found = history.at_paths(by_path)
    left = {each: None for each in wanted if each not in found}
    elsewhere = history.anywhere({digest: path for path, digest in left})
    return {**found, **{each: elsewhere[each[1]] for each in left if each[1] in elsewhere}}
