"""The `mv` command: rename or move a node, an aspect or a flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, warnings
from yg.disk.apply import cleared_applier
from yg.disk.lock import writing
from yg.render.edits import move_data, move_text
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.rename import move

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.parts import PartKind
    from yg.yggdrasil.rename import Move

LEGACY = "baselines are still in one file; they would be converted first, and then be moved too"


def rename(
    reopen: Callable[[], OpenWorkspace],
    old: str,
    new: str,
    *,
    kind: PartKind | None = None,
    dry_run: bool,
) -> Answer:
    """Give another name to a node, an aspect or a flow, and to everything below it."""
    workspace = reopen()
    workspace.require_writable("yg mv")
    notes: tuple[str, ...] = ()
    if dry_run:
        found = _move(workspace, old, new, kind)
        notes = (LEGACY,) if workspace.baselines.legacy is not None else ()
    else:
        notes = workspace.migrate_baselines()
        with writing(workspace.root, FOLDER):
            # Reopen after taking the lock: another process may have changed files in the meantime.
            found = _move(reopen(), old, new, kind)
            cleared_applier(workspace.root, FOLDER).apply(found.recorded_edits)
    return Answer(
        data=lambda: move_data(found, dry_run=dry_run),
        forms={"text": lambda _palette: move_text(found, dry_run=dry_run)},
        notes=warnings((*notes, *found.notes)),
    )


def _move(workspace: OpenWorkspace, old: str, new: str, kind: PartKind | None) -> Move:
    return move(workspace.graph, workspace.baselines, old, new, kind)
