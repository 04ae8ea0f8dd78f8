"""The tracked files of nodes, and how they differ from the baselines."""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from msgspec import UNSET, Struct
from msgspec.structs import replace

from yg_old.code.change_class import ChangeClass
from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.snapshot import Kind
from yg_old.text import paths
from yg_old.yggdrasil.drift.baseline import Merged, source_files, state_file
from yg_old.yggdrasil.drift.baseline_parts import has_current_facts, recorded_contracts, recorded_facts
from yg_old.yggdrasil.drift.moves import Lost
from yg_old.yggdrasil.drift.states import Change, How, NodeDrift, SourceChange, State
from yg_old.yggdrasil.inventories.relations import split
from yg_old.yggdrasil.inventory_copies import import_file, is_import_file
from yg_old.yggdrasil.owners import Ownership, mappings, owned, sound_paths
from yg_old.yggdrasil.package.assemble import Assembler
from yg_old.yggdrasil.places import is_graph_file
from yg_old.yggdrasil.resolve import named_aspects, referring_parts

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from yg_old.kernel.digest import FileDigest
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.drift.baseline import Baseline
    from yg_old.yggdrasil.drift.baselines import Baselines
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node
    from yg_old.yggdrasil.package.blocks import ContextPackage


NOT_MERGED = Merged()
AFTER_SLASH = chr(ord("/") + 1)


class Tracked(Struct, frozen=True):
    """The files that a node's baseline covers, and the mapped paths that are missing."""

    graph: tuple[str, ...]
    source: tuple[str, ...]
    gone: tuple[str, ...]
    is_gone: bool  # all mapped paths are missing or empty
    empty: tuple[str, ...] = ()  # mapped directories without files, which a clone does not have
    faults: tuple[str, ...] = ()  # reasons why some sources cannot be tracked
    doubts: tuple[str, ...] = ()  # reasons why its graph files are not known
    unread_flows: Mapping[str, str] = {}  # ids by directory; they may list the node
    contracts: Mapping[str, str] = {}  # digests of nodes of other repositories, and of documents
    is_blackbox: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """All tracked files."""
        return (*self.graph, *self.source)

    def reasons(self, baseline: Baseline | None) -> tuple[str, ...]:
        """Return why the graph files of the node are not known; empty if they are.

        Nobody knows the participants of a flow that cannot be read. They are assumed to be the
        nodes whose baselines have its files.
        """
        if not self.unread_flows or baseline is None:
            return self.doubts
        places = {paths.parent(path) for path in baseline.files}
        lost = (flow for place, flow in self.unread_flows.items() if place in places)
        return (*self.doubts, *(f"flow '{flow}' cannot be read" for flow in lost))


class Hashes(Protocol):
    """A cache of file digests."""

    def of(self, path: str) -> FileDigest:
        """Return the digest of a file; raise UnreadableError if it cannot be read."""


