"""The people to ask about files and nodes, from CODEOWNERS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.disk.git.commits import GitSnapshot
from yg_old.disk.git.repository import find_repository
from yg_old.disk.reading.worktree import WorkTree
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.text.codeowners import PLACES, CodeOwners
from yg_old.yggdrasil.owners import Ownership, own_files

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg_old.kernel.snapshot import Snapshot
    from yg_old.text.codeowners import OwnersLine
    from yg_old.workspace.opened import OpenWorkspace


class People(Struct, frozen=True):
    """Whom to ask about the files below the root of a graph."""

    owners: CodeOwners
    prefix: str  # of the root in its repository

    def of_file(self, file: str) -> tuple[str, ...]:
        """Return the owners of a file."""
        return self.owners.of(paths.join(self.prefix, file))

    def of_files(self, files: Iterable[str]) -> tuple[str, ...]:
        """Return the owners of some files, sorted."""
        return tuple(sorted({owner for file in files for owner in self.of_file(file)}))

    def unmatched(self, files: Iterable[str]) -> tuple[OwnersLine, ...]:
        """Return the lines that match no file; none if the root is not that of the repository."""
        return () if self.prefix else self.owners.unmatched(tuple(files))


def people(workspace: OpenWorkspace) -> People | None:
    """Return whom to ask; None if the repository has no CODEOWNERS that can be read."""
    prefix = workspace.git_prefix
    snapshot: Snapshot = workspace.snapshot
    repository = find_repository(workspace.root) if prefix else None
    if repository is not None:
        top, commit = repository.top, workspace.commit
        snapshot = GitSnapshot(top, commit, "") if commit else WorkTree(top, "")
    file = next((path for path in PLACES if snapshot.kind(path) is Kind.FILE), "")
    if not file:
        return None
    try:
        text = snapshot.read(file).decode("utf-8", "surrogateescape")
    except UnreadableError:
        return None  # too large, or not readable for this user
    return People(CodeOwners(file, text), prefix)


def owners_of_nodes(
    workspace: OpenWorkspace, people: People, nodes: Iterable[str]
) -> dict[str, tuple[str, ...]]:
    """Return the owners of the files that each of some nodes owns."""
    graph, sources = workspace.graph, workspace.sources
    ownership = Ownership(graph, sources)
    found = ((path, graph.nodes.get(path)) for path in nodes)
    return {
        path: people.of_files(own_files(sources, ownership, node))
        for path, node in found
        if node is not None
    }
