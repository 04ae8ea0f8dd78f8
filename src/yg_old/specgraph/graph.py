"""A Spec Graph: its nodes, read on demand, and the inverse of its links."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from yg_old.kernel.digraph import cyclic_groups
from yg_old.kernel.package import STANDARD_BUDGET
from yg_old.specgraph.model import LinkKind, NodeReading
from yg_old.specgraph.places import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg_old.kernel.codec import Codec
    from yg_old.kernel.issue import Place
    from yg_old.kernel.package import Budget
    from yg_old.kernel.snapshot import Snapshot
    from yg_old.specgraph.files import Files
    from yg_old.specgraph.model import GraphFile, Reference, SpecNode, SpecNote

T = TypeVar("T")


class SpecGraph:
    """A graph and its caches."""

    def __init__(  # noqa: PLR0913, PLR0917
        self,
        snapshot: Snapshot,
        files: Files,
        folder: str,
        read_index: Callable[[], GraphFile],
        read_node: Callable[[Reference], NodeReading],
        tokenizer: str = "",
    ) -> None:
        self.snapshot = snapshot
        self.files = files
        self.folder = folder
        self.read_index = read_index
        self.read_node = read_node
        self.budget = replace(STANDARD_BUDGET, tokenizer=tokenizer)
        self._readings: dict[str, NodeReading] = {}
        self._computed: dict[Callable[[SpecGraph], Any], Any] = {}

    @property
    def configured_budget(self) -> Budget:
        """The budget without options; Spec Graphs have no settings."""
        return STANDARD_BUDGET

    @property
    def file(self) -> str:
        """The file that lists the nodes."""
        return f"{self.folder}/{INDEX_FILE}"

    @cached_property
    def index(self) -> GraphFile:
        """The content of graph.json; unreadable parts are empty."""
        return self.read_index()

    @cached_property
    def references(self) -> Mapping[str, Reference]:
        """The entries of graph.json by id, sorted, whether or not their files can be read."""
        return {reference.id: reference for reference in sorted(self.index.references, key=_id)}

    def reading(self, node_id: str) -> NodeReading | None:
        """Read one node and no other; return None if graph.json does not list it."""
        if node_id not in self._readings and node_id in self.references:
            self._readings[node_id] = self.read_node(self.references[node_id])
        return self._readings.get(node_id)

    def get(self, node_id: str) -> SpecNode | None:
        """Return one node; None if it is not listed or cannot be read."""
        reading = self.reading(node_id)
        return reading.node if reading else None

    @cached_property
    def readings(self) -> Mapping[str, NodeReading]:
        """The reading of every entry of graph.json, in the order of ids."""
        for node_id, reference in self.references.items():
            if node_id not in self._readings:
                self._readings[node_id] = self.read_node(reference)
        return {node_id: self._readings[node_id] for node_id in self.references}

    def recall(self, name: str, codec: Codec[T], compute: Callable[[], T]) -> T:
        """Return a cached result about the whole graph, or compute it.

        Snapshots detect changes of the graph except in hidden directories, so nothing is cached if
        graph.json lists a file in one.
        """
        if any("/." in reference.file for reference in self.references.values()):
            return compute()
        return self.snapshot.recall(name, codec, compute)

    @cached_property
    def nodes(self) -> Mapping[str, SpecNode]:
        """Every node that could be read, in the order of ids."""
        return {name: found.node for name, found in self.readings.items() if found.node}

    @cached_property
    def notes(self) -> tuple[SpecNote, ...]:
        """The notes of all readings."""
        of_nodes = (note for reading in self.readings.values() for note in reading.notes)
        return (*self.index.notes, *of_nodes)

    @cached_property
    def _inverse(self) -> Mapping[LinkKind, Mapping[str, tuple[str, ...]]]:
        found: dict[LinkKind, dict[str, list[str]]] = {kind: {} for kind in LinkKind}
        for node in self.nodes.values():
            for kind in node.links:
                for target in node.targets(kind):
                    found[kind].setdefault(target, []).append(node.id)
        return {
            kind: {target: tuple(sources) for target, sources in by_target.items()}
            for kind, by_target in found.items()
        }

    def sources(self, kind: LinkKind, node_id: str) -> tuple[str, ...]:
        """Return the nodes that have a link of one kind to a node, in the order of ids."""
        return self._inverse[kind].get(node_id, ())

    def parents(self, node_id: str) -> tuple[str, ...]:
        """Return the nodes that contain a node."""
        return self.sources(LinkKind.CONTAINS, node_id)

    def constrainers(self, node_id: str) -> tuple[str, ...]:
        """Return the nodes that constrain a node."""
        return self.sources(LinkKind.CONSTRAINS, node_id)

    def dependents(self, node_id: str) -> tuple[str, ...]:
        """Return the nodes that depend on a node."""
        return self.sources(LinkKind.DEPENDS_ON, node_id)

    def superseders(self, node_id: str) -> tuple[str, ...]:
        """Return the other nodes that supersede a node."""
        every = self.sources(LinkKind.SUPERSEDES, node_id)
        return tuple(source for source in every if source != node_id) if every else every

    def place(self, node: SpecNode, *steps: str) -> Place:
        """Return the position of a value in a node's file."""
        return self.files.place(node.file, *steps)

    def once(self, compute: Callable[[SpecGraph], T]) -> T:
        """Return the result of a function of this graph, called once."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        found: T = self._computed[compute]
        return found

    @cached_property
    def dependency_cycles(self) -> tuple[tuple[str, ...], ...]:
        """The groups of nodes that depend on one another, and those that depend on themselves."""
        nodes = self.nodes.items()
        return cyclic_groups(
            {node_id: node.targets(LinkKind.DEPENDS_ON) for node_id, node in nodes}
        )

    @cached_property
    def cycle_of(self) -> Mapping[str, tuple[str, ...]]:
        """The group of each node that depends on itself, directly or not."""
        return {node_id: group for group in self.dependency_cycles for node_id in group}


def _id(reference: Reference) -> str:
    return reference.id
