"""Opens a repository: finds its graph, and answers to names as people type them."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from yg.disk.apply import Applier
from yg.disk.git import GitSnapshot, commit_of, prefix_of
from yg.disk.lock import writing
from yg.disk.memory import Change, Memory
from yg.disk.sources import WorkTreeSources
from yg.disk.worktree import WorkTree
from yg.formats import FORMATS, YGGDRASIL, YGGDRASIL_0X
from yg.kernel import paths
from yg.kernel.errors import (
    NoGraphError,
    NotFoundError,
    OldEditionError,
    RefusedError,
    UsageError,
    YgError,
)
from yg.kernel.issue import Issue, Place, Severity
from yg.kernel.packing import Packing
from yg.kernel.snapshot import Kind
from yg.kernel.sources import SnapshotSources
from yg.kernel.suggest import did_you_mean, nearest
from yg.kernel.value import value
from yg.render.package_markdown import markdown_tokens
from yg.yggdrasil.baselines import Baselines
from yg.yggdrasil.model import CONFIG_FILE
from yg.yggdrasil.rules import errors_around, errors_of, issues_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.kernel.format import Format
    from yg.kernel.package import Package
    from yg.kernel.packing import Packs
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node

T = TypeVar("T")
ISSUES: Packs[tuple[Issue, ...]] = Packing(Issue, Place, Severity)


@value(slots=False)
class Workspace:
    """A repository with a graph, seen from one directory inside it, now or at a commit."""

    root: str
    start: str
    format: Format[Graph]
    commit: str = ""  # empty: the work tree as it is
    uses_index: bool = True

    @cached_property
    def tree(self) -> WorkTree:
        """The files of the work tree."""
        return WorkTree(self.root, self.format.folder, self._memory)

    @cached_property
    def _memory(self) -> Memory | None:
        """What earlier runs found out about the files."""
        may_remember = self.uses_index and self.format is YGGDRASIL
        return Memory(self.root, self.format.folder) if may_remember else None

    def save(self) -> None:
        """Keep what was found out about the files for the next run."""
        if self._memory is not None:
            self._memory.save()

    def _remembered(
        self, name: str, sensitivity: Change, packing: Packs[T], find: Callable[[], T]
    ) -> T:
        """Return what an earlier run found out, if nothing it was found out from has changed."""
        if self._memory is None or self.commit:
            return find()
        return self.tree.memos.of(name, sensitivity, packing, find)

    @cached_property
    def issues(self) -> tuple[Issue, ...]:
        """Every issue of the graph."""
        return self._remembered(
            "issues",
            Change.TEXT,
            ISSUES,
            lambda: issues_of(self.graph, self.sources, self.measure),
        )

    @cached_property
    def errors(self) -> tuple[Issue, ...]:
        """Every error of the graph."""
        return self._remembered(
            "errors", Change.STRUCTURE, ISSUES, lambda: errors_of(self.graph, self.sources)
        )

    @cached_property
    def snapshot(self) -> Snapshot:
        """The files that the graph is read from."""
        return self._snapshot_of(self.commit) if self.commit else self.tree

    @cached_property
    def sources(self) -> Sources:
        """The source files beside the graph."""
        return SnapshotSources(self.snapshot) if self.commit else WorkTreeSources(self.tree)

    @cached_property
    def graph(self) -> Graph:
        """The graph, which is read as far as it is asked for."""
        return self._opened(self.snapshot, self.commit)

    def graph_at(self, revision: str, *, may_be_absent: bool = False) -> Graph:
        """Return the graph as a commit has it; one that may be absent is then empty."""
        commit = commit_of(self.root, revision)
        snapshot = self._snapshot_of(commit)
        if may_be_absent and snapshot.kind(self.format.folder) is None:
            return self.format.read(snapshot)
        return self._opened(snapshot, commit)

    def _opened(self, snapshot: Snapshot, commit: str) -> Graph:
        """Read a graph, unless there is none or it has to be upgraded first."""
        folder = self.format.folder
        kind = snapshot.kind(folder)
        if kind is None:
            raise NoGraphError(f"there is no {folder}/ in commit {commit[:12]}")
        if kind is Kind.LINK:
            raise NoGraphError(f"{folder} is a link in commit {commit[:12]}, and leads out of it")
        is_old = snapshot.kind(f"{folder}/config.yaml") is not None
        if self.format is YGGDRASIL and is_old and snapshot.kind(f"{folder}/{CONFIG_FILE}") is None:
            raise OldEditionError(
                f"the graph in {folder}/ has the 1.x layout (config.yaml)",
                hint="Bring it up to date with 'yg init --upgrade'.",
            )
        return self.format.read(snapshot)

    @property
    def measure(self) -> Callable[[Package], int] | None:
        """How the size of a package is told, where it is not by its tokens."""
        return markdown_tokens if self.format is YGGDRASIL_0X else None

    def require_baselines(self) -> None:
        """Refuse what only graphs with baselines can do."""
        if self.format is not YGGDRASIL:
            raise OldEditionError(
                "0.x graphs have no baselines, so there is no drift to see",
                hint="'yg init --kind yggdrasil' starts a 2.x graph beside it.",
            )

    def staged_graph(self) -> Graph:
        """Return the graph as the next commit would have it."""
        return self.format.read(GitSnapshot(self.root, "", ""))

    @cached_property
    def git_prefix(self) -> str:
        """Where the repository's root lies below the root of its git repository."""
        return prefix_of(self.root)

    def _snapshot_of(self, commit: str) -> GitSnapshot:
        return GitSnapshot(self.root, commit, prefix_of(self.root))

    @cached_property
    def baselines(self) -> Baselines:
        """The baselines that drift is measured against."""
        return Baselines(self.tree)

    def migrate_baselines(self) -> tuple[str, ...]:
        """Bring baselines of the single-file layout over; return what is to be said of it."""
        before = Baselines(WorkTree(self.root, self.format.folder))
        if not before.migration():
            return ()
        with writing(self.root):
            # Another process may have done it while this one waited.
            before = Baselines(WorkTree(self.root, self.format.folder))
            Applier(self.root, YGGDRASIL.folder).apply(before.migration())
        problems = before.rejected
        kept = "the old file is kept as .drift-state.rejected"
        return tuple(f"{problem}; {kept}" for problem in problems)

    def node(self, name: str) -> Node:
        """Return a node by the name a user typed."""
        path = self.node_path(name)
        node = self.graph.nodes.get(path)
        if node is None:
            raise RefusedError(
                f"node '{path}' could not be read",
                hint="Mend its yg-node.yaml first.",
                issues=errors_around(self.graph, self.sources, path),
            )
        return node

    def node_path(self, name: str) -> str:
        """Return the path of a declared node, readable or not, by the name a user typed."""
        for candidate in _spellings(name):
            if self.graph.nodes.reading(candidate) is not None:
                return candidate
        near = nearest(name, self.graph.nodes.all)
        hint = did_you_mean(near) or "'yg tree' lists all nodes."
        raise NotFoundError(f"no node at '{name}'", hint=hint)

    def directory(self, name: str) -> str:
        """Return a directory of the model that is a node or leads to nodes."""
        if paths.normalise(name) in (paths.ROOT, paths.name_of(self.graph.nodes.label.tree)):
            return paths.ROOT
        for candidate in _spellings(name):
            if any(paths.is_inside(each, candidate) for each in self.graph.nodes.all):
                return candidate
        return self.node_path(name)

    def exists(self, file: str) -> bool:
        """Tell whether a file is there, in the work tree or in the commit that is looked at."""
        if not self.commit:
            place = os.path.normpath(os.path.join(self.start, file))
            return "\0" not in file and os.path.lexists(place)
        path = self.relative(file)
        return path is not None and self.snapshot.kind(path) is not None

    def relative(self, file: str) -> str | None:
        """Return a path as the repository names it; None when it lies outside."""
        if "\0" in file:
            return None  # no file can have such a name
        absolute = os.path.normpath(os.path.join(self.start, file))
        if not _is_below(absolute, self.root):
            # The same place by another name: links above the repository are no way out of it.
            folder = os.path.realpath(os.path.dirname(absolute))
            absolute = os.path.join(folder, os.path.basename(absolute))
            if not _is_below(absolute, os.path.realpath(self.root)):
                return None
            return _inside(absolute, os.path.realpath(self.root))
        return _inside(absolute, self.root)


