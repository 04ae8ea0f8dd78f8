"""Workspaces: a repository and its graph, opened on demand by the commands that ask for them."""

from __future__ import annotations

import os
from bisect import bisect_left
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from yg.disk.opening import GraphKind, find_graph, find_graph_in, no_graph
from yg.disk.repository import work_tree_top
from yg.disk.worktree import WorkTree
from yg.kernel.errors import AnotherModelError, NoGraphError, NotFoundError, RefusedError
from yg.kernel.snapshot import Kind
from yg.text import paths
from yg.text.escapes import shell_quoted
from yg.text.suggest import did_you_mean
from yg.version import GRAPH_FORMAT, is_newer
from yg.yggdrasil.check import errors_of, issues_of
from yg.yggdrasil.declaration import CONFIG, CONFLICT, UNREADABLE
from yg.yggdrasil.model import CONFIG_FILE, FOLDER
from yg.yggdrasil.owner import mapped_paths
from yg.yggdrasil.read import read_graph
from yg.yggdrasil.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from yg.disk.repository import Repository
    from yg.kernel.issue import Issue
    from yg.kernel.snapshot import Snapshot
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node

CONFIG_CODES = (CONFIG, CONFLICT, UNREADABLE)  # of errors that make a configuration useless
KINDS = (GraphKind("yggdrasil", FOLDER),)


