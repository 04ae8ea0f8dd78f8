"""A Spec Graph: its index, its nodes read as they are asked for, and the inverse of its links."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from yg.kernel.codec import Codec
from yg.kernel.digraph import cyclic_groups
from yg.specgraph.model import LinkKind, Reading
from yg.specgraph.places import INDEX_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from yg.kernel.issue import Place
    from yg.kernel.snapshot import Snapshot
    from yg.specgraph.files import Files
    from yg.specgraph.model import Index, Node, Note, Reference

T = TypeVar("T")
READINGS: Codec[dict[str, Reading]] = Codec(dict[str, Reading])


class Graph:
    """Everything a repository has specified."""

    def __init__(
        self,
        snapshot: Snapshot,
        files: Files,
        folder: str,
        read_index: Callable[[], Index],
        read_node: Callable[[Reference], Reading],
    ) -> None:
        self.snapshot = snapshot
        self.files = files
        self.folder = folder
        self.read_index = read_index
        self.read_node = read_node
        self._readings: dict[str, Reading] = {}
        self._computed: dict[Callable[[Graph], Any], Any] = {}

    @property
    def file(self) -> str:
        """The file that lists the nodes."""
        return f"{self.folder}/{INDEX_FILE}"

    @cached_property
    def index(self) -> Index:
        """What graph.json says, as far as it could be read."""
        return self.read_index()

    @cached_property
    def references(self) -> Mapping[str, Reference]:
        """Every entry of graph.json by the id it names, readable or not, in the order of ids."""
        return {each.id: each for each in sorted(self.index.references, key=_id)}

    def reading(self, node_id: str) -> Reading | None:
        """Read one node, and nothing else; None when graph.json does not list it."""
        if node_id not in self._readings and node_id in self.references:
            self._readings[node_id] = self.read_node(self.references[node_id])
        return self._readings.get(node_id)

    def get(self, node_id: str) -> Node | None:
        """Return one node; None when it is not listed or could not be read."""
        reading = self.reading(node_id)
        return reading.node if reading else None

    @cached_property
    def readings(self) -> Mapping[str, Reading]:
        """The reading of every entry of graph.json, in the order of ids."""
        known: dict[str, Reading] = self.recall("readings", READINGS, self._read_all)
        self._readings.update(known)
        return self._read_all()

    def _read_all(self) -> dict[str, Reading]:
        return {
            node_id: self._readings.get(node_id) or self.read_node(reference)
            for node_id, reference in self.references.items()
        }

    def recall(self, name: str, codec: Codec[T], compute: Callable[[], T]) -> T:
        """Return a cached result about the whole graph, or compute it.

        Snapshots detect changes of the graph except in hidden directories, so nothing is cached if
        graph.json lists a file in one.
        """
        if any("/." in reference.file for reference in self.references.values()):
            return compute()
        return self.snapshot.recall(name, codec, compute)

    @cached_property
    def nodes(self) -> Mapping[str, Node]:
        """Every node that could be read, in the order of ids."""
        return {name: found.node for name, found in self.readings.items() if found.node}

    @cached_property
    def notes(self) -> tuple[Note, ...]:
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
        return tuple(each for each in every if each != node_id)

    def place(self, node: Node, *steps: str) -> Place:
        """Tell where in a node's file something stands."""
        return self.files.place(node.file, *steps)

    def once(self, compute: Callable[[Graph], T]) -> T:
        """Return what a function computes from this graph, called once."""
        if compute not in self._computed:
            self._computed[compute] = compute(self)
        found: T = self._computed[compute]
        return found

    @cached_property
    def dependency_cycles(self) -> tuple[tuple[str, ...], ...]:
        """The groups of nodes that depend on one another, and those that depend on themselves."""
        nodes = self.nodes.items()
        return cyclic_groups({each: node.targets(LinkKind.DEPENDS_ON) for each, node in nodes})

    @cached_property
    def cycle_of(self) -> Mapping[str, tuple[str, ...]]:
        """The group of each node that depends on itself, directly or not."""
        return {each: group for group in self.dependency_cycles for each in group}


def _id(reference: Reference) -> str:
    return reference.id
