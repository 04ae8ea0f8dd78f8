"""An open repository with a graph: its files, its state, and what is known about them."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

from yg_old.disk.index.changes import DECLARATIONS
from yg_old.disk.index.leftovers import cache_notes
from yg_old.disk.index.results import always
from yg_old.disk.reading.sources import WorkTreeSources
from yg_old.disk.reading.worktree import WorkTree
from yg_old.disk.writing.generation import FoundState, generation_of
from yg_old.kernel.errors import (
    AnotherModelError,
    ForeignGraphError,
    NoGraphError,
    OldEditionError,
    YgError,
)
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from yg_old.disk.git.commits import GitSnapshot
    from yg_old.disk.index.changes import ChangeKind
    from yg_old.disk.index.database import Databases
    from yg_old.disk.index.tracked import TrackedFiles
    from yg_old.kernel.codec import Codec
    from yg_old.kernel.find import Vocabulary
    from yg_old.kernel.issue import Finding
    from yg_old.kernel.overlay import OverlaySnapshot
    from yg_old.kernel.queries import Format, Queries
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.kernel.sources import Sources
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.yggdrasil.drift.baselines import Baselines
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node

T = TypeVar("T")


class OpenWorkspace:
    """A repository with a graph, opened from a directory in it, at present or at a commit."""

    def __init__(  # noqa: PLR0913
        self,
        root: str,
        start: str,
        format: Format,  # noqa: A002
        commit: str = "",
        *,
        uses_index: bool = True,
        databases: Databases | None = None,
        tokenizer: str | None = None,
        buffers: Mapping[str, bytes | None] | None = None,
        found: FoundState | None = None,
    ) -> None:
        self._databases = databases
        self.tracked: TrackedFiles | None = None  # set if git has just been asked about them
        self._results: dict[str, Any] | None = None
        self.vocabulary: Vocabulary | None = None  # of the last search that found nothing
        self._cache_notes: tuple[str, ...] = ()  # about a folder of earlier versions
        self.recovered = found.notes if found else ()  # about a write that was interrupted
        # Contents of files that are not written yet, by path: of a write that is not complete, and
        # documents that an editor has not saved. None: the file is to be deleted.
        self._buffers: Mapping[str, bytes | None] = {
            **(found.pending if found else {}),
            **(buffers or {}),
        }
        self.generation = found.generation if found else None  # None: this program does not write
        self.root = root
        self.start = start
        self.format = format
        self.commit = commit  # empty: the work tree
        self.uses_index = uses_index
        self.chosen_tokenizer = tokenizer  # None: the configuration names one, or none

    @cached_property
    def tree(self) -> WorkTree:
        """The files of the work tree."""
        folder = self.format.folder
        may_store = self.uses_index and self.format.has_index and not self.commit
        tree = WorkTree(self.root, folder, uses_index=may_store, databases=self._databases)
        if tree.index is not None:
            tree.index.tracked = self.tracked
        if not self.commit:
            self._cache_notes = cache_notes(self.root, folder, tree.index)
        return tree

    def with_buffers(self, buffers: Mapping[str, bytes | None]) -> OpenWorkspace:
        """Return the same state of the work tree with other contents of some files.

        None removes a file.
        """
        found = OpenWorkspace(
            self.root,
            self.start,
            self.format,
            uses_index=self.uses_index,
            databases=self._databases,
            tokenizer=self.chosen_tokenizer,
            buffers={**self._buffers, **buffers},
        )
        found.tree = self.tree
        found.saved_sources = self.saved_sources
        return found

    def save(self) -> None:
        """Save the index for the next run."""
        if "tree" in self.__dict__ and self.tree.index is not None:
            self.tree.index.save()

    def close(self) -> None:
        """Close the index."""
        if "tree" in self.__dict__ and self.tree.index is not None:
            self.tree.index.close()

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the user on how the answer was computed."""
        remarks = self.tree.remarks if "tree" in self.__dict__ else ()
        return (*self.recovered, *self.place_notes, *self._cache_notes, *remarks)

    @cached_property
    def is_outside(self) -> bool:
        """Whether the graph is outside the git repository of the directory."""
        is_elsewhere = self.start != self.root and not self.commit
        return is_elsewhere and is_outside(self.root, self.start)

    @property
    def place_notes(self) -> tuple[str, ...]:
        """A note if the graph is outside the git repository of the directory; else nothing."""
        if not self.is_outside:
            return ()
        folder = os.path.relpath(os.path.join(self.root, self.format.folder), self.start)
        return (f"this git repository has no graph; using {folder}",)

    @property
    def graph_notes(self) -> Sequence[str]:
        """Notes for the user about the graph, if it was opened."""
        if "queries" in self.__dict__:
            return self.queries.notes()
        if "tree" not in self.__dict__ or not self.format.has_drift:
            return ()
        # The answer was a stored one, for which the graph was not opened.
        from yg_old.kernel.codec import Codec

        texts: Codec[tuple[str, ...]] = Codec(tuple[str, ...])
        try:
            return self.result("notes", DECLARATIONS, texts, lambda: tuple(self.queries.notes()))
        except YgError:
            return ()  # the command has reported it, or works without a graph

    @property
    def is_outdated(self) -> bool:
        """Whether this program has written to the graph since it was opened."""
        folder = self.format.folder
        return self.generation is not None and generation_of(self.root, folder) != self.generation

    @property
    def is_written(self) -> bool:
        """Whether the files on disk are those that the graph is read from."""
        return not self.commit and not self._buffers

    def result(  # noqa: PLR0913
        self,
        name: str,
        depends: ChangeKind,
        codec: Codec[T],
        compute: Callable[[], T],
        *,
        holds: Callable[[T], bool] = always,
        amend: Callable[[T, tuple[str, ...]], T | None] | None = None,
    ) -> T:
        """Return a cached result that is still valid, or compute it."""
        if not self.is_written:
            return compute()
        known: T | None = None if self._results is None else self._results.get(name)
        if known is not None and holds(known):
            return known
        found = self.tree.result(name, depends, codec, compute, holds=holds, amend=amend)
        if self._results is not None:
            self._results[name] = found
        return found

    def keep_results(self) -> None:
        """Keep results in memory from now on; the caller makes sure that no file has changed."""
        self._results = {}

    @cached_property
    def tokenizer(self) -> str:
        """The tokenizer that counts tokens; empty if they are estimated."""
        if self.chosen_tokenizer is not None:
            return self.chosen_tokenizer
        from yg_old.kernel.codec import TEXT

        return self.result("tokenizer", DECLARATIONS, TEXT, lambda: self.queries.tokenizer)

    @cached_property
    def snapshot(self) -> Snapshot:
        """The files that the graph is read from."""
        if self.commit:
            return self.snapshot_of(self.commit)
        return self._overlay if self._buffers else self.tree

    @cached_property
    def _overlay(self) -> OverlaySnapshot:
        from yg_old.kernel.overlay import OverlaySnapshot, can_be_file

        if self.tree.index is not None:
            # Facts about files that have not changed since are used.
            self.tree.index.directories.check()
        every = self._buffers.items()
        files = {path: data for path, data in every if can_be_file(self.tree, path)}
        return OverlaySnapshot(self.tree, files)

    @cached_property
    def sources(self) -> Sources:
        """The source files of the repository."""
        from yg_old.kernel.sources import SnapshotSources

        if self.commit:
            return SnapshotSources(self.snapshot)
        if not self._buffers:
            return self.saved_sources
        from yg_old.disk.git.ignore import would_ignore
        from yg_old.kernel.overlay import OverlaySources

        def ignores(file: str) -> bool:
            return would_ignore(self.root, file)

        return OverlaySources(self.saved_sources, self._overlay, ignores)

    @cached_property
    def saved_sources(self) -> WorkTreeSources:
        """The source files of the work tree, as they are saved."""
        return WorkTreeSources(self.tree)

    @cached_property
    def queries(self) -> Queries:
        """The queries to the graph of any kind, which is read on demand."""
        try:
            return read_graph(self.format, self.snapshot, self.commit, self.chosen_tokenizer)
        except AnotherModelError as error:
            from yg_old.workspace.older_commit import with_older_commit

            raise with_older_commit(error, self.root, self.commit) from error

    @property
    def graph(self) -> Graph:
        """The Yggdrasil graph; raises ForeignGraphError for another kind."""
        self.require_yggdrasil("this question")
        return yggdrasil_graph(self.queries)

    @property
    def repository_name(self) -> str:
        """The name in the configuration, which is the same in every clone, or the directory."""
        declared = self.graph.config.name if self.format.is_yggdrasil else ""
        return declared or os.path.basename(self.root) or "repository"

    def require_yggdrasil(self, what: str) -> None:
        """Raise an error unless this is a Yggdrasil graph, of any edition."""
        if not self.format.is_yggdrasil:
            raise ForeignGraphError(f"{what} belongs to Yggdrasil graphs, and {self.describe()}")

    def require_specs(self, what: str) -> None:
        """Raise an error unless this is a Spec Graph."""
        if not self.format.is_specgraph:
            raise ForeignGraphError(f"{what} belongs to Spec Graphs, and {self.describe()}")

    @property
    def specs(self) -> SpecGraph:
        """The Spec Graph; raises ForeignGraphError for another kind."""
        self.require_specs("this question")
        return cast("SpecGraph", self.queries.graph)

    def describe(self) -> str:
        """Return a clause that describes the graph, for messages."""
        return f"the graph in {self.format.folder}/ is of kind {self.format.name}"

    def require_writable(self, what: str) -> None:
        """Raise an error unless this program writes declarations of this kind of graph."""
        self.require_yggdrasil(what)
        if not self.format.has_drift:
            raise OldEditionError(
                f"{what} does not support 0.x graphs",
                hint="'yg init --upgrade' writes a 2.x graph beside it.",
            )

    def require_baselines(self) -> None:
        """Raise an error unless this kind of graph has baselines."""
        self.require_yggdrasil("drift")
        if not self.format.has_drift:
            raise OldEditionError(
                "0.x graphs have no baselines, so there is no drift to report",
                hint="'yg init --upgrade' writes a 2.x graph beside it.",
            )

    @cached_property
    def git_prefix(self) -> str:
        """The path of the root inside its git repository."""
        from yg_old.disk.git.repository import prefix_of

        return prefix_of(self.root)

    def snapshot_of(self, commit: str) -> GitSnapshot:
        """Return the files of a commit."""
        from yg_old.disk.git.commits import GitSnapshot

        return GitSnapshot(self.root, commit, self.git_prefix)

    @cached_property
    def baselines(self) -> Baselines:
        """The baselines that drift is measured against."""
        from yg_old.yggdrasil.drift.baselines import Baselines

        return Baselines(self.snapshot)

    def find(self, name: str) -> str:
        """Return the path or id of a readable node for a name that a user typed."""
        return self.queries.find(self.sources, name)

    def node(self, name: str) -> Node:
        """Return a node of a Yggdrasil graph for a name that a user typed."""
        from yg_old.yggdrasil.names import node_named

        return node_named(self.graph, self.sources, name)

    def directory(self, name: str) -> str:
        """Return the path of a node, or of a directory with nodes below it."""
        return self.queries.scope(name)

    def skipped(self, within: str = paths.ROOT) -> Sequence[Finding]:
        """Return findings about the configuration and about nodes that could not be read."""
        return (*self.queries.unread_configuration(), *self.queries.skipped(within))