def _spellings(name: str) -> tuple[str, ...]:
    """Return what a name may mean: a node's path, or one that is written from `model/` on."""
    path = paths.normalise(name)
    return () if path is None else (path, path.removeprefix("model/"))


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(os.path.join(directory, ""))


def _inside(path: str, directory: str) -> str:
    return os.path.relpath(path, directory).replace(os.sep, "/")


def open_workspace(
    directory: str,
    revision: str | None = None,
    kind: str | None = None,
    *,
    uses_index: bool = True,
) -> Workspace:
    """Find the repository that a directory belongs to, now or as a commit has it."""
    start = os.path.abspath(directory)
    if not os.path.isdir(start):
        raise YgError(f"'{directory}' is not a directory")
    wanted = [each for each in FORMATS if kind in (None, each.name)]
    found = _found_above(start, wanted)
    if found is None and os.path.realpath(start) != start:
        found = _found_above(os.path.realpath(start), wanted)
    if revision is None:
        if found is None:
            raise NoGraphError(_no_graph(kind), hint="")
        return Workspace(found[0], start, _only(found[1]), uses_index=uses_index)
    commit = commit_of(found[0] if found else start, revision)
    place, formats = found or _found_in_commit(start, commit, wanted)
    return Workspace(place, start, _only(formats), commit, uses_index=uses_index)


