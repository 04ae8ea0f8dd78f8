"""The Python API: a repository with a graph, and the questions it answers as typed values.

`import yg` offers what is described here; docs/api.md tells which attributes stay as they are.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.errors import UsageError
from yg.kernel.paths import ROOT
from yg.workspace import open_workspace as _opened

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.dependencies import Dependency
    from yg.kernel.impact import NodeImpact
    from yg.kernel.issue import Issue
    from yg.kernel.plan import Plan
    from yg.kernel.queries import Depth
    from yg.workspace import Workspace as _Opened
    from yg.yggdrasil.compare import DiffImpact
    from yg.yggdrasil.drift import NodeDrift

    Path = str | os.PathLike[str]


class Package(Struct, frozen=True, kw_only=True):
    """The context package of a node: what `yg build-context` prints, and what is known of it."""

    node: str
    tokens: int
    status: str  # ok, warning or error, by the size
    files: tuple[str, ...]  # of the graph, that decided what the text says
    text: str


class Workspace:
    """A repository with a graph, as its files are when they are first looked at."""

    def __init__(self, opened: _Opened) -> None:
        self._opened = opened

    @property
    def root(self) -> str:
        """The directory that holds the graph, as an absolute path."""
        return self._opened.root

    @property
    def kind(self) -> str:
        """The kind of graph, as `--kind` names it."""
        return self._opened.format.name

    @property
    def commit(self) -> str:
        """The commit that is looked at; empty for the work tree."""
        return self._opened.commit

    def nodes(self) -> tuple[str, ...]:
        """Return every node that can be read, sorted."""
        with self._saved() as opened:
            outline = opened.queries.outline(ROOT, None)
        return tuple(sorted({each.path for each in outline.entries if each.node}))

    def skipped(self) -> tuple[str, ...]:
        """Return what every answer leaves out because it cannot be read, sorted."""
        with self._saved() as opened:
            return tuple(sorted({each.subject for each in opened.skipped()}))

    def package(self, node: str, *, depth: Depth | None = None, lenient: bool = False) -> Package:
        """Assemble the context package of a node, unless errors make it unreliable."""
        from yg.answers.build_context import assembled

        with self._saved() as opened:
            answer, found = assembled(opened, node, depth=depth, lenient=lenient)
            return Package(
                node=opened.find(node),
                tokens=found.tokens,
                status=found.status,
                files=found.source_files,
                text=answer.written(answer.form),
            )

    def issues(self, scope: str | None = None) -> tuple[Issue, ...]:
        """Check the graph, or keep what concerns one node and all below it; errors come first."""
        with self._saved() as opened:
            within = "" if scope is None else opened.directory(scope)
            return opened.verdict(within).issues

    def drift(
        self, scope: str | None = None, *, files: Iterable[Path] | None = None
    ) -> tuple[NodeDrift, ...]:
        """Compare mapped nodes with their baselines: all, those of a scope, or those of files."""
        from yg.answers.drift import EVERYTHING, drift_of, known_here

        self._require_work_tree("drift")
        with self._saved() as opened:
            named = None
            if files is not None:
                named = known_here(opened, [os.fspath(each) for each in files])
            return drift_of(opened, EVERYTHING if scope is None else scope, named).drifts

    def owner(self, file: Path) -> str | None:
        """Return the node that owns a file; None when no node does."""
        from yg.yggdrasil.mapping import Ownership

        with self._saved() as opened:
            opened.require(opened.format.has_owners, "the owner of a file")
            path = opened.relative(os.fspath(file))
            found = None if path is None else Ownership(opened.graph).get(path)
            return found.node if found else None

    def deps(self, node: str, *, depth: int | None = None) -> tuple[Dependency, ...]:
        """Follow what a node needs, so many levels deep: the lines of its tree, in order."""
        with self._saved() as opened:
            return opened.queries.dependencies(opened.find(node), depth).lines

    def impact(self, node: str) -> NodeImpact:
        """Find what a change to a node can reach."""
        with self._saved() as opened:
            return opened.queries.impact(opened.find(node))

    def changes(self, since: str = "HEAD") -> DiffImpact:
        """Find what all that differs from a commit reaches."""
        from yg.answers.changes import changes_since

        self._require_work_tree("what has changed")
        with self._saved() as opened:
            return changes_since(opened, opened.graph, since)[0]

    def plan(self, node: str | None = None) -> Plan:
        """Order nodes by what they need: all, or those that one node needs."""
        with self._saved() as opened:
            only = None if node is None else opened.queries.needed(opened.find(node))
            return opened.queries.plan(only)

    @contextmanager
    def _saved(self) -> Iterator[_Opened]:
        """Store what a query found out about the files, whatever its outcome."""
        try:
            yield self._opened
        finally:
            self._opened.save()

    def _require_work_tree(self, what: str) -> None:
        if self.commit:
            raise UsageError(f"{what} is seen in the work tree, not in a commit")


def open_workspace(
    directory: Path = ".", *, at: str | None = None, kind: str | None = None
) -> Workspace:
    """Find the graph that a directory belongs to, in the work tree or as a commit has it."""
    return Workspace(_opened(os.fspath(directory), at, kind))