def is_below(path: str, directory: str) -> bool:
    """Return whether a path is a directory or below it."""
    return path == directory or path.startswith(os.path.join(directory, ""))


def read_graph(
    kind_of_graph: Format, snapshot: Snapshot, commit: str, tokenizer: str | None
) -> Queries:
    """Open the graph of a snapshot; raise an error if it is missing or of the 1.x layout."""
    folder = kind_of_graph.folder
    kind = snapshot.kind(folder)
    if kind is None:
        raise NoGraphError(f"there is no {folder}/ in commit {commit[:12]}")
    if kind is Kind.LINK:
        raise NoGraphError(f"{folder} is a link in commit {commit[:12]}; links are not followed")
    try:
        return kind_of_graph.queries.read(snapshot, tokenizer)
    except AnotherModelError as error:
        if not commit:
            raise
        message = error.message.replace(f"the graph in {folder}/", f"commit {commit[:12]}", 1)
        raise AnotherModelError(message) from error
    except OldEditionError as error:
        if not commit:
            raise
        hint = "'yg init --upgrade' changes the work tree only; commits stay as they are."
        raise OldEditionError(f"commit {commit[:12]} holds a 1.x graph", hint=hint) from error


def yggdrasil_graph(queries: Queries) -> Graph:
    """Return the graph with its type, for queries of a Yggdrasil format."""
    return cast("Graph", queries.graph)


def is_outside(root: str, start: str) -> bool:
    """Return whether a graph is outside the git repository that a directory belongs to."""
    from yg_old.disk.git.repository import nearest_top

    top = nearest_top(start)
    return bool(top) and not is_below(os.path.realpath(root), top)
