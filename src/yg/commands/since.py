"""Changes since a commit: the files that differ, and the nodes that these affect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.disk.git.changed_files import changed_files
from yg.disk.git.process import commit_of
from yg.workspace.past import past_queries

if TYPE_CHECKING:
    from yg.kernel.compare import DiffImpact
    from yg.kernel.queries import Queries
    from yg.workspace.opened import OpenWorkspace


def changes_since(
    workspace: OpenWorkspace, queries: Queries, since: str, *, staged: bool = False
) -> tuple[DiffImpact, tuple[str, ...]]:
    """Compare a graph and the source files with a commit; return the impact and the notes."""
    commit = commit_of(workspace.root, since)
    changes = changed_files(workspace.root, commit, staged=staged)
    then, note = past_queries(workspace, commit, queries.tokenizer)
    notes = (*changes.notes, note) if note else changes.notes
    return queries.diff(then, workspace.sources, changes.files, since=since), notes


def nodes_changed_since(
    workspace: OpenWorkspace, since: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the nodes with changed files, their own or source files, by path; and the notes."""
    commit = commit_of(workspace.root, since)
    changes = changed_files(workspace.root, commit, staged=False)
    queries = workspace.queries
    found = queries.changed(
        lambda: past_queries(workspace, commit, queries.tokenizer)[0],
        workspace.sources,
        changes.files,
    )
    return found, changes.notes
