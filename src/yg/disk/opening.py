"""Find the graph that a directory belongs to, in the work tree or in a commit.

The search goes upwards, to the top of the git work tree; outside of git only through directories
of the user. So nobody else's graph is used by accident.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.disk.repository import git_directory_of, is_trusted, upwards, work_tree_top
from yg.kernel.errors import NoGraphError, UsageError, YgError
from yg.text import paths
from yg.text.escapes import shell_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg.disk.repository import Repository

_HINT = "yg follows such a link only to a directory of the same work tree. Replace the link."


class GraphKind(Struct, frozen=True):
    """How to recognise one kind of graph."""

    name: str  # for --kind
    folder: str
    marker: str = ""  # a path in the folder that exists in every such graph; empty: none is needed
    trace: str = ""  # a directory in the folder that identifies a graph without its marker


class Found(Struct, frozen=True):
    """A graph, and where it really is: no part of `path` is a link."""

    root: str  # the directory that has the graph folder, without links
    kind: GraphKind
    base: str  # the root, or the top of the work tree if the graph folder is a link
    path: str  # the graph folder, relative to the base


class ForeignGraphError(NoGraphError):
    """The graph belongs to another user, and is not used."""


def find_graph(directory: str, kinds: Sequence[GraphKind]) -> Found:
    """Return the nearest graph of some kinds from a directory upwards.

    Raises NoGraphError if there is none or if it is another user's, UsageError if the same place
    has several kinds, YgError if its folder is a link that is not followed.
    """
    start = os.path.realpath(directory)
    if not os.path.isdir(start):
        raise YgError(f"'{directory}' is not a directory")
    places = list(_searched(start))
    for is_found in (_is_marked, _is_traced):
        for place in places:
            if found := [kind for kind in kinds if is_found(place, kind)]:
                return graph_at(place, _only(found))
    raise no_graph(kinds)


def find_graph_in(repository: Repository, commit: str, kinds: Sequence[GraphKind]) -> GraphKind:
    """Return the kind of the graph that a commit has in the repository's directory.

    Raises NoGraphError if it has none.
    """
    from yg.disk.commit import CommitSnapshot

    snapshot = CommitSnapshot(repository, commit)
    signs = ((kind, f"{kind.folder}/{kind.marker}".rstrip("/")) for kind in kinds)
    found = [kind for kind, sign in signs if snapshot.kind(sign) is not None]
    if not found:
        folders = " ".join(kind.folder for kind in kinds)
        hint = f"'git log -- {folders}' lists the commits that changed one."
        raise NoGraphError(f"there is no graph in commit {commit[:12]}", hint=hint)
    return _only(found)


def no_graph(kinds: Sequence[GraphKind]) -> NoGraphError:
    """Return the error for a directory without a graph of some kinds, the usual one first."""
    if not kinds[0].marker:
        message = f"No {kinds[0].folder}/ directory found. Run 'yg init' first."
        return NoGraphError(message)
    message = f"No graph of kind {kinds[0].name} found from here upwards."
    return NoGraphError(message, hint="Without --kind and YG_KIND, yg looks for every kind.")


def graph_at(root: str, kind: GraphKind) -> Found:
    """Return the graph of a directory without links; its folder need not exist.

    Raises ForeignGraphError if it is another user's, YgError if it is a link out of the work tree.
    """
    top = work_tree_top(root)
    found = _place(root, kind, top)
    try:
        is_foreign = not is_trusted(os.path.join(found.base, found.path), top or root)
    except FileNotFoundError:
        is_foreign = False
    if is_foreign:
        raise ForeignGraphError(
            f"the graph in '{root}' belongs to another user",
            hint="If you trust it: git config --global --add safe.directory "
            + shell_word(top or root),
        )
    return found


def _searched(start: str) -> Iterator[str]:
    """Yield the directories to search, from the first one upwards."""
    top = work_tree_top(start)
    for place in upwards(start):
        if not top and place != start and not is_trusted(place, place):
            return
        yield place
        if place == top:
            return


def _is_marked(place: str, kind: GraphKind) -> bool:
    folder = os.path.join(place, kind.folder)
    if not os.path.isdir(folder):
        # A broken link is a mistake; the graph of a directory above is not meant.
        return not kind.marker and os.path.islink(folder)
    return os.path.exists(os.path.join(folder, kind.marker))


def _is_traced(place: str, kind: GraphKind) -> bool:
    return bool(kind.trace) and os.path.isdir(os.path.join(place, kind.folder, kind.trace))


def _only(kinds: Sequence[GraphKind]) -> GraphKind:
    """Return the only kind; raises UsageError if there are several."""
    if len(kinds) > 1:
        *others, last = [kind.name for kind in kinds]
        choices = " or ".join(f"--kind {kind.name}" for kind in kinds)
        message = f"there are graphs of kinds {', '.join(others)} and {last} here"
        raise UsageError(message, hint=f"Choose one with {choices}.")
    return kinds[0]


def _place(root: str, kind: GraphKind, top: str) -> Found:
    """Resolve the graph folder if it is a link."""
    folder = kind.folder
    link = os.path.join(root, folder)
    if not os.path.islink(link):
        return Found(root, kind, root, folder)
    try:
        target = os.path.realpath(link, strict=True)
    except OSError as error:
        message = f"{folder} is a link that cannot be followed: {error.strerror}"
        raise YgError(message, hint=_HINT) from error
    base = top or root  # without git, the directory that has the link counts as the work tree
    path = target.removeprefix(os.path.join(base, ""))
    if path == target or not _is_in_work_tree(target, top):
        raise YgError(f"{folder} is a link to a place outside this work tree", hint=_HINT)
    if not os.path.isdir(target):
        raise YgError(f"{folder} is a link to something that is not a directory", hint=_HINT)
    return Found(root, kind, base, path)


def _is_in_work_tree(target: str, top: str) -> bool:
    """Return whether a path belongs to a work tree, not to one inside it or to git itself."""
    # Some file systems do not distinguish case.
    if ".git" in map(str.casefold, target.split(os.sep)) or work_tree_top(target) != top:
        return False
    return not top or not paths.is_inside(target, git_directory_of(top))
