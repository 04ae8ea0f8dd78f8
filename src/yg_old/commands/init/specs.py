"""The first files of a Spec Graph, unless there is a graph already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.disk.reading.worktree import WorkTree
from yg_old.disk.writing.journal import commit, complete, recover
from yg_old.disk.writing.lock import writing
from yg_old.kernel.errors import YgError
from yg_old.kernel.snapshot import Kind
from yg_old.specgraph.edit.start import new_specs
from yg_old.specgraph.places import FOLDER, MARKER

if TYPE_CHECKING:
    from yg_old.kernel.edit import Write


def start_specs(root: str, name: str, *, dry_run: bool) -> tuple[Write, ...]:
    """Start a Spec Graph in a directory, and return its files; none if there is one already."""
    if not dry_run:
        recover(root, FOLDER)
    edits = _edits(root, name)
    if edits and not dry_run:
        with writing(root, FOLDER):
            complete(root, FOLDER)
            edits = _edits(root, name)  # another process may have started one in the meantime
            if edits:
                commit(root, FOLDER, edits, dict.fromkeys(edit.path for edit in edits))
    return edits


def _edits(root: str, name: str) -> tuple[Write, ...]:
    """Return the files to write; none if there is a graph. Raises YgError for other files."""
    tree = WorkTree(root, FOLDER)
    if tree.kind(MARKER) is not None:
        return ()
    if tree.kind(FOLDER) is Kind.DIRECTORY and tree.entries(FOLDER):
        hint = "List its nodes in graph.json, or move the folder away."
        raise YgError(f"{FOLDER}/ has files but no graph.json", hint=hint)
    return new_specs(name)
