"""Baselines of an earlier layout: one step before anything is compared with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.disk.reading.worktree import WorkTree

if TYPE_CHECKING:
    from yg_old.workspace.opened import OpenWorkspace


def migrate_baselines(workspace: OpenWorkspace) -> tuple[str, ...]:
    """Migrate baselines from the single-file layout; return notes for the user."""
    from yg_old.yggdrasil.drift.baselines import Baselines

    before = Baselines(WorkTree(workspace.root, workspace.format.folder))
    if not before.migration():
        return ()
    from yg_old.disk.files.apply import Applier
    from yg_old.disk.writing.lock import writing

    with writing(workspace.root, workspace.format.folder):
        # Another process may have migrated them in the meantime.
        before = Baselines(WorkTree(workspace.root, workspace.format.folder))
        migration = before.migration()
        if not migration:
            return ()
        Applier(workspace.root, workspace.format.folder).apply(migration)
    return before.migration_notes()
