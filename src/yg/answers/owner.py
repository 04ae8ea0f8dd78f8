"""The `owner` command: the node with the longest mapping that covers a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import with_skipped
from yg.render.owner import KnownFile, owners_data, owners_text
from yg.yggdrasil.mapping import Ownership

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.answers.answer import Answer
    from yg.workspace import Workspace


def owner(workspace: Workspace, files: Iterable[str]) -> Answer:
    """Find the owner of each file."""
    workspace.require(workspace.format.has_owners, "the owner of a file")
    ownership = Ownership(workspace.graph)
    looked_up = [_look_up(workspace, ownership, file) for file in files]
    return with_skipped(
        workspace.skipped(),
        data=lambda skipped: owners_data(looked_up, skipped),
        forms={"text": lambda _palette: owners_text(looked_up)},
    )


def _look_up(workspace: Workspace, ownership: Ownership, file: str) -> KnownFile:
    path = workspace.relative(file)
    if path is None:
        return KnownFile(file=file, is_inside=False, exists=workspace.exists(file))
    return KnownFile(file=path, exists=workspace.exists(file), owner=ownership.get(path))
