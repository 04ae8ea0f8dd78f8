"""Other states of a graph: at a commit, and as staged in the git index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.kernel.errors import NoGraphError, OldEditionError
from yg_old.workspace.opened import OpenWorkspace, read_graph

if TYPE_CHECKING:
    from yg_old.kernel.queries import Queries


def workspace_at(workspace: OpenWorkspace, revision: str) -> OpenWorkspace:
    """Open the same graph at a commit; raise NoGraphError if it has none of this layout."""
    from yg_old.disk.git.process import commit_of

    commit = commit_of(workspace.root, revision)
    found = OpenWorkspace(
        workspace.root,
        workspace.start,
        workspace.format,
        commit,
        uses_index=workspace.uses_index,
        tokenizer=workspace.tokenizer,
    )
    try:
        found.queries  # noqa: B018
    except OldEditionError as error:
        raise NoGraphError(f"no baseline: {error.message}", hint=error.hint) from error
    return found


def queries_at(workspace: OpenWorkspace, revision: str | None) -> tuple[Queries, str]:
    """Return the graph at a commit, to compare with; an empty one and the reason if it has none.

    Without a revision, it is the last commit, which may be missing too.
    """
    from yg_old.disk.git.process import NoCommitsError, commit_of
    from yg_old.kernel.snapshot import DictSnapshot

    try:
        commit = commit_of(workspace.root, revision or "HEAD")
        snapshot = workspace.snapshot_of(commit)
        return read_graph(workspace.format, snapshot, commit, workspace.tokenizer), ""
    except (NoGraphError, OldEditionError) as error:
        reason = error.message
    except NoCommitsError as error:
        if revision:
            raise
        reason = error.message
    return workspace.format.queries.read(DictSnapshot({})), reason


def past_queries(workspace: OpenWorkspace, commit: str, tokenizer: str) -> tuple[Queries, str]:
    """Return the graph at a commit to compare with, and a note if it cannot be read.

    A missing graph is empty, and so is one of the 1.x layout.
    """
    from yg_old.kernel.snapshot import DictSnapshot

    snapshot, note = workspace.snapshot_of(commit), ""
    if snapshot.kind(workspace.format.folder) is not None:
        try:
            return read_graph(workspace.format, snapshot, commit, tokenizer), ""
        except OldEditionError as error:
            note = f"no baseline: {error.message}, so every package counts as new"
    return workspace.format.queries.read(DictSnapshot({})), note


def staged_queries(workspace: OpenWorkspace) -> Queries:
    """Return the queries to the graph as staged in the git index."""
    from yg_old.disk.git.commits import GitSnapshot

    snapshot = GitSnapshot(workspace.root, "", "")
    return workspace.format.queries.read(snapshot, workspace.chosen_tokenizer)
