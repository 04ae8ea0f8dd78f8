"""The `new` command: create a node, an aspect or a flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import Answer, warnings
from yg.disk.apply import cleared_applier
from yg.disk.lock import writing
from yg.kernel.errors import YgError
from yg.render.edits import new_data, new_text
from yg.yggdrasil.create import new_aspect, new_flow, new_node
from yg.yggdrasil.places import FOLDER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.workspace import OpenWorkspace
    from yg.yggdrasil.create import New

    Reopen = Callable[[], OpenWorkspace]


def create_node(
    reopen: Reopen, name: str, *, type_name: str, mapping: Sequence[str], dry_run: bool
) -> Answer:
    """Create a node; mapped paths are relative to the directory of the workspace."""

    def make(workspace: OpenWorkspace) -> New:
        inside = [_inside(workspace, path) for path in mapping]
        graph, sources = workspace.graph, workspace.sources
        return new_node(graph, sources, name, type_name=type_name, mapping=inside)

    return _create(reopen, make, dry_run=dry_run)


def create_aspect(reopen: Reopen, name: str, *, dry_run: bool) -> Answer:
    """Create an aspect."""
    return _create(reopen, lambda workspace: new_aspect(workspace.graph, name), dry_run=dry_run)


def create_flow(reopen: Reopen, name: str, nodes: Sequence[str], *, dry_run: bool) -> Answer:
    """Create a flow."""
    return _create(
        reopen, lambda workspace: new_flow(workspace.graph, name, nodes), dry_run=dry_run
    )


def _inside(workspace: OpenWorkspace, path: str) -> str:
    relative = workspace.relative(path)
    if relative is None:
        raise YgError(f"cannot map '{path}': it is outside the repository")
    return relative


def _create(reopen: Reopen, make: Callable[[OpenWorkspace], New], *, dry_run: bool) -> Answer:
    """Write the files of something new, unless this is a dry run."""
    workspace = reopen()
    workspace.require_writable("yg new")
    if dry_run:
        new = make(workspace)
    else:
        with writing(workspace.root, FOLDER):
            # Reopen after taking the lock: another process may have changed files in the meantime.
            new = make(reopen())
            cleared_applier(workspace.root, FOLDER).apply(new.edits)
    finds_drafts = workspace.graph.config.code is not None
    return Answer(
        data=lambda: new_data(new, dry_run=dry_run),
        forms={"text": lambda _palette: new_text(new, dry_run=dry_run, finds_drafts=finds_drafts)},
        notes=warnings(new.notes),
    )
