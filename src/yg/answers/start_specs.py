"""The `init` command for Spec Graphs: the first files, unless there is a graph already."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from yg.answers.answer import Answer
from yg.disk.cache import NAME as CACHE
from yg.disk.journal import commit, complete, recover
from yg.disk.lock import writing
from yg.disk.worktree import WorkTree
from yg.kernel.errors import YgError
from yg.kernel.snapshot import Kind
from yg.render.edits import started_data, started_text
from yg.specgraph.places import FOLDER, MARKER
from yg.specgraph.start import group_id, new_specs

if TYPE_CHECKING:
    from yg.kernel.edit import Write


def start_specs(root: str, name: str, *, dry_run: bool) -> Answer:
    """Start a Spec Graph in a directory."""
    name = name or os.path.basename(os.path.realpath(root))
    if not dry_run:
        recover(root, FOLDER)
    edits = _edits(root, name)
    if edits and not dry_run:
        with writing(root, FOLDER):
            complete(root, FOLDER)
            edits = _edits(root, name)  # another process may have started one in the meantime
            if edits:
                commit(root, FOLDER, edits, dict.fromkeys(edit.path for edit in edits))
    return Answer(
        data=lambda: started_data(edits, dry_run=dry_run),
        forms={"text": lambda _palette: started_text(edits, group_id(name), dry_run=dry_run)},
    )


def _edits(root: str, name: str) -> tuple[Write, ...]:
    """Return the files to write; none if there is a graph. Raises YgError for other files."""
    tree = WorkTree(root, FOLDER)
    if tree.kind(MARKER) is not None:
        return ()
    if tree.kind(FOLDER) is Kind.DIRECTORY:
        found = [entry for entry in tree.entries(FOLDER) if entry != CACHE]
        if found:
            hint = "List its nodes in graph.json, or move the folder away."
            raise YgError(f"{FOLDER}/ has files but no graph.json", hint=hint)
    return new_specs(name)
