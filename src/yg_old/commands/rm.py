"""`yg rm`: remove a node, everything below it and everything that names it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.command import Command, warnings
from yg_old.commands.edits import edits_text
from yg_old.commands.request import DryRun, Operand, Option, Request
from yg_old.disk.writing.journal import commit
from yg_old.disk.writing.lock import writing
from yg_old.kernel.document import Count, Document, Text, about
from yg_old.kernel.edit import Delete, Edits, WasDryRun, Write
from yg_old.kernel.palette import visible
from yg_old.kernel.snapshot import Kind
from yg_old.text.plural import counted
from yg_old.workspace.migration import migrate_baselines
from yg_old.yggdrasil.drift.tracking import Tracker, mapped_nodes
from yg_old.yggdrasil.edit.remove import baseline_edits, removal
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.drift.tracking import Tracked

LEGACY = "baselines are still in one file; they would be converted first, and then follow"


class RmRequest(Request["Removed"], frozen=True, kw_only=True):
    """What to remove."""

    node: Annotated[str, Operand("NODE", "node to remove, with all nodes below it")]
    force: Annotated[bool, Option(help="remove the relations of other nodes to it, too")] = False
    dry_run: DryRun = False


class Removed(Document, frozen=True, kw_only=True, tag="yg-rm/1"):
    """What `yg rm --json` prints: what a removal changes."""

    HIDDEN = ("remarks",)
    HIDING = ("edits",)

    node: Annotated[Text, about("The path of the node.")]
    dry_run: WasDryRun
    nodes: Annotated[tuple[Text, ...], about("The removed nodes, sorted.")]
    references: Annotated[
        Count, about("How many relations, participations and accepted imports were removed.")
    ]
    files: Annotated[Count, about("The number of files that they were removed from.")]
    baselines: Annotated[Count, about("How many baselines were deleted or rewritten.")]
    edits: Edits
    notes: Annotated[tuple[Text, ...], about("What could not be rewritten.")]
    remarks: tuple[str, ...]  # on baselines that were converted first


def ask(run: Run, request: RmRequest) -> Removed:
    """Remove a node, the nodes below it, and every relation, participation and baseline of them."""
    workspace = run.workspace
    workspace.require_writable("yg rm")
    remarks: tuple[str, ...] = ()
    if request.dry_run:
        remarks = (LEGACY,) if workspace.baselines.legacy is not None else ()
        return _removed(workspace, request, remarks)
    remarks = migrate_baselines(workspace)
    with writing(workspace.root, FOLDER):
        # Reopen after taking the lock: another process may have changed files in the meantime.
        opened = run.reopen()
        found = _removed(opened, request, remarks)
        edits = [edit for edit in found.edits if isinstance(edit, (Write, Delete))]
        snapshot = opened.graph.snapshot
        commit(workspace.root, FOLDER, edits, {e.path: snapshot.read(e.path) for e in edits})
    return found


def _removed(workspace: OpenWorkspace, request: RmRequest, remarks: tuple[str, ...]) -> Removed:
    found = removal(workspace.graph, request.node, force=request.force)
    contents = {
        edit.path: edit.content if isinstance(edit, Write) else None for edit in found.edits
    }
    after = workspace.with_buffers(contents)
    baselines = workspace.baselines
    states = baseline_edits(found, baselines, _tracked(workspace), _tracked(after))
    return Removed(
        node=found.node,
        dry_run=request.dry_run,
        nodes=found.nodes,
        references=sum(file.count for file in found.changed),
        files=len(found.changed),
        baselines=len(states),
        edits=(*found.edits, *states),
        notes=tuple(
            f"the content of {file} stays as it is: {reason}"
            for file, reason in baselines.problems.items()
            if workspace.graph.snapshot.kind(file) is Kind.FILE
            and not any(edit.path == file for edit in states)
        ),
        remarks=remarks,
    )


def _tracked(workspace: OpenWorkspace) -> dict[str, Tracked]:
    """Return the tracked files of each mapped node."""
    tracker = Tracker(workspace.graph, workspace.sources)
    return {node.path: tracker.tracked(node) for node in mapped_nodes(workspace.graph)}


def text(removed: Removed, _palette: Palette) -> str:
    """Write what a removal changes; for a dry run also every edit."""
    what = [
        counted(len(removed.nodes), "node"),
        f"{counted(removed.references, 'reference')} in {counted(removed.files, 'file')}",
        counted(removed.baselines, "baseline"),
    ]
    verb = "would remove" if removed.dry_run else "removed"
    line = f"{verb} node {removed.node} ({', '.join(what)})"
    return f"{visible(line)}\n" + (edits_text(removed.edits) if removed.dry_run else "")


def notes(removed: Removed, palette: Palette) -> str:
    """Write what was done first, and what is left to do."""
    return warnings((*removed.remarks, *removed.notes), palette)


COMMAND = Command(request=RmRequest, documents=(Removed,), ask=ask, text=text, notes=notes)
