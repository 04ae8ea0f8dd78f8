"""Which state of which repository an answer was given from."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from yg.disk.changes import head_state
from yg.render.plain import visible

KEY = "yg/state"
SHORT = 12  # digits of a commit in a text


class State(Struct, frozen=True):
    """A directory, the commit its work tree stands on, and whether that has been changed."""

    root: str
    commit: str | None  # None: there is no git repository, or no commit in it yet
    dirty: bool | None  # None: there is no git repository

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
        """The state as data beside an answer."""
        return {KEY: asdict(self)}


def state_of(root: str) -> State:
    """Ask git where a directory stands."""
    found = head_state(root)
    return State(root, *(found or (None, None)))
