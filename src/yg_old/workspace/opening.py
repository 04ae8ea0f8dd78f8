"""Open a repository: find the graph that a directory belongs to."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg_old.disk.files.graph_folder import require_own_folder
from yg_old.disk.index.private import known_state_folder
from yg_old.disk.writing.generation import FoundState, generation_in, journal_in
from yg_old.formats import FORMATS, YGGDRASIL
from yg_old.kernel.errors import NoGraphError, UsageError, YgError
from yg_old.text import paths
from yg_old.workspace.opened import OpenWorkspace, is_outside

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg_old.disk.index.database import Databases
    from yg_old.kernel.queries import Format


def open_workspace(  # noqa: PLR0913
    directory: str,
    revision: str | None = None,
    kind: str | None = None,
    *,
    uses_index: bool = True,
    databases: Databases | None = None,
    tokenizer: str | None = None,
) -> OpenWorkspace:
    """Open the repository that contains a directory, at present or at a revision.

    `tokenizer` counts tokens instead of the configured one; empty, they are estimated.
    """
    start = os.path.abspath(directory)
    if not os.path.isdir(start):
        raise YgError(f"'{directory}' is not a directory")
    wanted = [known for known in FORMATS if kind in (None, known.name)]
    found = _found(start, wanted)
    if revision is None:
        if found is None:
            raise _no_graph(kind)
        root, only = found[0], _only(found[1])
        return OpenWorkspace(
            root,
            start,
            only,
            uses_index=uses_index,
            databases=databases,
            tokenizer=tokenizer,
            found=_found_state(root, only.folder),
        )
    from yg_old.disk.git.process import commit_of

    # A commit of one repository is never read with the place of another one's graph.
    outer = found[0] if found and is_outside(found[0], start) else ""
    found = None if outer else found
    if found is None:
        _refuse_inner_bare(start)
    commit = commit_of(found[0] if found else start, revision)
    place, formats = found or _found_in_commit(start, commit, wanted, outer)
    return OpenWorkspace(
        place, start, _only(formats), commit, uses_index=uses_index, tokenizer=tokenizer
    )


def open_for_reading(root: str) -> OpenWorkspace:
    """Open the Yggdrasil graph of a root without completing a write that was interrupted.

    Raises YgError if there is such a write, so that nothing is read that is only half there.
    """
    require_own_folder(root, YGGDRASIL.folder)
    private = known_state_folder(root, YGGDRASIL.folder)
    if private and os.path.lexists(journal_in(private)):
        raise YgError("a write to the graph is not complete")
    return OpenWorkspace(root, root, YGGDRASIL, found=FoundState(generation=generation_in(private)))


def _found_state(root: str, folder: str) -> FoundState:
    """Return the state of a graph; a write that was interrupted is completed first, if possible."""
    private = known_state_folder(root, folder)
    generation = generation_in(private)
    if not os.path.lexists(journal_in(private)):
        return FoundState(generation=generation)
    from yg_old.disk.writing.journal import settled_state

    return settled_state(root, folder)


def _no_graph(kind: str | None) -> NoGraphError:
    if kind in (None, YGGDRASIL.name):
        message = f"No {YGGDRASIL.folder}/ directory found. Run 'yg init' first."
        return NoGraphError(message, hint="")
    message = f"No graph of kind {kind} found from here upwards."
    return NoGraphError(message, hint="Without --kind and YG_KIND, yg looks for every kind.")


def _only(formats: Sequence[Format]) -> Format:
    """Return the only format; raise UsageError if there are several."""
    if len(formats) > 1:
        *others, last = [found.name for found in formats]
        choices = " or ".join(f"--kind {found.name}" for found in formats)
        raise UsageError(
            f"there are graphs of kinds {', '.join(others)} and {last} here",
            hint=f"Choose one with {choices}.",
        )
    return formats[0]


def _found(start: str, wanted: Sequence[Format]) -> tuple[str, Sequence[Format]] | None:
    """Search upwards for a graph by its marker, then for one without its marker."""
    ways = dict.fromkeys((start, os.path.realpath(start)))
    looks = (_found_above(way, wanted, sign) for sign in (_is_marked, _is_traced) for way in ways)
    return next((found for found in looks if found), None)


def _found_above(
    start: str, wanted: Sequence[Format], sign: Callable[[str, Format], bool]
) -> tuple[str, Sequence[Format]] | None:
    """Search a directory and its parents for a graph; raise YgError if its folder is elsewhere."""
    place = start
    while True:
        found = [candidate for candidate in wanted if sign(place, candidate)]
        if found:
            for kind in found:
                require_own_folder(place, kind.folder)
            return place, found
        if os.path.dirname(place) == place:
            return None
        place = os.path.dirname(place)


def _refuse_inner_bare(start: str) -> None:
    """Raise GitError in a bare repository inside a work tree, which is not read as a repository."""
    from yg_old.disk.git.process import GitError
    from yg_old.disk.git.repository import find_repository, nearest_top

    top, used = nearest_top(start), find_repository(start)
    if used is not None and used.top != top:
        raise GitError(
            f"{os.path.basename(top)} is a bare git repository inside the work tree of another one",
            hint="yg reads no commits of such a directory. Move it out, or clone it.",
        )


def _is_marked(place: str, kind: Format) -> bool:
    folder = os.path.join(place, kind.folder)
    if not os.path.isdir(folder):
        # A broken link is a mistake; the graph of a directory above is not meant.
        return kind.marker == kind.folder and os.path.islink(folder)
    return os.path.exists(os.path.join(place, kind.marker))


def _is_traced(place: str, kind: Format) -> bool:
    return bool(kind.trace) and os.path.isdir(os.path.join(place, kind.trace))


def _found_in_commit(
    start: str, commit: str, wanted: Sequence[Format], outer: str
) -> tuple[str, Sequence[Format]]:
    """Search upwards inside a commit; the repository may be bare or on another branch.

    `outer` is a directory outside the repository that has a graph; empty if there is none.
    """
    from yg_old.disk.git.commits import GitSnapshot
    from yg_old.disk.git.repository import prefix_of

    start = os.path.realpath(start)
    prefix = prefix_of(start) or paths.ROOT
    snapshot = GitSnapshot(start, commit, "")
    for steps, place in enumerate((prefix, *reversed(paths.lineage(prefix)))):
        markers = ((kind, paths.join(place, kind.marker)) for kind in wanted)
        found = [kind for kind, marker in markers if snapshot.kind(marker) is not None]
        if found:
            return os.path.normpath(os.path.join(start, *[os.pardir] * steps)), found
    place = os.path.relpath(outer, start) if outer else ""
    hint = f"The graph in {place} is outside this git repository." if outer else ""
    raise NoGraphError(f"there is no graph in commit {commit[:12]}", hint=hint)
