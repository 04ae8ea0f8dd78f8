"""Drift: changes to a node's sources or graph files since its baseline."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from yg.kernel import paths
from yg.kernel.errors import UnreadableError
from yg.yggdrasil.assemble import Assembler
from yg.yggdrasil.baseline import state_file
from yg.yggdrasil.mapping import Ownership, mappings, own_files, sound_paths
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.resolve import named_aspects

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from yg.kernel.sources import Sources
    from yg.yggdrasil.baseline import Baseline, Baselines
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


class State(StrEnum):
    """The drift state of a mapped node."""

    SOURCE = "source-drift"
    GRAPH = "graph-drift"
    FULL = "full-drift"
    MISSING = "missing"
    UNMATERIALIZED = "unmaterialized"
    OK = "ok"


class How(StrEnum):
    """The kind of a change to a file since the baseline."""

    CHANGED = "changed"
    ADDED = "added"
    DELETED = "deleted"
    UNREADABLE = "unreadable"


class Change(Struct, frozen=True):
    """One file that differs from the baseline."""

    path: str
    how: How


class NodeDrift(Struct, frozen=True, kw_only=True):
    """The drift state of one node, with the changed files."""

    node: str
    state: State
    source: tuple[Change, ...] = ()
    graph: tuple[Change, ...] = ()
    has_baseline: bool = True


class Tracked(Struct, frozen=True):
    """The files that a node's baseline covers, and the mapped paths that are missing."""

    graph: tuple[str, ...]
    source: tuple[str, ...]
    gone: tuple[str, ...]
    is_gone: bool  # all mapped paths are missing
    faults: tuple[str, ...] = ()  # reasons why some files cannot be tracked

    @property
    def files(self) -> tuple[str, ...]:
        """All tracked files."""
        return (*self.graph, *self.source)


class Hashes(Protocol):
    """A cache of file digests."""

    def of(self, path: str) -> str:
        """Return the digest of a file; raise UnreadableError if it cannot be read."""


class Tracker:
    """Finds the files that belong to the baseline of each node."""

    def __init__(self, graph: Graph, sources: Sources) -> None:
        self._graph = graph
        self._sources = sources
        self._assembler = Assembler(graph)
        self._ownership = Ownership(graph)

    def tracked(self, node: Node) -> Tracked:
        """Return the graph files of a node's package and the files of its mapping."""
        sound = sound_paths(self._sources, node)
        gone = tuple(path for path in sound if self._sources.kind(path) is None)
        return Tracked(
            graph=self._assembler.package(node).source_files,
            source=own_files(self._sources, self._ownership, node),
            gone=gone,
            is_gone=len(gone) == len(sound),
            faults=tuple(self._faults(node, sound)),
        )

    def _faults(self, node: Node, sound: Sequence[str]) -> Iterator[str]:
        """Yield the reasons why some files of a node cannot be tracked."""
        for mapped in mappings(self._sources, node):
            if mapped.fault:
                yield f"mapping '{mapped.entry}' {mapped.fault}"
        for directory in self._sources.unseen():
            if any(paths.is_inside(directory, path) for path in sound):
                yield f"cannot look into '{directory}'"
        if self._graph.config_reading.notes and not self._graph.config.artifacts:
            yield f"{self._graph.config.file} cannot be read"
        targets = (relation.target.text for relation in node.relations)
        for path in (*paths.lineage(node.path), *targets):
            reading = self._graph.nodes.reading(path)
            if reading is not None and reading.value is None:
                yield f"node '{path}' cannot be read"
        for aspect in named_aspects(self._graph, node.path):
            known = self._graph.aspects.reading(aspect)
            if known is not None and known.value is None:
                yield f"aspect '{aspect}' cannot be read"


def node_drift(node: str, tracked: Tracked, baseline: Baseline | None, hashes: Hashes) -> NodeDrift:
    """Compare a node's files with its baseline."""
    if tracked.is_gone:
        state = State.MISSING if baseline else State.UNMATERIALIZED
        return NodeDrift(node=node, state=state, has_baseline=baseline is not None)
    if baseline is None or not baseline.files:
        return NodeDrift(node=node, state=State.SOURCE, has_baseline=False)
    then = baseline.files
    graph_then = {path for path in then if is_graph_file(path)}
    source = tuple(_changes(then.keys() - graph_then, tracked.source, then, hashes))
    lost = (path for path in tracked.gone if not any(paths.is_inside(c.path, path) for c in source))
    source += tuple(Change(path, How.DELETED) for path in lost)
    graph = tuple(_changes(graph_then, tracked.graph, then, hashes))
    return NodeDrift(node=node, state=_state(source, graph), source=source, graph=graph)


def is_graph_file(path: str) -> bool:
    """Tell whether a tracked path belongs to the graph rather than to the sources."""
    return path.startswith(f"{FOLDER}/")


def _state(source: tuple[Change, ...], graph: tuple[Change, ...]) -> State:
    if source and graph:
        return State.FULL
    if source:
        return State.SOURCE
    return State.GRAPH if graph else State.OK


def _changes(
    before: Iterable[str], now: Iterable[str], then: Mapping[str, str], hashes: Hashes
) -> Iterable[Change]:
    """Yield the changes, sorted by path."""
    # Compare file by file, not by the digest of all files: other tools may sort paths differently
    # and write different digests for equal states.
    current = set(now)
    for path in sorted({*before, *current}):
        if path not in current:
            yield Change(path, How.DELETED)
            continue
        try:
            digest = hashes.of(path)
        except UnreadableError:
            yield Change(path, How.UNREADABLE)
            continue
        if path not in then:
            yield Change(path, How.ADDED)
        elif then[path] != digest:
            yield Change(path, How.CHANGED)


def mapped_nodes(graph: Graph, scope: str = paths.ROOT) -> tuple[Node, ...]:
    """Return the mapped nodes in a scope, sorted by path."""
    return tuple(node for node in graph.nodes if node.mapping and paths.is_inside(node.path, scope))


def counts(drifts: Iterable[NodeDrift]) -> dict[State, int]:
    """Count nodes by state, including states without nodes."""
    found = Counter(drift.state for drift in drifts)
    return {state: found[state] for state in State}


def concerned(
    graph: Graph, baselines: Baselines, nodes: Iterable[Node], files: Collection[str]
) -> Iterator[Node]:
    """Yield the mapped nodes whose drift may change when one of the files changes."""
    ownership = Ownership(graph)
    owners = {owner.node for file in files if (owner := ownership.get(file)) is not None}
    graph_files = frozenset(filter(is_graph_file, files))
    assembler = Assembler(graph)
    for node in nodes:
        if node.path in owners or (
            graph_files and not graph_files.isdisjoint(_graph_files(assembler, baselines, node))
        ):
            yield node


def _graph_files(assembler: Assembler, baselines: Baselines, node: Node) -> Iterator[str]:
    """Yield the graph files that a node depends on, now or at its baseline."""
    yield state_file(node.path)
    yield from assembler.package(node).source_files
    # A deleted file is in no package any more, but still in the baseline.
    baseline = baselines.get(node.path)
    yield from baseline.files if baseline else ()
