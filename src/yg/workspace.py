"""Open a repository, find its graph and resolve names that users type."""

from __future__ import annotations

import os
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from yg.disk.cache import journal_of
from yg.disk.generation import FoundState, generation_of
from yg.disk.index import ALL_RULES, DECLARATIONS, PLACES, TEXTS, always
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
    from collections.abc import Callable, Mapping, Sequence

    from yg.disk.commits import GitSnapshot
    from yg.disk.database import Databases
    from yg.disk.fulltext import FullText
    from yg.disk.index import ChangeKind
    from yg.kernel.codec import Codec
    from yg.kernel.find import Query, Search, Vocabulary
    from yg.kernel.issue import Finding, Issue, Verdict
    from yg.kernel.overlay import OverlaySnapshot
    from yg.kernel.plan import Plan
    from yg.kernel.queries import Format, Queries
    from yg.kernel.snapshot import Snapshot
    from yg.kernel.sources import Sources
    from yg.specgraph.graph import SpecGraph
    from yg.yggdrasil.baseline import Baselines
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node
    from yg.yggdrasil.overview import PackageSizes

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
        buffers: Mapping[str, bytes] | None = None,
        found: FoundState | None = None,
    ) -> None:
        self._databases = databases
        self._results: dict[str, Any] | None = None
        self._vocabulary: Vocabulary | None = None  # of the last search that found nothing
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
        self._tokenizer = tokenizer  # None: the configuration names one, or none

    @cached_property
    def tree(self) -> WorkTree:
        """The files of the work tree."""
        may_store = self.uses_index and self.format.has_index and not self.commit
        return WorkTree(
            self.root, self.format.folder, uses_index=may_store, databases=self._databases
        )

    def with_buffers(self, buffers: Mapping[str, bytes]) -> OpenWorkspace:
        """Return the same state of the work tree with other contents of some files."""
        found = OpenWorkspace(
            self.root,
            self.start,
            self.format,
            uses_index=self.uses_index,
            databases=self._databases,
            buffers=buffers,
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
        return (*self.recovered, *self.place_notes, *remarks)

    @cached_property
    def is_outside(self) -> bool:
        """Whether the graph is outside the git repository of the directory."""
        is_elsewhere = self.start != self.root and not self.commit
        return is_elsewhere and _is_outside(self.root, self.start)

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
        return self.queries.notes() if "queries" in self.__dict__ else ()

    @property
    def is_outdated(self) -> bool:
        """Whether this program has written to the graph since it was opened."""
        folder = self.format.folder
        return self.generation is not None and generation_of(self.root, folder) != self.generation

    @property
    def is_written(self) -> bool:
        """Whether the files on disk are those that the graph is read from."""
        return not self.commit and not self._buffers

    def result(
        self,
        name: str,
        depends: ChangeKind,
        codec: Codec[T],
        compute: Callable[[], T],
        *,
        holds: Callable[[T], bool] = always,
    ) -> T:
        """Return a cached result that is still valid, or compute it."""
        if not self.is_written:
            return compute()
        known: T | None = None if self._results is None else self._results.get(name)
        if known is not None and holds(known):
            return known
        found = self.tree.result(name, depends, codec, compute, holds=holds)
        if self._results is not None:
            self._results[name] = found
        return found

    def keep_results(self) -> None:
        """Keep results in memory from now on; the caller makes sure that no file has changed."""
        self._results = {}

    def verdict(self, scope: str = "") -> Verdict:
        """Validate the graph; with a scope, keep its issues and those of the whole graph."""
        from yg.kernel.issue import VERDICT

        def check() -> Verdict:
            return self.queries.validate(self.sources)

        verdict = self.result(self._counted("verdict"), ALL_RULES, VERDICT, check)
        return self.queries.restrict(verdict, scope) if scope else verdict

    def errors(self) -> tuple[Issue, ...]:
        """Return the errors of a Yggdrasil graph that prevent packages."""
        from yg.kernel.issue import ISSUES

        def check() -> tuple[Issue, ...]:
            from yg.yggdrasil.blocking import errors_of

            return errors_of(self.graph, self.sources)

        return self.result("errors", PLACES, ISSUES, check)

    def package_sizes(self) -> PackageSizes:
        """Measure the packages of a Yggdrasil graph."""
        from yg.yggdrasil.overview import PACKAGE_SIZES, package_sizes_of

        name = self._counted("packages")
        return self.result(name, TEXTS, PACKAGE_SIZES, lambda: package_sizes_of(self.graph))

    @cached_property
    def tokenizer(self) -> str:
        """The tokenizer that counts tokens; empty if they are estimated."""
        if self._tokenizer is not None:
            return self._tokenizer
        from yg.kernel.codec import TEXT

        return self.result("tokenizer", DECLARATIONS, TEXT, lambda: self.queries.tokenizer)

    def _counted(self, name: str) -> str:
        """Return the name of a result with sizes; each release of a tokenizer has its own."""
        if not self.tokenizer:
            return name
        from yg.kernel.tokens import release_of

        return f"{name} {self.tokenizer} {release_of(self.tokenizer)}"

    def plan(self) -> tuple[Plan, tuple[Finding, ...]]:
        """Return the build order of all nodes, and findings about nodes that are not in it."""
        from yg.kernel.plan import PLANNED

        # See `_updated` for Spec Graphs.
        depends = DECLARATIONS if self.format.has_owners else ALL_RULES
        return self.result(
            "plan", depends, PLANNED, lambda: (self.queries.plan(None), tuple(self.skipped()))
        )

    def search(self, query: Query, kind: str, limit: int) -> Search:
        """Search all texts of the graph, or those of one kind of parts, the best first."""
        from yg.disk.fulltext import FullTextFile

        index = self.tree.index if self.is_written else None
        texts = FullTextFile(self.root, self.format.folder, index)
        return texts.ask(lambda opened: self._search(opened, query, kind, limit))

    def _search(self, texts: FullText, query: Query, kind: str, limit: int) -> Search:
        from yg.kernel.find import Search, found_in, unknown_words

        unread = self._updated(texts)
        best, total = texts.search(query, kind, limit)
        return Search(
            found=tuple(
                found_in(match, self.queries.searched_text(match.entry).value, query)
                for match in best
            ),
            total=total,
            unknown=() if total else unknown_words(query, self._vocabulary_of(texts)),
            unread=unread,
        )

    def _vocabulary_of(self, texts: FullText) -> Vocabulary:
        """Return the words of a full-text index, read once as long as it does not change."""
        from yg.kernel.find import Vocabulary

        known, generation = self._vocabulary, texts.generation
        if known is None or known.generation != generation:
            self._vocabulary = known = Vocabulary(texts.vocabulary(), generation)
        return known

    def _updated(self, texts: FullText) -> tuple[Finding, ...]:
        """Bring a full-text index up to date; return findings about what is not in it."""
        from yg.kernel.find import SYNCED, SyncedTexts

        def update() -> SyncedTexts:
            found = self.queries.texts()
            index = self.tree.index if self.is_written else None
            stamp_of = index.settled_stamp if index is not None else _no_stamp
            unread = texts.update(found.entries, stamp_of, self.queries.searched_text)
            return SyncedTexts(texts.generation, (*found.unread, *unread))

        # Nodes of a Spec Graph may be in hidden directories, which do not count as the graph's.
        depends = TEXTS if self.format.has_owners else ALL_RULES
        return self.result(
            "texts",
            depends,
            SYNCED,
            update,
            holds=lambda known: known.generation == texts.generation,
        ).unread

    @cached_property
    def snapshot(self) -> Snapshot:
        """The files that the graph is read from."""
        if self.commit:
            return self._snapshot_of(self.commit)
        return self._overlay if self._buffers else self.tree

    @cached_property
    def _overlay(self) -> OverlaySnapshot:
        from yg.kernel.overlay import OverlaySnapshot, can_be_file

        if self.tree.index is not None:
            self.tree.index.check()  # facts about files that have not changed since are used
        every = self._buffers.items()
        files = {path: data for path, data in every if can_be_file(self.tree, path)}
        return OverlaySnapshot(self.tree, files)

    @cached_property
    def sources(self) -> Sources:
        """The source files of the repository."""
        from yg.kernel.sources import SnapshotSources

        if self.commit:
            return SnapshotSources(self.snapshot)
        if not self._buffers:
            return self.saved_sources
        from yg.disk.ignore import would_ignore
        from yg.kernel.overlay import OverlaySources

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
        return self._opened(self.snapshot, self.commit, self._tokenizer)

    @property
    def graph(self) -> Graph:
        """The Yggdrasil graph; raises ForeignGraphError for another kind."""
        self.require(self.format.has_aspects, "this question")
        graph: Graph = self.queries.graph
        return graph

    @property
    def repository_name(self) -> str:
        """The name in the configuration, which is the same in every clone, or the directory."""
        declared = self.graph.config.name if self.format.has_aspects else ""
        return declared or os.path.basename(self.root) or "repository"

    def require(self, is_offered: bool, what: str) -> None:  # noqa: FBT001
        """Raise an error unless this kind of graph supports an operation or an option."""
        if not is_offered:
            raise ForeignGraphError(f"{what} belongs to Yggdrasil graphs, and {self.describe()}")

    def require_specs(self, what: str) -> None:
        """Raise an error unless this is a Spec Graph."""
        if not self.format.has_node_files:
            raise ForeignGraphError(f"{what} belongs to Spec Graphs, and {self.describe()}")

    @property
    def specs(self) -> SpecGraph:
        """The Spec Graph; raises ForeignGraphError for another kind."""
        self.require_specs("this question")
        graph: SpecGraph = self.queries.graph
        return graph

    def describe(self) -> str:
        """Return a clause that describes the graph, for messages."""
        return f"the graph in {self.format.folder}/ is of kind {self.format.name}"

    def graph_at(self, revision: str) -> Any:
        """Return the graph at a commit, to compare with; raise an error if there is none."""
        from yg.disk.git import commit_of

        commit = commit_of(self.root, revision)
        try:
            snapshot = self._snapshot_of(commit)
            return self._opened(snapshot, commit, self.tokenizer).graph
        except OldEditionError as error:
            raise NoGraphError(f"no baseline: {error.message}", hint=error.hint) from error

    def past_graph(self, commit: str, tokenizer: str) -> tuple[Any, str]:
        """Return the graph at a commit to compare with, and a note if it cannot be read.

        A missing graph is empty, and so is one of the 1.x layout.
        """
        from yg.kernel.snapshot import DictSnapshot

        snapshot, note = self._snapshot_of(commit), ""
        if snapshot.kind(self.format.folder) is not None:
            try:
                return self._opened(snapshot, commit, tokenizer).graph, ""
            except OldEditionError as error:
                note = f"no baseline: {error.message}, so every package counts as new"
        return self.format.queries.read(DictSnapshot({})).graph, note

    def _opened(self, snapshot: Snapshot, commit: str, tokenizer: str | None) -> Queries:
        """Open the graph of a snapshot; raise an error if it is missing or of the 1.x layout."""
        folder = self.format.folder
        kind = snapshot.kind(folder)
        if kind is None:
            raise NoGraphError(f"there is no {folder}/ in commit {commit[:12]}")
        if kind is Kind.LINK:
            raise NoGraphError(
                f"{folder} is a link in commit {commit[:12]}; links are not followed"
            )
        try:
            return self.format.queries.read(snapshot, tokenizer)
        except OldEditionError as error:
            if not commit:
                raise
            hint = "'yg init --upgrade' changes the work tree only; commits stay as they are."
            raise OldEditionError(f"commit {commit[:12]} holds a 1.x graph", hint=hint) from error

    def require_writable(self, what: str) -> None:
        """Raise an error unless this program writes declarations of this kind of graph."""
        self.require(self.format.has_owners, what)
        if not self.format.has_drift:
            raise OldEditionError(
                f"{what} does not support 0.x graphs",
                hint="'yg init --kind yggdrasil' starts a 2.x graph beside it.",
            )

    def require_baselines(self) -> None:
        """Raise an error unless this kind of graph has baselines."""
        self.require(self.format.has_owners, "drift")
        if not self.format.has_drift:
            raise OldEditionError(
                "0.x graphs have no baselines, so there is no drift to report",
                hint="'yg init --kind yggdrasil' starts a 2.x graph beside it.",
            )

    def staged_queries(self) -> Queries:
        """Return the queries to the graph as staged in the git index."""
        from yg.disk.commits import GitSnapshot

        snapshot = GitSnapshot(self.root, "", "")
        return self.format.queries.read(snapshot, self._tokenizer)

    @cached_property
    def git_prefix(self) -> str:
        """The path of the root inside its git repository."""
        from yg.disk.repository import prefix_of

        return prefix_of(self.root)

    def _snapshot_of(self, commit: str) -> GitSnapshot:
        from yg.disk.commits import GitSnapshot

        return GitSnapshot(self.root, commit, self.git_prefix)

    @cached_property
    def baselines(self) -> Baselines:
        """The baselines that drift is measured against."""
        from yg.yggdrasil.baseline import Baselines

        return Baselines(self._overlay if self._buffers else self.tree)

    def migrate_baselines(self) -> tuple[str, ...]:
        """Migrate baselines from the single-file layout; return notes for the user."""
        from yg.yggdrasil.baseline import Baselines

        before = Baselines(WorkTree(self.root, self.format.folder))
        if not before.migration():
            return ()
        from yg.disk.apply import Applier
        from yg.disk.lock import writing

        with writing(self.root, self.format.folder):
            # Another process may have migrated them in the meantime.
            before = Baselines(WorkTree(self.root, self.format.folder))
            migration = before.migration()
            if not migration:
                return ()
            Applier(self.root, self.format.folder).apply(migration)
        return before.migration_notes()

    def find(self, name: str) -> str:
        """Return the path or id of a readable node for a name that a user typed."""
        return self.queries.find(self.sources, name)

    def node(self, name: str) -> Node:
        """Return a node of a Yggdrasil graph for a name that a user typed."""
        from yg.yggdrasil.names import node_named

        return node_named(self.graph, self.sources, name)

    def directory(self, name: str) -> str:
        """Return the path of a node, or of a directory with nodes below it."""
        return self.queries.scope(name)

    def skipped(self, within: str = paths.ROOT) -> Sequence[Finding]:
        """Return findings about nodes that could not be read."""
        return self.queries.skipped(within)

    def exists(self, file: str) -> bool:
        """Return whether a file exists, in the work tree or in the commit."""
        if not self.commit:
            return self._is_there(self.start, file)
        path = self.relative(file)
        return path is not None and self.snapshot.kind(path) is not None

    def _is_there(self, directory: str, file: str) -> bool:
        return "\0" not in file and os.path.lexists(os.path.normpath(os.path.join(directory, file)))

    def from_root(self, file: str) -> str | None:
        """Return a path that a user may have given relative to the root, not to the directory."""
        return None if os.path.isabs(file) or "\0" in file else paths.normalise(file)

    def exists_at(self, path: str) -> bool:
        """Return whether a path relative to the root exists, in the work tree or in the commit."""
        if not self.commit:
            return self._is_there(self.root, path)
        return self.snapshot.kind(path) is not None

    def relative(self, file: str) -> str | None:
        """Return a path relative to the root; None if it lies outside."""
        if "\0" in file:
            return None  # not a valid file name
        absolute = os.path.normpath(os.path.join(self.start, file))
        if not _is_below(absolute, self.root):
            # The path may be the same with links above the repository resolved.
            folder = os.path.realpath(os.path.dirname(absolute))
            absolute = os.path.join(folder, os.path.basename(absolute))
            if not _is_below(absolute, os.path.realpath(self.root)):
                return None
            return _inside(absolute, os.path.realpath(self.root))
        return _inside(absolute, self.root)


def _no_stamp(_path: str) -> bytes:
    return b""


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(os.path.join(directory, ""))


def _inside(path: str, directory: str) -> str:
    return os.path.relpath(path, directory).replace(os.sep, "/")


def open_workspace(  # noqa: PLR0913
    directory: str,
    revision: str | None = None,
    kind: str | None = None,
    *,
    uses_index: bool = True,
    databases: Databases | None = None,
    tokenizer: str | None = None,
) -> OpenWorkspace:
    """Open the repository that contains a directory, at present or at a revision.

    `tokenizer` counts tokens instead of the configured one; empty, they are estimated.
    """
    start = os.path.abspath(directory)
    if not os.path.isdir(start):
        raise YgError(f"'{directory}' is not a directory")
    wanted = [known for known in FORMATS if kind in (None, known.name)]
    found = _found(start, wanted)
    if revision is None:
        if found is None:
            raise NoGraphError(_no_graph(kind), hint="")
        root, only = found[0], _only(found[1])
        state = _found_state(root, only.folder) if only.has_node_files else None
        return OpenWorkspace(
            root,
            start,
            only,
            uses_index=uses_index,
            databases=databases,
            tokenizer=tokenizer,
            found=state,
        )
    from yg.disk.git import commit_of

    # A commit of one repository is never read with the place of another one's graph.
    outer = found[0] if found and _is_outside(found[0], start) else ""
    found = None if outer else found
    if found is None:
        _refuse_inner_bare(start)
    commit = commit_of(found[0] if found else start, revision)
    place, formats = found or _found_in_commit(start, commit, wanted, outer)
    return OpenWorkspace(
        place, start, _only(formats), commit, uses_index=uses_index, tokenizer=tokenizer
    )


def _found_state(root: str, folder: str) -> FoundState:
    """Return the state of a graph; a write that was interrupted is completed first, if possible."""
    generation = generation_of(root, folder)
    if not os.path.lexists(journal_of(root, folder)):
        return FoundState(generation=generation)
    from yg.disk.journal import settled_state

    return settled_state(root, folder)


def _no_graph(kind: str | None) -> str:
    if kind in (None, YGGDRASIL.name):
        return f"No {YGGDRASIL.folder}/ directory found. Run 'yg init' first."
    return f"No graph of kind {kind} found from here upwards."


def _only(formats: Sequence[Format]) -> Format:
    """Return the only format; raise UsageError if there are several."""
    if len(formats) > 1:
        *others, last = [found.name for found in formats]
        choices = " or ".join(f"--kind {found.name}" for found in formats)
        raise UsageError(
            f"there are graphs of kinds {', '.join(others)} and {last} here",
            hint=f"Choose one with {choices}.",
        )
    return formats[0]


def _found(start: str, wanted: Sequence[Format]) -> tuple[str, Sequence[Format]] | None:
    """Search upwards for a graph by its marker, then for one without its marker."""
    ways = dict.fromkeys((start, os.path.realpath(start)))
    looks = (_found_above(way, wanted, sign) for sign in (_is_marked, _is_traced) for way in ways)
    return next((found for found in looks if found), None)


def _found_above(
    start: str, wanted: Sequence[Format], sign: Callable[[str, Format], bool]
) -> tuple[str, Sequence[Format]] | None:
    """Search a directory and its parents for a graph."""
    place = start
    while True:
        found = [candidate for candidate in wanted if sign(place, candidate)]
        if found:
            return place, found
        if os.path.dirname(place) == place:
            return None
        place = os.path.dirname(place)


def _is_outside(root: str, start: str) -> bool:
    """Return whether a graph is outside the git repository that a directory belongs to."""
    from yg.disk.repository import nearest_top

    top = nearest_top(start)
    return bool(top) and not _is_below(os.path.realpath(root), top)


def _refuse_inner_bare(start: str) -> None:
    """Raise GitError in a bare repository inside a work tree, which is not read as a repository."""
    from yg.disk.git import GitError
    from yg.disk.repository import find_repository, nearest_top

    top, used = nearest_top(start), find_repository(start)
    if used is not None and used.top != top:
        raise GitError(
            f"{os.path.basename(top)} is a bare git repository inside the work tree of another one",
            hint="yg reads no commits of such a directory. Move it out, or clone it.",
        )


def _is_marked(place: str, kind: Format) -> bool:
    if not os.path.isdir(os.path.join(place, kind.folder)):
        return False
    return os.path.exists(os.path.join(place, kind.marker))


def _is_traced(place: str, kind: Format) -> bool:
    return bool(kind.trace) and os.path.isdir(os.path.join(place, kind.trace))


def _found_in_commit(
    start: str, commit: str, wanted: Sequence[Format], outer: str
) -> tuple[str, Sequence[Format]]:
    """Search upwards inside a commit; the repository may be bare or on another branch.

    `outer` is a directory outside the repository that has a graph; empty if there is none.
    """
    from yg.disk.commits import GitSnapshot
    from yg.disk.repository import prefix_of

    start = os.path.realpath(start)
    prefix = prefix_of(start) or paths.ROOT
    snapshot = GitSnapshot(start, commit, "")
    for steps, place in enumerate((prefix, *reversed(paths.lineage(prefix)))):
        markers = ((kind, paths.join(place, kind.marker)) for kind in wanted)
        found = [kind for kind, marker in markers if snapshot.kind(marker) is not None]
        if found:
            return os.path.normpath(os.path.join(start, *[os.pardir] * steps)), found
    place = os.path.relpath(outer, start) if outer else ""
    hint = f"The graph in {place} is outside this git repository." if outer else ""
    raise NoGraphError(f"there is no graph in commit {commit[:12]}", hint=hint)
