"""Opens a repository: finds its graph, and answers to names as people type them."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from yg.disk.index import EVERYTHING, PLACES
from yg.disk.sources import WorkTreeSources
from yg.disk.worktree import WorkTree
from yg.formats import FORMATS, YGGDRASIL
from yg.kernel import paths
from yg.kernel.errors import (
    ForeignGraphError,
    NoGraphError,
    OldEditionError,
    UsageError,
    YgError,
)
from yg.kernel.snapshot import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.disk.commits import GitSnapshot
    from yg.disk.database import Databases
    from yg.disk.index import Change
    from yg.kernel.codec import Codec
    from yg.kernel.format import Format
    from yg.kernel.issue import Finding, Issue
    from yg.kernel.queries import Queries
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.kernel.verdict import Verdict
    from yg.yggdrasil.baseline import Baselines
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node

T = TypeVar("T")


class Workspace:
    """A repository with a graph, seen from one directory inside it, now or at a commit."""

    def __init__(  # noqa: PLR0913
        self,
        root: str,
        start: str,
        format: Format,  # noqa: A002
        commit: str = "",
        *,
        uses_index: bool = True,
        databases: Databases | None = None,
    ) -> None:
        self._databases = databases
        self.root = root
        self.start = start
        self.format = format
        self.commit = commit  # empty: the work tree as it is
        self.uses_index = uses_index

    @cached_property
    def tree(self) -> WorkTree:
        """The files of the work tree."""
        may_store = self.uses_index and self.format.has_index and not self.commit
        return WorkTree(
            self.root, self.format.folder, uses_index=may_store, databases=self._databases
        )

    def save(self) -> None:
        """Store what was found out about the files for the next run."""
        if "tree" in self.__dict__ and self.tree.index is not None:
            self.tree.index.save()

    def close(self) -> None:
        """Close the files that are open."""
        if "tree" in self.__dict__ and self.tree.index is not None:
            self.tree.index.close()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a person should know about how the answer was found."""
        if "tree" not in self.__dict__:
            return ()
        return (*self.tree.notes, *self.tree.visible.notes)

    def result(self, name: str, depends: Change, codec: Codec[T], compute: Callable[[], T]) -> T:
        """Return a result of an earlier run that still holds, or compute it."""
        return compute() if self.commit else self.tree.result(name, depends, codec, compute)

    def verdict(self, scope: str = "") -> Verdict:
        """Check the graph; with a scope, keep what concerns it and what concerns all of it."""
        from yg.kernel.verdict import VERDICT

        def check() -> Verdict:
            return self.queries.validate(self.sources)

        verdict = self.result("verdict", EVERYTHING, VERDICT, check)
        return self.queries.restrict(verdict, scope) if scope else verdict

    def errors(self) -> tuple[Issue, ...]:
        """Return every error of a Yggdrasil graph."""
        from yg.kernel.verdict import ISSUES
        from yg.yggdrasil.rules.errors import errors_of

        return self.result("errors", PLACES, ISSUES, lambda: errors_of(self.graph, self.sources))

    @cached_property
    def snapshot(self) -> Snapshot:
        """The files that the graph is read from."""
        return self._snapshot_of(self.commit) if self.commit else self.tree

    @cached_property
    def sources(self) -> Sources:
        """The source files beside the graph."""
        from yg.kernel.sources import SnapshotSources

        return SnapshotSources(self.snapshot) if self.commit else WorkTreeSources(self.tree)

    @cached_property
    def queries(self) -> Queries:
        """The queries to the graph, whatever its kind; it is read as far as they need it."""
        return self._opened(self.snapshot, self.commit)

    @property
    def graph(self) -> Graph:
        """The graph, for what only Yggdrasil graphs can answer; another kind is refused."""
        self.require(self.format.has_aspects, "this question")
        graph: Graph = self.queries.graph
        return graph

    def require(
        self,
        is_offered: bool,  # noqa: FBT001
        what: str,
        error: type[YgError] = ForeignGraphError,
    ) -> None:
        """Refuse what this kind of graph does not offer, and say what that is."""
        if not is_offered:
            raise error(f"{what} belongs to Yggdrasil graphs, and {self.describe()}")

    def describe(self) -> str:
        """Tell which graph this is, for a sentence about it."""
        return f"the graph in {self.format.folder}/ is of kind {self.format.name}"

    def graph_at(self, revision: str, *, may_be_absent: bool = False) -> Graph:
        """Return the graph as a commit has it; one that may be absent is then empty."""
        from yg.disk.git import commit_of

        commit = commit_of(self.root, revision)
        snapshot = self._snapshot_of(commit)
        if may_be_absent and snapshot.kind(self.format.folder) is None:
            absent: Graph = self.format.queries.read(snapshot).graph
            return absent
        graph: Graph = self._opened(snapshot, commit).graph
        return graph

    def _opened(self, snapshot: Snapshot, commit: str) -> Queries:
        """Read a graph, unless there is none."""
        folder = self.format.folder
        kind = snapshot.kind(folder)
        if kind is None:
            raise NoGraphError(f"there is no {folder}/ in commit {commit[:12]}")
        if kind is Kind.LINK:
            raise NoGraphError(
                f"{folder} is a link in commit {commit[:12]}; links are not followed"
            )
        return self.format.queries.read(snapshot)

    def require_baselines(self) -> None:
        """Refuse what only graphs with baselines can do."""
        self.require(self.format.has_owners, "drift")
        if not self.format.has_drift:
            raise OldEditionError(
                "0.x graphs have no baselines, so there is no drift to report",
                hint="'yg init --kind yggdrasil' starts a 2.x graph beside it.",
            )

    def staged_graph(self) -> Graph:
        """Return the graph as the next commit would have it."""
        from yg.disk.commits import GitSnapshot

        graph: Graph = self.format.queries.read(GitSnapshot(self.root, "", "")).graph
        return graph

    @cached_property
    def git_prefix(self) -> str:
        """Where the repository's root lies below the root of its git repository."""
        from yg.disk.repository import prefix_of

        return prefix_of(self.root)

    def _snapshot_of(self, commit: str) -> GitSnapshot:
        from yg.disk.commits import GitSnapshot

        return GitSnapshot(self.root, commit, self.git_prefix)

    @cached_property
    def baselines(self) -> Baselines:
        """The baselines that drift is measured against."""
        from yg.yggdrasil.baseline import Baselines

        return Baselines(self.tree)

    def migrate_baselines(self) -> tuple[str, ...]:
        """Bring baselines of the single-file layout over; return what is to be said of it."""
        from yg.yggdrasil.baseline import Baselines

        before = Baselines(WorkTree(self.root, self.format.folder))
        if not before.migration():
            return ()
        from yg.disk.apply import Applier
        from yg.disk.lock import writing

        with writing(self.root, self.format.folder):
            # Another process may have done it while this one waited.
            before = Baselines(WorkTree(self.root, self.format.folder))
            Applier(self.root, self.format.folder).apply(before.migration())
        problems = before.rejected
        kept = "the old file is kept as .drift-state.rejected"
        return tuple(f"{problem}; {kept}" for problem in problems)

    def find(self, name: str) -> str:
        """Return the path or id of a node that can be read, by the name a user typed."""
        return self.queries.find(self.sources, name)

    def node(self, name: str) -> Node:
        """Return a node of a Yggdrasil graph by the name a user typed."""
        from yg.yggdrasil.names import node_named

        return node_named(self.graph, self.sources, name)

    def directory(self, name: str) -> str:
        """Return a part of the graph: a node, or a directory of the model that leads to nodes."""
        return self.queries.scope(name)

    def skipped(self, within: str = paths.ROOT) -> Sequence[Finding]:
        """Return what is wrong with each node that could not be read."""
        return self.queries.skipped(within)

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
    databases: Databases | None = None,
) -> Workspace:
    """Find the repository that a directory belongs to, now or as a commit has it."""
    start = os.path.abspath(directory)
    if not os.path.isdir(start):
        raise YgError(f"'{directory}' is not a directory")
    wanted = [each for each in FORMATS if kind in (None, each.name)]
    found = _found(start, wanted)
    if revision is None:
        if found is None:
            raise NoGraphError(_no_graph(kind), hint="")
        return Workspace(
            found[0], start, _only(found[1]), uses_index=uses_index, databases=databases
        )
    from yg.disk.git import commit_of

    commit = commit_of(found[0] if found else start, revision)
    place, formats = found or _found_in_commit(start, commit, wanted)
    return Workspace(place, start, _only(formats), commit, uses_index=uses_index)


