"""A Survey: the part of a graph that rules look at, the whole of it or what touches one package."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from yg.kernel import paths
from yg.kernel.digraph import inverted
from yg.kernel.errors import UnreadableError
from yg.yggdrasil.assemble import Assembler
from yg.yggdrasil.mapping import Ownership, mappings
from yg.yggdrasil.resolve import artifact_names, effective_ids, flows_of, named_aspects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg.kernel.snapshot import Text
    from yg.kernel.sources import Sources
    from yg.yggdrasil.collection import Collection
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.mapping import Mapped
    from yg.yggdrasil.model import Aspect, D, Flow, Node, Note, Reading, UnknownKeyUse


class Survey:
    """What rules look at. References may lead out of it, into the rest of the graph."""

    def __init__(  # noqa: PLR0913
        self,
        graph: Graph,
        sources: Sources,
        node_readings: Mapping[str, Reading[Node]],
        aspect_readings: Mapping[str, Reading[Aspect]],
        flow_readings: Mapping[str, Reading[Flow]],
        *,
        folder_notes: tuple[Note, ...] = (),
    ) -> None:
        self.graph = graph
        self.sources = sources
        self.node_readings = node_readings
        self.aspect_readings = aspect_readings
        self.flow_readings = flow_readings
        self.folder_notes = folder_notes

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that could be read."""
        return tuple(each.value for each in self.node_readings.values() if each.value)

    @cached_property
    def aspects(self) -> tuple[Aspect, ...]:
        """The aspects that could be read."""
        return tuple(each.value for each in self.aspect_readings.values() if each.value)

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """The flows that could be read."""
        return tuple(each.value for each in self.flow_readings.values() if each.value)

    @cached_property
    def mappings(self) -> tuple[Mapped, ...]:
        """The mapped paths of all nodes, as they are written."""
        return tuple([each for node in self.nodes for each in mappings(self.sources, node)])

    @cached_property
    def ownership(self) -> Ownership:
        """Who owns which file."""
        return Ownership(self.graph)

    @cached_property
    def effective(self) -> dict[str, frozenset[str]]:
        """The ids of the aspects that apply to each node of the survey."""
        return {node.path: effective_ids(self.graph, node) for node in self.nodes}

    @cached_property
    def incoming(self) -> dict[str, tuple[str, ...]]:
        """The other nodes that have a relation to each node, in order."""
        targets = {
            node.path: tuple(
                dict.fromkeys(
                    each.target.text for each in node.relations if each.target.text != node.path
                )
            )
            for node in self.nodes
        }
        return {path: tuple(sources) for path, sources in inverted(targets).items()}

    @cached_property
    def package_sizes(self) -> tuple[tuple[Node, int], ...]:
        """The size in tokens of the package of each node that is built from the graph."""
        return tuple(_sizes(self))

    @property
    def notes(self) -> Iterator[Note]:
        """What readers had to say."""
        yield from self.folder_notes
        for reading in self._readings:
            yield from reading.notes

    @property
    def unknown_keys(self) -> Iterator[UnknownKeyUse]:
        """The keys that mean nothing where they stand."""
        for reading in self._readings:
            yield from reading.unknown_keys

    @property
    def texts(self) -> Iterator[tuple[str, Text]]:
        """Every text that can reach a package, with the subject it belongs to."""
        for node in self.nodes:
            for name in artifact_names(self.graph, node):
                yield node.path, self.graph.snapshot.text(f"{node.directory}/{name}")
        for kind, things in (("aspects", self.aspects), ("flows", self.flows)):
            for each in things:
                for name in each.files:
                    yield f"{kind}/{each.id}", self.graph.snapshot.text(f"{each.directory}/{name}")

    @property
    def _readings(self) -> Iterator[Reading[object]]:
        yield self.graph.config_reading
        yield from chain(
            self.node_readings.values(),
            self.aspect_readings.values(),
            self.flow_readings.values(),
        )


def _sizes(survey: Survey) -> Iterator[tuple[Node, int]]:
    assembler = Assembler(survey.graph)
    for node in survey.nodes:
        if node.is_blackbox:
            continue
        try:
            yield node, assembler.package(node).tokens
        except UnreadableError:
            continue  # a text is missing, of which E021 tells: there is no size


def whole(graph: Graph, sources: Sources) -> Survey:
    """Survey the whole graph."""
    return Survey(
        graph,
        sources,
        graph.nodes.all,
        graph.aspects.all,
        graph.flows.all,
        folder_notes=(*graph.nodes.notes, *graph.aspects.notes, *graph.flows.notes),
    )


def around(graph: Graph, sources: Sources, path: str) -> Survey:
    """Survey what touches one package: the node, its ancestors, targets, aspects and flows."""
    node = graph.nodes.get(path)
    targets = tuple(relation.target.text for relation in node.relations) if node else ()
    flows = flows_of(graph, path)
    # A flow that cannot be read may list the node: nobody can say that it does not.
    unreadable = (each for each, reading in graph.flows.all.items() if reading.value is None)
    return Survey(
        graph,
        sources,
        _existing(graph.nodes, (*paths.lineage(path), path, *targets)),
        _existing(graph.aspects, named_aspects(graph, path)),
        _existing(graph.flows, (*(flow.id for flow in flows), *unreadable)),
    )


def alone(graph: Graph, sources: Sources, path: str) -> Survey:
    """Survey one node and nothing else."""
    return Survey(graph, sources, _existing(graph.nodes, (path,)), {}, {})


def _existing(collection: Collection[D], ids: Iterable[str]) -> dict[str, Reading[D]]:
    found = ((each, collection.reading(each)) for each in sorted(set(ids)))
    return {each: reading for each, reading in found if reading is not None}