class Tracker:
    """Finds the files that belong to the baseline of each node."""

    def __init__(self, graph: Graph, sources: Sources) -> None:
        self._graph = graph
        self._sources = sources
        self._assembler = Assembler(graph)
        self._ownership = Ownership(graph, sources)
        self._unread_flows = {
            f"{graph.flows.spec.tree}/{flow}": flow
            for flow, reading in graph.flows.all.items()
            if reading.value is None
        }

    def tracked(self, node: Node) -> Tracked:
        """Return the graph files of a node's package and the files of its mapping."""
        package = self._assembler.package(node)
        mapped = self._mapped(node, self._ownership)
        documents, unread = self._documents(package)
        return replace(
            mapped,
            faults=tuple(self._faults(node)),
            # A node depends on some contracts in an import, not on all of it, and perhaps on
            # sections of files outside the graph.
            graph=tuple(filter(_is_tracked, package.source_files)),
            doubts=(*self._doubts(node), *unread),
            unread_flows=self._unread_flows,
            contracts={**package.contracts, **documents},
        )

    def _documents(self, package: ContextPackage) -> tuple[dict[str, str], list[str]]:
        """Return the digests of the documents that a package quotes, and why some have none."""
        digests: dict[str, str] = {}
        unread: list[str] = []
        for reference in package.references:
            try:
                digests[reference] = self._graph.documents.digest(reference)
            except UnreadableError:
                unread.append(f"document '{reference}' cannot be read")
        return digests, unread

    def tracked_sources(self, node: Node) -> Tracked:
        """Return the files of a node's mapping; only nodes above and below it can own some."""
        graph, path = self._graph, node.path
        below: Iterable[str] = self._ids
        if path != paths.ROOT:
            start, end = (bisect_left(self._ids, f"{path}{sign}") for sign in ("/", AFTER_SLASH))
            below = (path, *self._ids[start:end])
        near = (graph.nodes.get(other) for other in (*paths.lineage(path), *below))
        nodes = [other for other in near if other is not None]
        return self._mapped(node, Ownership(graph, self._sources, nodes=nodes))

    @cached_property
    def _ids(self) -> list[str]:
        return sorted(self._graph.nodes.ids())

    def _mapped(self, node: Node, ownership: Ownership) -> Tracked:
        sound = sound_paths(self._sources, node)
        files = {path: self._sources.files(path) for path in sound}
        absent = (path for path in sound if self._sources.kind(path) is None)
        gone = tuple(path for path in absent if not self._is_closed(path))
        bare = (path for path in sound if not files[path] and path not in gone)
        empty = tuple(path for path in bare if not self._is_closed(path))
        return Tracked(
            graph=(),
            source=owned(ownership, node, chain.from_iterable(files.values())),
            gone=gone,
            is_gone=len(gone) + len(empty) == len(sound),
            empty=empty,
            is_blackbox=node.is_blackbox,
        )

    def _is_closed(self, path: str) -> bool:
        """Tell whether some directory at, below or above a path could not be read."""
        return any(paths.overlap(closed, path) for closed in self._sources.unseen())

    def _faults(self, node: Node) -> Iterator[str]:
        """Yield the reasons why some sources of a node cannot be tracked."""
        sound = sound_paths(self._sources, node)
        for mapped in mappings(self._sources, node):
            if mapped.fault:
                yield f"mapping '{mapped.entry}' {mapped.fault}"
        for directory in self._sources.unseen():
            if any(paths.overlap(directory, path) for path in sound):
                yield f"cannot look into '{directory}'"

    def _doubts(self, node: Node) -> Iterator[str]:
        """Yield the reasons why the graph files of a node are not known."""
        config = self._graph.config_reading
        if config.notes and not self._graph.config.artifacts:
            reason = "has no artifacts" if config.value else "cannot be read"
            yield f"{self._graph.config.file} {reason}"
        targets = (relation.target.text for relation in node.relations)
        for path in (*paths.lineage(node.path), *targets):
            reading = self._graph.nodes.reading(path)
            if reading is not None and reading.value is None:
                yield f"node '{path}' cannot be read"
        for name in dict.fromkeys(split(relation.target.text)[0] for relation in node.external):
            if self._graph.inventories.get(name) is None:
                is_damaged = self._graph.inventories.fault(name) is not None
                yield f"import '{name}' {'cannot be read' if is_damaged else 'does not exist'}"
        for aspect in named_aspects(self._graph, node.path):
            known = self._graph.aspects.reading(aspect)
            if known is not None and known.value is None:
                yield f"aspect '{aspect}' cannot be read"


def _is_tracked(file: str) -> bool:
    return is_graph_file(file) and not is_import_file(file)


def node_drift(
    node: str, tracked: Tracked, baseline: Baseline | None, hashes: Hashes, sources: Sources
) -> NodeDrift:
    """Compare a node's files with its baseline."""
    then = baseline.files if baseline else {}
    if reasons := tracked.reasons(baseline):
        reason = "; ".join(dict.fromkeys(reasons))
        return NodeDrift(node=node, state=State.UNKNOWN, has_baseline=bool(then), reason=reason)
    if tracked.is_gone:
        state = State.MISSING if then else State.UNMATERIALIZED
        left = (path for path in sorted(then) if not is_graph_file(path))
        untracked = tuple(
            SourceChange(path, How.UNTRACKED) for path in left if sources.kind(path) is Kind.FILE
        )
        return NodeDrift(node=node, state=state, source=untracked, has_baseline=bool(then))
    missing = (*tracked.gone, *tracked.empty) or UNSET
    if not then:
        # Other tools record no baselines of blackbox nodes.
        state = State.OK if tracked.is_blackbox and not missing else State.SOURCE
        return NodeDrift(node=node, state=state, has_baseline=False, missing_paths=missing)
    graph_then = {path for path in then if is_graph_file(path)}
    merged = baseline.merged if baseline and baseline.merged else NOT_MERGED
    changes = _Changes(then, merged.files, hashes, sources)
    differing = changes.between(then.keys() - graph_then, tracked.source)
    source = tuple(SourceChange(path, how) for path, how in differing)
    told = {place for change in source for place in (*paths.lineage(change.path), change.path)}
    lost = (path for path in (*tracked.gone, *tracked.empty) if path not in told)
    source += tuple(SourceChange(path, How.DELETED) for path in lost)
    graph = tuple(changes.of_graph(graph_then, tracked.graph))
    contracts = recorded_contracts(baseline)
    graph += tuple(_contract_changes(contracts, tracked.contracts, merged.contracts))
    state = _state(source, graph)
    return NodeDrift(node=node, state=state, source=source, graph=graph, missing_paths=missing)


