"""The `inventory` command: the nodes of this repository, for others to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, warnings
from yg.disk.changes import changed_files
from yg.disk.git import GitError, head_commit
from yg.kernel.errors import RefusedError
from yg.kernel.inventory import inventory_text
from yg.kernel.plural import counted
from yg.render.inventory import inventory_data
from yg.render.issues import place_text, skipped_data, skipped_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.inventory import Inventory
    from yg.workspace import OpenWorkspace


def inventory(workspace: OpenWorkspace, *, contracts: bool = False) -> Answer:
    """List the nodes of the graph; with `contracts`, include what their dependents see."""
    found, left_out = inventory_of(workspace, contracts=contracts)
    notes = (*left_out, *commit_notes(workspace, found.header.commit))
    missing = workspace.skipped()
    return Answer(
        data=lambda: inventory_data(found, skipped=skipped_data(missing), notes=notes),
        forms={"text": lambda _palette: inventory_text(found)},
        notes=lambda palette: skipped_text(missing, palette) + warnings(notes)(palette),
    )


def inventory_of(workspace: OpenWorkspace, *, contracts: bool) -> tuple[Inventory, tuple[str, ...]]:
    """Return the inventory of a graph, and notes about nodes with texts that cannot be read."""
    workspace.require(workspace.format.has_aspects, "an inventory")
    _require_config(workspace)
    from yg.yggdrasil.inventory import graph_inventory

    commit = workspace.commit or head_commit(workspace.root)
    return graph_inventory(workspace.graph, workspace.repository_name, commit, contracts=contracts)


def _require_config(workspace: OpenWorkspace) -> None:
    """Raise an error if the configuration, which says what a contract is, has errors."""
    from yg.yggdrasil.model import ReadIssue

    for note in workspace.graph.config_reading.notes:
        if note.issue is ReadIssue.CONFIG:
            found = note.finding
            hint = " ".join(found.advice) or "Correct it; 'yg validate' shows all errors."
            raise RefusedError(
                f"no inventory: {place_text(found.place)}: {found.message}", hint=hint
            )


def commit_notes(workspace: OpenWorkspace, commit: str) -> Iterator[str]:
    """Yield a warning if the inventory is not that of its commit."""
    if not commit:
        yield "the repository has no commit, so the inventory names none"
    elif not workspace.commit:
        folder = workspace.format.folder
        try:
            changed = changed_files(f"{workspace.root}/{folder}", commit, staged=False).files
        except GitError as error:
            yield f"{error.message}, so the inventory may differ from its commit"
            return
        count = sum(not file.startswith(".") for file in changed)
        if count:
            differ = (
                f"{counted(count, 'file')} in {folder}/ {'differs' if count == 1 else 'differ'}"
            )
            yield f"{differ} from commit {commit[:12]}, which the inventory names"
