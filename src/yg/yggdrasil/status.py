"""The state of a graph in numbers."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.codec import Codec
from yg.kernel.status import Status as Numbers
from yg.yggdrasil.resolve import effective_ids

if TYPE_CHECKING:
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


class Status(Struct, frozen=True, kw_only=True):
    """How much a graph describes, and how well. Quality counts leave blackbox nodes out."""

    project: str
    types: tuple[tuple[str, int], ...]
    nodes: int
    blackboxes: int
    structural: int
    events: int
    aspects: int
    flows: int
    artifact_types: int
    artifacts_filled: int
    relations: int  # of nodes that are no blackboxes
    busiest: str  # the node with the most relations, empty when there are none
    most_relations: int
    mapped: int
    covered: int  # nodes to which at least one aspect applies

    @property
    def slots(self) -> int:
        """How many artifacts there could be."""
        return self.artifact_types * self.nodes

    @property
    def numbers(self) -> Numbers:
        """The numbers that every kind of graph has."""
        return Numbers(
            name=self.project,
            nodes=self.nodes + self.blackboxes,
            types=self.types,
            links=(("structural", self.structural), ("event", self.events)),
        )


STATUS: Codec[Status] = Codec(Status)


def status_of(graph: Graph) -> Status:
    """Count what a graph holds, unless it is known already."""
    return graph.snapshot.recall("status", STATUS, lambda: _counted(graph))


def _counted(graph: Graph) -> Status:
    """Count what a graph holds."""
    every = tuple(graph.nodes)
    nodes = tuple(node for node in every if not node.is_blackbox)
    kinds = Counter(relation.kind.is_structural for node in every for relation in node.relations)
    busiest = max(nodes, key=_relation_count, default=None)
    names = set(graph.config.artifacts)
    return Status(
        project=graph.config.name,
        types=_types(graph, nodes),
        nodes=len(nodes),
        blackboxes=len(every) - len(nodes),
        structural=kinds[True],
        events=kinds[False],
        aspects=sum(1 for _ in graph.aspects),
        flows=sum(1 for _ in graph.flows),
        artifact_types=len(names),
        artifacts_filled=sum(len(names.intersection(node.files)) for node in nodes),
        relations=sum(map(_relation_count, nodes)),
        busiest=busiest.path if busiest and busiest.relations else "",
        most_relations=_relation_count(busiest) if busiest else 0,
        mapped=sum(bool(node.mapping) for node in nodes),
        covered=sum(bool(effective_ids(graph, node)) for node in nodes),
    )


def _relation_count(node: Node) -> int:
    return len(node.relations)


def _types(graph: Graph, nodes: tuple[Node, ...]) -> tuple[tuple[str, int], ...]:
    """Count nodes by type: configured types in their order, then the others by name."""
    counts = Counter(node.type.text for node in nodes)
    order = dict.fromkeys((*graph.config.node_types, *sorted(counts)))
    return tuple((name, counts[name]) for name in order if counts[name])