def source_drift(
    tracked: Tracked, node: str, baseline: Baseline, hashes: Hashes, sources: Sources
) -> NodeDrift:
    """Compare only the sources of a node with its baseline."""
    then = source_files(baseline)
    drift = node_drift(node, tracked, replace(baseline, files=then), hashes, sources)
    if drift.state is State.MISSING:
        gone = (path for path in sorted(then) if sources.kind(path) is not Kind.FILE)
        deleted = tuple(SourceChange(path, How.DELETED) for path in gone)
        return replace(drift, source=(*drift.source, *deleted))
    if drift.state not in (State.SOURCE, State.FULL, State.GRAPH):
        return drift
    return replace(drift, state=State.SOURCE if drift.source else State.OK, graph=())


def _contract_changes(
    then: Mapping[str, str], now: Mapping[str, str], others: Mapping[str, tuple[str, ...]]
) -> Iterator[Change]:
    """Yield the changes of contracts in other repositories and of documents, by name."""
    for target in sorted(then.keys() | now.keys()):
        if now.get(target, "") in others.get(target, ()):
            continue  # as one side of a merge has it
        if target not in now:
            yield Change(target, How.DELETED)
        elif then.get(target) != now[target]:
            yield Change(target, How.CHANGED if target in then else How.ADDED)


def _state(source: tuple[SourceChange, ...], graph: tuple[Change, ...]) -> State:
    if source and graph:
        return State.FULL
    if source:
        return State.SOURCE
    return State.GRAPH if graph else State.OK


def is_confirmed(digest: FileDigest | None, recorded: Iterable[str]) -> bool:
    """Tell whether a file, or its absence, is as one of some digests says; "" is no file."""
    if digest is None:
        return "" in recorded
    return any(known and digest.matches(known) for known in recorded)


class _Changes:
    """Compares files with a baseline; `others` are the digests of both sides of a merge."""

    def __init__(
        self,
        then: Mapping[str, str],
        others: Mapping[str, tuple[str, ...]],
        hashes: Hashes,
        sources: Sources,
    ) -> None:
        self._then = then
        self._others = others
        self._hashes = hashes
        self._sources = sources

    @cached_property
    def _unseen(self) -> frozenset[str]:
        return frozenset(self._sources.unseen())

    def between(self, before: Iterable[str], now: Iterable[str]) -> Iterator[tuple[str, How]]:
        """Yield the paths that differ and how, sorted."""
        # Compare file by file, not by the digest of all files: other tools may sort paths
        # differently and write different digests for equal states.
        current = set(now)
        for path in sorted({*before, *current}):
            how = self._present(path) if path in current else self._absent(path)
            if how is not None:
                yield path, how

    def of_graph(self, before: Iterable[str], now: Iterable[str]) -> Iterator[Change]:
        """Yield the changes of graph files.

        Other tools have more files in a package, such as contracts of the ancestors of targets.
        One that is as recorded is no change: no file leaves a package without another change.
        """
        for path, how in self.between(before, now):
            if how is not How.UNTRACKED:
                yield Change(path, how)
            elif (found := self._present(path)) is How.CHANGED:
                yield Change(path, found, is_outside=True)
            elif found is not None:
                yield Change(path, found)

    def _present(self, path: str) -> How | None:
        try:
            digest = self._hashes.of(path)
        except UnreadableError:
            return How.UNREADABLE
        if path not in self._then:
            return How.ADDED
        recorded = self._others.get(path, (self._then[path],))
        return None if any(map(digest.matches, recorded)) else How.CHANGED

    def _absent(self, path: str) -> How | None:
        """Return what became of a file that is not tracked any more."""
        if "" in self._others.get(path, ()):
            return None  # one side of a merge does not have it
        if not self._unseen.isdisjoint(paths.lineage(path)):
            return How.UNREADABLE
        return How.UNTRACKED if self._sources.kind(path) is Kind.FILE else How.DELETED


