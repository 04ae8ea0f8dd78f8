"""Paths as users give them: relative to the directory they are in, or to the root."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg_old.text import paths
from yg_old.workspace.opened import is_below

if TYPE_CHECKING:
    from yg_old.workspace.opened import OpenWorkspace


def file_exists(workspace: OpenWorkspace, file: str) -> bool:
    """Return whether a file exists, in the work tree or in the commit."""
    if not workspace.commit:
        return exists_in(workspace.start, file)
    path = relative_path(workspace, file)
    return path is not None and workspace.snapshot.kind(path) is not None


def path_exists(workspace: OpenWorkspace, path: str) -> bool:
    """Return whether a path relative to the root exists, in the work tree or in the commit."""
    if not workspace.commit:
        return exists_in(workspace.root, path)
    return workspace.snapshot.kind(path) is not None


def path_from_root(file: str) -> str | None:
    """Return a path that a user may have given relative to the root, not to the directory."""
    return None if os.path.isabs(file) or "\0" in file else paths.normalise(file)


def relative_path(workspace: OpenWorkspace, file: str) -> str | None:
    """Return a path relative to the root; None if it lies outside."""
    if "\0" in file:
        return None  # not a valid file name
    absolute = os.path.normpath(os.path.join(workspace.start, file))
    if not is_below(absolute, workspace.root):
        # The path may be the same with links above the repository resolved.
        folder = os.path.realpath(os.path.dirname(absolute))
        absolute = os.path.join(folder, os.path.basename(absolute))
        if not is_below(absolute, os.path.realpath(workspace.root)):
            return None
        return _inside(absolute, os.path.realpath(workspace.root))
    return _inside(absolute, workspace.root)


def exists_in(directory: str, file: str) -> bool:
    """Return whether a path exists, relative to a directory."""
    return "\0" not in file and os.path.lexists(os.path.normpath(os.path.join(directory, file)))


def _inside(path: str, directory: str) -> str:
    return os.path.relpath(path, directory).replace(os.sep, "/")
