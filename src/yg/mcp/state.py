"""The state of the repository that an answer was computed from."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from yg.disk.changes import head_state
from yg.render.plain import visible

KEY = "yg/state"
SHORT = 12  # digits of an abbreviated commit


class RepositoryState(Struct, frozen=True):
    """A directory, its HEAD commit and whether its work tree is dirty."""

    root: str
    commit: str | None  # None: no git repository, or no commit yet
    dirty: bool | None  # None: no git repository

    @property
    def line(self) -> str:
        """The state as a line of text."""
        if self.dirty is None:
            return f"[root {visible(self.root)}, not in git]\n"
        commit = f"commit {self.commit[:SHORT]}" if self.commit else "no commit yet"
        tree = "dirty" if self.dirty else "clean"
        return f"[root {visible(self.root)}, {commit}, work tree {tree}]\n"

    @property
    def meta(self) -> dict[str, Any]:
        """The state as metadata of a result."""
        return {KEY: asdict(self)}


def state_of(root: str) -> RepositoryState:
    """Return the git state of a directory."""
    found = head_state(root)
    return RepositoryState(root, *(found or (None, None)))
