"""`yg mv`: rename or move a node, an aspect or a flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from yg_old.commands.command import Command, warnings
from yg_old.commands.edits import edits_text
from yg_old.commands.request import DryRun, Operand, Option, Request
from yg_old.disk.files.apply import cleared_applier
from yg_old.disk.writing.lock import writing
from yg_old.disk.writing.records import read_record, recorded
from yg_old.kernel.document import Count, Document, Text, about
from yg_old.kernel.edit import Edits, WasDryRun
from yg_old.kernel.errors import UsageError
from yg_old.kernel.palette import visible
from yg_old.text.plural import counted
from yg_old.workspace.migration import migrate_baselines
from yg_old.yggdrasil.edit.rename import move
from yg_old.yggdrasil.parts import PartKind
from yg_old.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from yg_old.commands.command import Run
    from yg_old.kernel.palette import Palette
    from yg_old.workspace.opened import OpenWorkspace
    from yg_old.yggdrasil.edit.rename import Move

LEGACY = "baselines are still in one file; they would be converted first, and then be moved too"


class MvRequest(Request["Moved"], frozen=True, kw_only=True):
    """What to move, and where to."""

    old: Annotated[str, Operand("OLD", "node, aspect or flow; all below it moves too")]
    new: Annotated[str, Operand("NEW", "its new path or id, which must not exist")]
    node: Annotated[bool, Option(help="OLD is a node")] = False
    aspect: Annotated[bool, Option(help="OLD is an aspect")] = False
    flow: Annotated[bool, Option(help="OLD is a flow")] = False
    dry_run: DryRun = False

    @property
    def kinds(self) -> list[PartKind]:
        """What OLD is, as the options say."""
        given = {PartKind.NODE: self.node, PartKind.ASPECT: self.aspect, PartKind.FLOW: self.flow}
        return [kind for kind, is_given in given.items() if is_given]

    def check(self) -> None:
        """Raise UsageError if OLD is said to be two things."""
        if len(self.kinds) > 1:
            raise UsageError("--node, --aspect and --flow cannot be combined")


class Moved(Document, frozen=True, kw_only=True, tag="yg-mv/1"):
    """What `yg mv --json` prints: what a new name changes."""

    HIDDEN = ("remarks",)
    HIDING = ("edits",)

    kind: Annotated[PartKind, about("What it is.")]
    old: Annotated[Text, about("The old path or id.")]
    new: Annotated[Text, about("The new path or id.")]
    dry_run: WasDryRun
    moved: Annotated[Count, about("How many nodes, aspects or flows have a new name.")]
    references: Annotated[Count, about("How many references to them were rewritten.")]
    files: Annotated[Count, about("The number of files with these references.")]
    baselines: Annotated[Count, about("How many baselines were rewritten.")]
    edits: Edits
    notes: Annotated[
        tuple[Text, ...], about("What could not be rewritten, or is left for you to do.")
    ]
    remarks: tuple[str, ...]  # on baselines that were converted first


def ask(run: Run, request: MvRequest) -> Moved:
    """Give another name to a node, an aspect or a flow, and to everything below it."""
    workspace = run.workspace
    workspace.require_writable("yg mv")
    remarks: tuple[str, ...] = ()
    if request.dry_run:
        found = _move(workspace, request)
        remarks = (LEGACY,) if workspace.baselines.legacy is not None else ()
    else:
        remarks = migrate_baselines(workspace)
        with writing(workspace.root, FOLDER):
            # Reopen after taking the lock: another process may have changed files in the meantime.
            found = _move(run.reopen(), request)
            with recorded(workspace.root, FOLDER, found.record.content):
                cleared_applier(workspace.root, FOLDER).apply(found.edits)
    return Moved(
        kind=found.record.kind,
        old=found.record.old,
        new=found.record.new,
        dry_run=request.dry_run,
        moved=found.ids,
        references=found.references,
        files=found.files,
        baselines=found.baselines,
        edits=found.edits,
        notes=found.notes,
        remarks=remarks,
    )


def _move(workspace: OpenWorkspace, request: MvRequest) -> Move:
    kind = next(iter(request.kinds), None)
    record = read_record(workspace.root, FOLDER)
    return move(workspace.graph, workspace.baselines, request.old, request.new, kind, record=record)


def text(moved: Moved, _palette: Palette) -> str:
    """Write what a move changes; for a dry run also every edit."""
    what = [
        counted(moved.moved, moved.kind),
        f"{counted(moved.references, 'reference')} in {counted(moved.files, 'file')}",
        counted(moved.baselines, "baseline"),
    ]
    verb = "would move" if moved.dry_run else "moved"
    line = f"{verb} {moved.kind} {moved.old} -> {moved.new} ({', '.join(what)})"
    return f"{visible(line)}\n" + (edits_text(moved.edits) if moved.dry_run else "")


def notes(moved: Moved, palette: Palette) -> str:
    """Write what was done first, and what is left to do."""
    return warnings((*moved.remarks, *moved.notes), palette)


COMMAND = Command(request=MvRequest, documents=(Moved,), ask=ask, text=text, notes=notes)