def _no_graph(kind: str | None) -> str:
    if kind in (None, YGGDRASIL.name):
        return f"No {YGGDRASIL.folder}/ directory found. Run 'yg init' first."
    return f"No graph of kind {kind} found from here upwards."


def _only(formats: Sequence[Format]) -> Format:
    """Return the format that is there; of several, none is guessed."""
    if len(formats) > 1:
        *others, last = [each.name for each in formats]
        choices = " or ".join(f"--kind {each.name}" for each in formats)
        raise UsageError(
            f"there are graphs of kinds {', '.join(others)} and {last} here",
            hint=f"Choose one with {choices}.",
        )
    return formats[0]


def _found(start: str, wanted: Sequence[Format]) -> tuple[str, Sequence[Format]] | None:
    """Look for a graph from here upwards; one that has lost its marker counts if there is none."""
    ways = dict.fromkeys((start, os.path.realpath(start)))
    looks = (_found_above(way, wanted, sign) for sign in (_is_marked, _is_traced) for way in ways)
    return next((found for found in looks if found), None)


def _found_above(
    start: str, wanted: Sequence[Format], sign: Callable[[str, Format], bool]
) -> tuple[str, Sequence[Format]] | None:
    """Walk up to the file system's root for a directory that holds a graph."""
    place = start
    while True:
        found = [each for each in wanted if sign(place, each)]
        if found:
            return place, found
        if os.path.dirname(place) == place:
            return None
        place = os.path.dirname(place)


def _is_marked(place: str, kind: Format) -> bool:
    if not os.path.isdir(os.path.join(place, kind.folder)):
        return False
    return os.path.exists(os.path.join(place, kind.marker))


def _is_traced(place: str, kind: Format) -> bool:
    return bool(kind.trace) and os.path.isdir(os.path.join(place, kind.trace))


def _found_in_commit(
    start: str, commit: str, wanted: Sequence[Format]
) -> tuple[str, Sequence[Format]]:
    """Walk up inside a commit: the repository may be bare, or on another branch."""
    from yg.disk.commits import GitSnapshot
    from yg.disk.repository import prefix_of

    start = os.path.realpath(start)
    prefix = prefix_of(start) or paths.ROOT
    snapshot = GitSnapshot(start, commit, "")
    for steps, place in enumerate((prefix, *reversed(paths.lineage(prefix)))):
        markers = ((each, paths.join(place, each.marker)) for each in wanted)
        found = [each for each, marker in markers if snapshot.kind(marker) is not None]
        if found:
            return os.path.normpath(os.path.join(start, *[os.pardir] * steps)), found
    raise NoGraphError(f"there is no graph in commit {commit[:12]}")
