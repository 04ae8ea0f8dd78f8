"""The `owner` command: the node with the longest mapping that covers a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg.answers.answer import with_skipped
from yg.kernel.paths import is_inside
from yg.render.owner import KnownFile, owners_data, owners_text
from yg.yggdrasil.mapping import Ownership
from yg.yggdrasil.parts import part_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.answers.answer import Answer
    from yg.workspace import OpenWorkspace


def owner(workspace: OpenWorkspace, files: Iterable[str]) -> Answer:
    """Find the owner of each file."""
    workspace.require(workspace.format.has_owners, "the owner of a file")
    ownership = Ownership(workspace.graph, workspace.sources)
    looked_up = [look_up(workspace, ownership, file) for file in files]
    return with_skipped(
        workspace.skipped(),
        data=lambda skipped: owners_data(looked_up, skipped),
        forms={"text": lambda _palette: owners_text(looked_up)},
    )


def look_up(workspace: OpenWorkspace, ownership: Ownership, file: str) -> KnownFile:
    """Find the owner of a file that a user named.

    A path that does not exist in the current directory may be one from the root of the repository.
    A file that a mapping names belongs to its node before it is written.
    """
    here, from_root = workspace.relative(file), workspace.from_root(file)
    if here is not None and workspace.exists(file):
        return _known_file(workspace, ownership, here)
    if from_root is not None and workspace.exists_at(from_root):
        return _known_file(workspace, ownership, from_root)
    for path in (here, from_root):
        owner_of_path = ownership.get(path) if path is not None else None
        if owner_of_path is not None and owner_of_path.mapping == path:
            return KnownFile(file=path, exists=False, owner=owner_of_path)
    if here is None:
        return KnownFile(file=file, is_inside=False, exists=workspace.exists(file))
    part, is_graph = part_of(workspace.graph, here), is_inside(here, workspace.format.folder)
    owner_of_path = ownership.get(here)
    return KnownFile(file=here, exists=False, owner=owner_of_path, is_graph=is_graph, part=part)


def _known_file(workspace: OpenWorkspace, ownership: Ownership, path: str) -> KnownFile:
    """Return the owner of an existing file."""
    if is_inside(path, workspace.format.folder):
        return KnownFile(file=path, is_graph=True, part=part_of(workspace.graph, path))
    found = ownership.get(path)
    is_below = found is not None and found.mapping != path
    is_ignored = is_below and workspace.sources.ignores(path)
    return KnownFile(file=path, owner=found, is_ignored=is_ignored)
