"""The `inventory` command: the nodes of this repository, for others to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, warnings
from yg.disk.changes import changed_files
from yg.disk.git import GitError, head_commit
from yg.kernel.inventory import inventory_text
from yg.kernel.plural import counted
from yg.render.inventory import inventory_data
from yg.render.issues import skipped_data, skipped_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg.kernel.inventory import Inventory
    from yg.workspace import OpenWorkspace


def inventory(workspace: OpenWorkspace, *, contracts: bool = False) -> Answer:
    """List the nodes of the graph; with `contracts`, include what their dependents see."""
    found, notes = inventory_of(workspace, contracts=contracts)
    missing = workspace.skipped()
    return Answer(
        data=lambda: inventory_data(found, skipped=skipped_data(missing), notes=notes),
        forms={"text": lambda _palette: inventory_text(found)},
        notes=lambda palette: skipped_text(missing, palette) + warnings(notes)(palette),
    )


def inventory_of(workspace: OpenWorkspace, *, contracts: bool) -> tuple[Inventory, tuple[str, ...]]:
    """Return the inventory of a graph, and warnings about what it does not say."""
    workspace.require(workspace.format.has_aspects, "an inventory")
    from yg.yggdrasil.inventory import graph_inventory

    commit = workspace.commit or head_commit(workspace.root)
    found, notes = graph_inventory(
        workspace.graph, workspace.repository_name, commit, contracts=contracts
    )
    return found, (*notes, *_commit_notes(workspace, commit))


def _commit_notes(workspace: OpenWorkspace, commit: str) -> Iterator[str]:
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
