"""Source files at the commit that a session started at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.disk.git.process import ask

if TYPE_CHECKING:
    from yg_old.workspace.opened import OpenWorkspace


class OldSources:
    """Source files at a commit, each read from git at most once."""

    def __init__(self, workspace: OpenWorkspace, commit: str) -> None:
        """Take the commit; empty if the session started without one."""
        self.commit = commit
        self._workspace = workspace
        self._contents: dict[str, bytes | None] = {}

    def read(self, file: str) -> bytes | None:
        """Return a file at the commit; None if it was not there."""
        if not self.commit:
            return None
        if file not in self._contents:
            prefix = self._workspace.git_prefix
            path = f"{prefix}/{file}" if prefix else file
            reply = ask(self._workspace.root, "cat-file", "blob", f"{self.commit}:{path}")
            self._contents[file] = reply.out if reply is not None and reply.code == 0 else None
        return self._contents[file]