class Workspace:
    """The repository of a directory, at present or in a commit."""

    def __init__(
        self,
        directory: str,
        *,
        kind: str | None = None,
        at: str | None = None,
        uses_cache: bool = True,
        on_read: Callable[[], None] | None = None,
    ) -> None:
        self.directory = directory
        self._kinds = [known for known in KINDS if kind in (None, known.name)]
        self._revision = at
        self._uses_cache = uses_cache
        self._on_read = on_read  # called for each file that is read
        self._tree: WorkTree | None = None
        self._notes: list[str] = []

    def close(self) -> None:
        """Store what was learnt in the cache."""
        if self._tree is not None:
            self._tree.close()

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines for standard error."""
        return tuple(self._notes)

    @cached_property
    def root(self) -> str:
        """The directory that has the graph folder, without links; raises NoGraphError."""
        if not self._kinds:
            raise no_graph(KINDS)
        try:
            return find_graph(self.directory, self._kinds).root
        except NoGraphError:
            if self._revision is None:
                raise
            return self._root_in_commit(self._revision)

    def _root_in_commit(self, revision: str) -> str:
        """Return the top of the work tree if a commit has a graph there that is gone by now."""
        from yg.disk.commit import resolve_commit
        from yg.disk.repository import require_repository

        top = require_repository(os.path.realpath(self.directory)).top
        repository = require_repository(top)
        find_graph_in(repository, resolve_commit(repository, revision), self._kinds)
        return top

    @cached_property
    def repository(self) -> Repository:
        """The git repository of the root; raises GitError if there is none to be used."""
        from yg.disk.repository import require_repository

        return require_repository(self.root)

    @cached_property
    def snapshot(self) -> Snapshot:
        """The files that the graph is read from."""
        if self._revision is not None:
            from yg.disk.commit import CommitSnapshot, resolve_commit

            commit = resolve_commit(self.repository, self._revision)
            find_graph_in(self.repository, commit, self._kinds)
            return CommitSnapshot(self.repository, commit)
        self._tree = WorkTree(self.root, FOLDER, uses_cache=self._uses_cache, on_read=self._on_read)
        return self._tree

    @cached_property
    def graph(self) -> Graph:
        """The graph; raises RefusedError if its configuration cannot be used."""
        graph = self.readable_graph
        if not graph.config.name or not graph.config.node_types:
            file = f"{FOLDER}/{CONFIG_FILE}"
            issues = [
                issue for issue in self.errors if issue.file == file and issue.code in CONFIG_CODES
            ]
            raise RefusedError(
                "the configuration cannot be used", hint="Fix its errors first.", issues=issues
            )
        return graph

    @cached_property
    def readable_graph(self) -> Graph:
        """The graph as far as its files can be read."""
        try:
            graph = read_graph(self.snapshot)
        except AnotherModelError as error:
            raise AnotherModelError(error.message, hint=self._older_commit()) from error
        version = graph.config.version
        if is_newer(version, than=GRAPH_FORMAT):
            message = f"the graph has format {version}, which is newer than {GRAPH_FORMAT}"
            self._notes.append(f"{message}; what this yg knows of it is read")
        return graph

    def _older_commit(self) -> str:
        """Return a hint at the last commit whose graph can be read; empty if there is none."""
        from yg.disk.commit import CommitSnapshot, commits_before
        from yg.disk.git import GitError
        from yg.yggdrasil.read_config import FORMAT_FILES, read_config

        try:
            for commit in commits_before(self.repository, FORMAT_FILES):
                with suppress(AnotherModelError):
                    if read_config(CommitSnapshot(self.repository, commit)).value is not None:
                        short = commit[:12]
                        return (
                            f"The last commit with an older graph is {short}; "
                            f"to read it: --at {short}"
                        )
        except GitError:
            return ""  # git is not needed to say what is wrong
        return ""

    @cached_property
    def survey(self) -> Survey:
        """The graph with its texts and the files that it maps."""
        graph = self.readable_graph
        self.snapshot.watch(lambda: mapped_paths(graph))
        return Survey(graph, self.snapshot, self.files_below)

    @cached_property
    def errors(self) -> tuple[Issue, ...]:
        """The errors that prevent packages."""
        return errors_of(self.survey)

    @cached_property
    def issues(self) -> tuple[Issue, ...]:
        """Every issue of the graph."""
        return issues_of(self.survey)

    def issues_at(self, commit: str) -> tuple[Issue, ...]:
        """Return every issue of the graph in a commit; none if it has no graph."""
        past = Workspace(self.root, at=commit, uses_cache=False)
        try:
            return past.issues
        except NoGraphError:
            return ()

    def base_of(self, revision: str) -> str:
        """Return the last commit that a revision and HEAD have in common."""
        from yg.disk.commit import merge_base

        return merge_base(self.repository, revision)

    @property
    def git_prefix(self) -> str:
        """The path of the root inside its git repository; empty at the top or without git."""
        top = work_tree_top(self.root)
        return os.path.relpath(self.root, top) if top and top != self.root else ""

    # Source files.

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The files of the repository that git does not ignore, sorted."""
        if self._revision is not None:
            from yg.disk.commit import CommitSnapshot

            return self.snapshot.files if isinstance(self.snapshot, CommitSnapshot) else ()
        from yg.disk.visible import visible_files

        found = visible_files(self.root)
        self._notes += found.notes
        return found.files

    def files_below(self, path: str) -> Sequence[str]:
        """Return the files at a path or below it that git does not ignore."""
        if self.snapshot.kind(path) is Kind.FILE:
            return (path,)  # git tracks what a mapping names, also if it is ignored
        if path == paths.ROOT:
            return self.files
        start = bisect_left(self.files, f"{path}/")
        end = bisect_left(self.files, f"{path}0")  # the character after a slash
        return self.files[start:end]

    def path_from_root(self, file: str) -> str | None:
        """Return the path of a file that a user named, from the root; None if it is outside.

        A path that does not exist here but does from the root means that one.
        """
        if "\0" in file:
            return None  # no file has such a name
        here = os.path.normpath(os.path.join(os.path.realpath(self.directory), file))
        path = paths.normalise(os.path.relpath(here, self.root))
        if path is None:  # it may be inside if links above the repository are resolved
            folder, name = os.path.split(here)
            here = os.path.join(os.path.realpath(folder), name)
            path = paths.normalise(os.path.relpath(here, self.root))
        if path is None or not self.exists(path):
            other = paths.normalise(file)
            if other is not None and self.exists(other):
                return other
        return path

    def exists(self, path: str) -> bool:
        """Return whether a path from the root exists, in the work tree or in the commit."""
        if self._revision is not None:
            return self.snapshot.kind(path) is not None
        return os.path.lexists(os.path.join(self.root, path))

    # Names.

    def node(self, name: str) -> Node:
        """Return the node that a user named; raises NotFoundError, or RefusedError if it is bad."""
        for path in _spellings(name):
            if path in self.graph.nodes:
                return self.graph.nodes[path]
            if path in self.graph.unread_nodes:
                raise RefusedError(
                    f"node '{path}' could not be read",
                    hint="Fix its yg-node.yaml first.",
                    issues=[issue for issue in self.errors if issue.subject == path],
                )
        raise self._no_node(name)

    def directory_of(self, name: str) -> str:
        """Return a path of the model that is a node or contains nodes; raises NotFoundError."""
        if paths.normalise(name) in (paths.ROOT, "model"):
            return paths.ROOT
        graph = self.readable_graph
        every = (*graph.nodes, *graph.unread_nodes)
        for path in _spellings(name):
            if any(paths.is_inside(node, path) for node in every):
                return path
        raise self._no_node(name)

    def _no_node(self, name: str) -> NotFoundError:
        from yg.yggdrasil.rules.nearby import nearest_nodes

        message = f"no node at '{name}'"
        file = self.path_from_root(name)
        if file is not None and os.path.isfile(os.path.join(self.root, file)):
            hint = f"It is a file. Use: yg build-context --file {shell_quoted(name)}"
            return NotFoundError(message, hint=hint)
        directory = next((path for path in _spellings(name) if self._is_directory(path)), "")
        if directory:
            hint = "Add one with 'name' and 'type', or name a node below it."
            return NotFoundError(f"{FOLDER}/model/{directory} has no yg-node.yaml", hint=hint)
        near = nearest_nodes(self.readable_graph, name.removesuffix("/"))
        return NotFoundError(message, hint=did_you_mean(near) or "'yg tree' lists all nodes.")

    def _is_directory(self, path: str) -> bool:
        return self.snapshot.kind(f"{FOLDER}/model/{path}") is Kind.DIRECTORY


def _spellings(name: str) -> tuple[str, ...]:
    """Return the paths to try for a name: as typed, and without a leading `model/`."""
    path = paths.normalise(name)
    return () if path is None else (path, path.removeprefix("model/"))