def mapped_nodes(graph: Graph, scope: str = paths.ROOT) -> tuple[Node, ...]:
    """Return the nodes in a scope whose mapped files are tracked, sorted by path."""
    return tuple(
        node for node in graph.nodes if node.is_tracked and paths.is_inside(node.path, scope)
    )


def untracked_nodes(graph: Graph, scope: str = paths.ROOT) -> tuple[Node, ...]:
    """Return the mapped nodes in a scope with `drift: off`, sorted by path."""
    return tuple(
        node
        for node in graph.nodes
        if node.mapping and not node.is_tracked and paths.is_inside(node.path, scope)
    )


def concerned(
    graph: Graph,
    sources: Sources,
    baselines: Baselines,
    nodes: Iterable[Node],
    files: Collection[str],
) -> Iterator[Node]:
    """Yield the mapped nodes whose drift may change when one of the files changes."""
    ownership = Ownership(graph, sources)
    owners = {owner.node for file in files if (owner := ownership.get(file)) is not None}
    documents = referring_parts(graph)
    texts = frozenset(file for file in files if is_graph_file(file) or file in documents)
    assembler = Assembler(graph)
    for node in nodes:
        if node.path in owners or (
            texts and not texts.isdisjoint(_graph_files(assembler, baselines, node))
        ):
            yield node


def _graph_files(assembler: Assembler, baselines: Baselines, node: Node) -> Iterator[str]:
    """Yield the files of texts that a node depends on, now or at its baseline."""
    yield state_file(node.path)
    yield from assembler.package(node).source_files
    # No package is made from an import that is missing or damaged.
    yield from (import_file(split(relation.target.text)[0]) for relation in node.external)
    # A deleted file is in no package any more, but still in the baseline.
    baseline = baselines.get(node.path)
    yield from filter(is_graph_file, baseline.files) if baseline else ()


def lost_files(drift: NodeDrift, baseline: Baseline | None, sources: Sources) -> Lost | None:
    """Return the files that a node has lost; None if it has lost none."""
    then = baseline.files if baseline else {}
    if drift.state is State.MISSING:
        gone = [path for path in then if not is_graph_file(path)]
        deleted = {path: then[path] for path in gone if sources.kind(path) is not Kind.FILE}
    else:
        gone = [change.path for change in drift.source if change.how is How.DELETED]
        deleted = {path: then[path] for path in gone if path in then}
    added = tuple(change.path for change in drift.source if change.how is How.ADDED)
    if not deleted or baseline is None:
        return None
    known = recorded_facts(baseline)[0] if has_current_facts(baseline) else {}
    return Lost(deleted, added, {path: known[path] for path in deleted if path in known})


def with_moves(
    drift: NodeDrift, moves: Mapping[str, str], plain: Collection[str] = ()
) -> NodeDrift:
    """Return the drift of a node with deleted files marked as moved; `moves` has their places.

    The content of a file that is listed as plain is the same, whatever its language.
    """
    kinds = dict.fromkeys(plain, ChangeClass.COSMETIC)
    moved = {
        path: SourceChange(path, How.MOVED, to, kind=kinds.get(path, ChangeClass.UNKNOWN))
        for path, to in moves.items()
    }
    moved |= {
        to: SourceChange(to, How.ADDED, kind=ChangeClass.COSMETIC)
        for path, to in moves.items()
        if path in kinds
    }
    if drift.state is State.MISSING:
        kept = (change for change in drift.source if change.path not in moved)
        changes = (*kept, *(moved[path] for path in moves))
        return replace(drift, source=tuple(sorted(changes, key=lambda change: change.path)))
    source = tuple(moved.get(change.path, change) for change in drift.source)
    return replace(drift, source=source)


def without_added(drift: NodeDrift, file: str) -> NodeDrift:
    """Return the drift of a node without one file that is new there."""
    source = tuple(
        change for change in drift.source if change.how is not How.ADDED or change.path != file
    )
    is_compared = drift.state in (State.SOURCE, State.FULL) and drift.has_baseline
    state = _state(source, drift.graph) if is_compared else drift.state
    return replace(drift, source=source, state=state)