def _no_graph(kind: str | None) -> str:
    if kind in (None, YGGDRASIL.name):
        return "No .yggdrasil/ directory found. Run 'yg init' first."
    return f"No graph of kind {kind} found from here upwards."


def _only(formats: Sequence[Format[Graph]]) -> Format[Graph]:
    """Return the format that is there; of several, none is guessed."""
    if len(formats) > 1:
        names = " and ".join(each.name for each in formats)
        raise UsageError(f"there are graphs of kinds {names} here", hint="Choose with --kind.")
    return formats[0]


def _found_above(
    start: str, wanted: Sequence[Format[Graph]]
) -> tuple[str, Sequence[Format[Graph]]] | None:
    """Walk up to the file system's root for a directory that holds a graph."""
    place = start
    while True:
        found = [each for each in wanted if _is_marked(place, each)]
        if found:
            return place, found
        if os.path.dirname(place) == place:
            return None
        place = os.path.dirname(place)


def _is_marked(place: str, kind: Format[Graph]) -> bool:
    if not os.path.isdir(os.path.join(place, kind.folder)):
        return False
    return os.path.exists(os.path.join(place, kind.marker))


def _found_in_commit(
    start: str, commit: str, wanted: Sequence[Format[Graph]]
) -> tuple[str, Sequence[Format[Graph]]]:
    """Walk up inside a commit: the repository may be bare, or on another branch."""
    start = os.path.realpath(start)
    prefix = prefix_of(start) or paths.ROOT
    snapshot = GitSnapshot(start, commit, "")
    for steps, place in enumerate((prefix, *reversed(paths.lineage(prefix)))):
        markers = ((each, paths.join(place, each.marker)) for each in wanted)
        found = [each for each, marker in markers if snapshot.kind(marker) is not None]
        if found:
            return os.path.normpath(os.path.join(start, *[os.pardir] * steps)), found
    raise NoGraphError(f"there is no graph in commit {commit[:12]}")
