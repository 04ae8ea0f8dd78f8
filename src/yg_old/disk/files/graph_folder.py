"""The folder of a graph, which may be a link to a directory of the same work tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from yg_old.disk.git.repository import find_repository
from yg_old.kernel.errors import YgError

if TYPE_CHECKING:
    from yg_old.disk.git.repository import Repository

_HINT = "yg follows such a link only to a directory of the same work tree. Replace the link."


class GraphPlace(NamedTuple):
    """A graph folder as a path below a directory; no part of the path is a link."""

    base: str
    path: str


def require_own_folder(root: str, folder: str) -> None:
    """Raise YgError if the graph folder of a directory is a link out of its work tree."""
    graph_place(root, folder)


def graph_place(root: str, folder: str) -> GraphPlace:
    """Return where the graph folder of a directory is; it need not exist.

    A link is resolved. Raises YgError if that leads nowhere, or out of the work tree; without git,
    the directory that holds the link counts as the work tree.
    """
    link = os.path.join(root, folder)
    if not os.path.islink(link):
        return GraphPlace(root, folder)
    try:
        target = os.path.realpath(link, strict=True)
    except OSError as error:
        message = f"{folder} is a link that cannot be followed: {error.strerror}"
        raise YgError(message, hint=_HINT) from error
    repository = find_repository(root)
    if repository is None or repository.is_bare:
        top, is_own = os.path.realpath(root), True
    else:
        top, is_own = repository.top, _is_in_work_tree(target, repository)
    inside = os.path.join(top, "")
    if not is_own or not target.startswith(inside) or _is_of_git(target.removeprefix(inside)):
        raise YgError(f"{folder} is a link to a place outside this work tree", hint=_HINT)
    if not os.path.isdir(target):
        raise YgError(f"{folder} is a link to something that is not a directory", hint=_HINT)
    return GraphPlace(top, target.removeprefix(inside))


def _is_in_work_tree(target: str, repository: Repository) -> bool:
    """Return whether a path belongs to a repository, and not to one inside it or to git itself."""
    found = find_repository(target)
    git_directory = os.path.join(os.path.realpath(repository.git_directory), "")
    is_same = found is not None and found.top == repository.top
    return is_same and not os.path.join(target, "").startswith(git_directory)


def _is_of_git(path: str) -> bool:
    """Return whether a part of a path is called `.git`, which some file systems write otherwise."""
    return ".git" in map(str.casefold, path.split(os.sep))
