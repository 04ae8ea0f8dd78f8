"""The changed sources of nodes since a commit, which needs no baselines."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from yg_old.code.change_class import compare, of_added, of_removed
from yg_old.code.read import read_facts
from yg_old.disk.git.changed_files import changed_files
from yg_old.disk.git.process import base_of
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind
from yg_old.kernel.sources import SnapshotSources
from yg_old.text import paths
from yg_old.workspace.opened import yggdrasil_graph
from yg_old.workspace.past import past_queries
from yg_old.yggdrasil.drift.states import How, NodeDrift, SourceChange, State
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.places import is_graph_file

if TYPE_CHECKING:
    from collections.abc import Collection

    from yg_old.code.facts import FileFacts
    from yg_old.kernel.sources import Owner
    from yg_old.workspace.opened import OpenWorkspace


class SinceCommit:
    """The sources of nodes now, compared with those of a commit."""

    def __init__(self, workspace: OpenWorkspace, since: str) -> None:
        self._workspace = workspace
        self._commit = commit = base_of(workspace.root, since)
        changes = changed_files(workspace.root, commit, staged=False)
        self.notes = changes.notes
        self._files = [file for file in changes.files if not is_graph_file(file)]
        self._snapshot = workspace.snapshot_of(commit)

    def old(self, _node: str, path: str) -> bytes | None:
        """Return the content of a file at the commit; None if it had none."""
        try:
            return self._snapshot.read(path)
        except UnreadableError:
            return None

    def drifts(self, scopes: Collection[str]) -> tuple[NodeDrift, ...]:
        """Return the nodes with changed sources: all, or those in some scopes, by path."""
        found: dict[str, list[SourceChange]] = {}
        for file in self._files:
            owner = self._owner(file)
            if owner is not None and _is_within(owner.node, scopes):
                change = self._change(file)
                if change is not None:
                    found.setdefault(owner.node, []).append(change)
        return tuple(
            NodeDrift(node=node, state=State.SOURCE, source=tuple(changes))
            for node, changes in sorted(found.items())
        )

    def _owner(self, file: str) -> Owner | None:
        """Return the owner of a file; of a file that is gone, the one that it had, if it is left.

        The mapping may follow a file that moved, so that a node above owns the old path now.
        """
        if self._workspace.sources.kind(file) is not Kind.FILE:
            then = self._old_owners.get(file)
            if then is not None and self._workspace.graph.nodes.get(then.node) is not None:
                return then
        return self._owners.get(file)

    @cached_property
    def _owners(self) -> Ownership:
        return Ownership(self._workspace.graph, self._workspace.sources)

    @cached_property
    def _old_owners(self) -> Ownership:
        then, _ = past_queries(self._workspace, self._commit, self._workspace.queries.tokenizer)
        return Ownership(yggdrasil_graph(then), SnapshotSources(self._snapshot))

    def _change(self, file: str) -> SourceChange | None:
        was = self._snapshot.kind(file) is Kind.FILE
        now = self._workspace.sources.kind(file) is Kind.FILE
        before = _facts(file, self.old("", file)) if was else None
        after = _facts(file, self._read(file)) if now else None
        return source_change(file, before, after, was=was, now=now)

    def _read(self, file: str) -> bytes | None:
        try:
            return self._workspace.sources.read(file)
        except UnreadableError:
            return None


def source_change(
    file: str, before: FileFacts | None, after: FileFacts | None, *, was: bool, now: bool
) -> SourceChange | None:
    """Compare the facts of a file in two states; None if it exists in neither."""
    if was and now:
        how, found = How.CHANGED, compare(before, after)
    elif now:
        how, found = How.ADDED, of_added(after)
    elif was:
        how, found = How.DELETED, of_removed(before)
    else:
        return None
    return SourceChange(file, how, kind=found.kind, names=found.names, parts=found.parts)


def _facts(file: str, content: bytes | None) -> FileFacts | None:
    return read_facts(file, content) if content is not None else None


def _is_within(node: str, scopes: Collection[str]) -> bool:
    return not scopes or any(paths.is_inside(node, scope) for scope in scopes)
