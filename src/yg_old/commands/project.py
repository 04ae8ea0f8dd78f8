"""The name of a project that has no graph yet."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg_old.code.names import project_name
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind

if TYPE_CHECKING:
    from yg_old.disk.reading.worktree import WorkTree


def default_name(root: str, tree: WorkTree) -> str:
    """Return the name in the manifest of a package at the root, or else that of the directory."""

    def text(file: str) -> str | None:
        try:
            return tree.text(file).value if tree.kind(file) is Kind.FILE else None
        except UnreadableError:
            return None  # a manifest is only a hint

    return project_name(text) or os.path.basename(os.path.realpath(root)).strip()
