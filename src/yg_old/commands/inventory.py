"""`yg inventory`: the nodes of this repository, for others to import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.command import Command, warnings
from yg_old.commands.issues import SkippedEntries, place_text, skipped_data, skipped_lines
from yg_old.commands.request import Option, Output, Request, Revision
from yg_old.disk.git.changed_files import changed_files
from yg_old.disk.git.process import GitError, head_commit
from yg_old.kernel.document import Document, Text, about
from yg_old.kernel.errors import RefusedError
from yg_old.kernel.inventory import Inventory, InventoryNode, inventory_text
from yg_old.text.plural import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace


class InventoryRequest(Request["PublishedInventory"], frozen=True, kw_only=True):
    """What to list about each node, and where to write it."""

    contracts: Annotated[
        bool, Option(help="include the texts that dependents of each node see")
    ] = False
    at: Revision = None
    output: Output = None


class PublishedInventory(Document, frozen=True, kw_only=True, tag="yg-inventory/1"):
    """What `yg inventory --json` prints: the nodes of a repository for others to import."""

    HIDDEN = ("inventory",)

    name: Annotated[Text, about("The name of the repository.")]
    commit: Annotated[str, about("The commit of the inventory; empty if there is none.")]
    nodes: Annotated[tuple[InventoryNode, ...], about("The nodes in the order of paths.")]
    skipped: SkippedEntries
    notes: Annotated[
        tuple[Text, ...], about("Warnings about texts that could not be read, and the commit.")
    ]
    inventory: Inventory


def ask(run: Run, request: InventoryRequest) -> PublishedInventory:
    """List the nodes of the graph; with `contracts`, include what their dependents see."""
    workspace = run.workspace
    found, left_out = inventory_of(workspace, contracts=request.contracts)
    return PublishedInventory(
        name=found.header.name,
        commit=found.header.commit,
        nodes=tuple(found.nodes),
        skipped=skipped_data(workspace.skipped()),
        notes=(*left_out, *commit_notes(workspace, found.header.commit)),
        inventory=found,
    )


def inventory_of(workspace: OpenWorkspace, *, contracts: bool) -> tuple[Inventory, tuple[str, ...]]:
    """Return the inventory of a graph, and notes about nodes with texts that cannot be read."""
    workspace.require_yggdrasil("an inventory")
    _require_config(workspace)
    from yg_old.yggdrasil.inventories.publish import graph_inventory

    commit = workspace.commit or head_commit(workspace.root)
    return graph_inventory(workspace.graph, workspace.repository_name, commit, contracts=contracts)


def _require_config(workspace: OpenWorkspace) -> None:
    """Raise an error if the configuration, which says what a contract is, has errors."""
    from yg_old.yggdrasil.model import ReadIssue

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


def text(published: PublishedInventory, _palette: Palette) -> str:
    """Write the inventory as it is imported."""
    return inventory_text(published.inventory)


def _notes(published: PublishedInventory, palette: Palette) -> str:
    return skipped_lines(published.skipped, palette) + warnings(published.notes, palette)


COMMAND = Command(
    request=InventoryRequest, documents=(PublishedInventory,), ask=ask, text=text, notes=_notes
)
