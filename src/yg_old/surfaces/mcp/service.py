"""The directories that a server may open, the git state of one, and one request about it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from yg_old.disk.index.database import Databases
from yg_old.disk.index.head_states import HeadStates
from yg_old.kernel.errors import UsageError, YgError
from yg_old.kernel.palette import visible
from yg_old.kernel.tokens import named
from yg_old.surfaces.mcp.open_graphs import OpenGraphs
from yg_old.workspace.opening import open_workspace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from yg_old.disk.index.tracked import TrackedFiles
    from yg_old.workspace.opened import OpenWorkspace

KEY = "yg/state"
SHORT = 12  # digits of an abbreviated commit


class Roots(Struct, frozen=True):
    """Real paths of the allowed directories; the first is the default."""

    allowed: tuple[str, ...]

    def resolve(self, named: str | None) -> str:
        """Return the real path of a directory; fail if it is outside the allowed ones."""
        if named is None:
            return self.allowed[0]
        place = "" if "\0" in named else os.path.realpath(os.path.join(self.allowed[0], named))
        if not any(_is_below(place, root) for root in self.allowed):
            served = ", ".join(self.allowed)
            hint = f"This server serves {served}; add directories with 'yg mcp --root DIR'."
            raise UsageError(f"root '{named}' is not allowed", hint=hint)
        return place


def roots_of(start: str, named: Sequence[str]) -> Roots:
    """Return the directories given to a server; by default, the one it starts in."""
    directories = [os.path.realpath(os.path.join(start, directory)) for directory in named or ("",)]
    for directory in directories:
        if not os.path.isdir(directory):
            raise YgError(f"'{directory}' is not a directory", hint="--root expects a directory.")
    return Roots(tuple(dict.fromkeys(directories)))


def _is_below(place: str, root: str) -> bool:
    return place == root or place.startswith(os.path.join(root, ""))


class RepositoryState(Struct, frozen=True):
    """A directory, its HEAD commit and whether its work tree is dirty."""

    root: str
    commit: str | None  # None: no git repository, or no commit yet
    dirty: bool | None  # None: no git repository
    tracked: TrackedFiles | None = None  # its files, if git has just been asked about them

    @property
    def line(self) -> str:
        """The state as a line of text."""
        if self.dirty is None:
            return f"[root {visible(self.root)}, not in git]\n"
        commit = f"commit {self.commit[:SHORT]}" if self.commit else "no commit yet"
        tree = "dirty" if self.dirty else "clean"
        return f"[root {visible(self.root)}, {commit}, work tree {tree}]\n"

    @property
    def meta(self) -> dict[str, Any]:
        """The state as metadata of a result."""
        return {KEY: {"root": self.root, "commit": self.commit, "dirty": self.dirty}}


class Service(Struct, frozen=True, kw_only=True):
    """The configuration of a server."""

    roots: Roots
    may_sync: bool = False
    may_write: bool = False  # declarations of Spec Graphs
    lists_all: bool = False  # whether every reading tool is listed; all can be called
    kind: str | None = None  # kind of graph to open if there are several
    uses_index: bool = True
    databases: Databases = field(default_factory=Databases)  # kept open between calls
    graphs: OpenGraphs = field(default_factory=OpenGraphs)
    states: HeadStates = field(default_factory=HeadStates)

    def state_of(self, directory: str) -> RepositoryState:
        """Return the git state of a directory."""
        found = self.states.get(directory)
        if found is None:
            return RepositoryState(directory, None, None)
        return RepositoryState(directory, found.commit, found.is_dirty, found.tracked)

    @property
    def serves_specs(self) -> bool:
        """Whether the first repository has a Spec Graph."""
        try:
            return open_workspace(self.roots.allowed[0], None, self.kind).format.is_specgraph
        except YgError:
            return False  # no graph yet, or several


class Request(Struct, frozen=True):
    """One request. Each request checks the files again, so no answer is stale."""

    service: Service
    directory: str
    arguments: Mapping[str, Any]
    tracked: TrackedFiles | None = None  # as they are when the request starts
    opened: list[OpenWorkspace] = field(default_factory=list)

    def get(self, name: str) -> Any:
        """Return an argument; None if it was omitted."""
        return self.arguments.get(name)

    @property
    def place_notes(self) -> tuple[str, ...]:
        """Notes on the place of the graph that was opened last."""
        return self.opened[-1].place_notes if self.opened else ()

    def open(self, default_kind: str | None = None) -> OpenWorkspace:
        """Open the repository in its current state."""
        service, tokenizer = self.service, self.get("tokenizer")
        workspace = open_workspace(
            self.directory,
            None,
            self.get("kind") or service.kind or default_kind,
            uses_index=service.uses_index,
            databases=service.databases,
            tokenizer=None if tokenizer is None else named(tokenizer),
        )
        if not self.opened:  # later, they may have changed
            workspace.tracked = self.tracked
        if tokenizer is None:  # an open graph counts as its configuration says
            workspace = service.graphs.current(workspace)
        self.opened.append(workspace)
        return workspace


@contextmanager
def request_to(
    service: Service,
    directory: str,
    arguments: Mapping[str, Any],
    tracked: TrackedFiles | None = None,
) -> Iterator[Request]:
    """Provide a request, and save the index of its workspaces when it ends or fails."""
    request = Request(service, directory, arguments, tracked)
    try:
        yield request
    finally:
        for workspace in request.opened:
            workspace.save()
