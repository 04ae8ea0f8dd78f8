"""A Yggdrasil graph as an Export: nodes, aspects, flows, and every way they are connected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel import paths
from yg.kernel.errors import UnreadableError
from yg.kernel.export import Draft, Edge, EdgeKind, Presence, Vertex, VertexKind, updated
from yg.yggdrasil.assemble import Assembler
from yg.yggdrasil.resolve import effective_aspects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from yg.kernel.export import Export
    from yg.yggdrasil.drift import NodeDrift
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Aspect, Flow, Node, Relation

NODE, ASPECT, FLOW = VertexKind.NODE, VertexKind.ASPECT, VertexKind.FLOW
CONTAINS, HAS_ASPECT, IMPLIES, PARTICIPATES = (
    Edge(kind=kind, type=kind.value)
    for kind in (EdgeKind.CONTAINS, EdgeKind.HAS_ASPECT, EdgeKind.IMPLIES, EdgeKind.PARTICIPATES)
)


def export_of(graph: Graph, repository: str) -> Export:
    """Export a graph as it is declared; sizes and drift are added by those who need them."""
    return _Exporter(graph, repository).export()


def with_budgets(export: Export, graph: Graph) -> Export:
    """Add the size of each node's package and the verdict on it."""
    assembler = Assembler(graph)
    budget = graph.config.quality.budget

    def sized(vertex: Vertex) -> Vertex:
        node = graph.nodes.get(vertex.path) if vertex.kind is NODE else None
        if node is None:
            return vertex
        try:
            tokens = assembler.package(node).tokens
        except UnreadableError:  # E021 tells of the text that is missing: there is no size
            return vertex
        return replace(vertex, tokens=tokens, budget=budget.status(tokens))

    return updated(export, sized)


def with_drift(export: Export, drifts: Iterable[NodeDrift]) -> Export:
    """Add how nodes stand to their baselines."""
    states = {drift.node: drift.state.value for drift in drifts}
    return updated(
        export,
        lambda each: replace(each, drift=states.get(each.path, "")) if each.kind is NODE else each,
    )


class _Exporter:
    """Puts the parts of one graph into one draft."""

    def __init__(self, graph: Graph, repository: str) -> None:
        used = sorted({node.type.text for node in graph.nodes})
        self._graph = graph
        self._draft = Draft(repository, dict.fromkeys((*graph.config.node_types, *used)))
        self._tagged = _by_tag(graph)

    def export(self) -> Export:
        """Put everything in: what could not be read first, for it may turn out to be all."""
        graph = self._graph
        for kind, declared in ((NODE, graph.nodes), (ASPECT, graph.aspects), (FLOW, graph.flows)):
            for path in declared.all:
                self._draft.add(replace(self._at(kind, path), presence=Presence.UNREADABLE))
        for path in graph.nodes.all:
            self._contain(path)
        for node in graph.nodes:
            self._node(node)
        for aspect in graph.aspects:
            self._aspect(aspect)
        for flow in graph.flows:
            self._flow(flow)
        return self._draft.finished()

    def _contain(self, path: str) -> None:
        """Connect a node to the nearest one above it."""
        declared = self._graph.nodes.all
        above = next((each for each in reversed(paths.lineage(path)) if each in declared), None)
        if above is not None:
            self._draft.link(self._at(NODE, above), self._at(NODE, path), CONTAINS)

    def _node(self, node: Node) -> None:
        vertex = replace(
            self._at(NODE, node.path),
            name=node.name,
            type=node.type.text,
            presence=Presence.PRESENT,
            blackbox=node.is_blackbox,
            aspects=tuple(each.aspect.id for each in effective_aspects(self._graph, node)),
            mapping=tuple(word.text for word in node.mapping),
        )
        self._draft.add(vertex)
        for relation in node.relations:
            self._draft.link(vertex, self._at(NODE, relation.target.text), _relation(relation))
        for use in node.aspects:
            edge = replace(HAS_ASPECT, exceptions=use.exceptions)
            for aspect in self._tagged.get(use.aspect.text, (use.aspect.text,)):
                self._draft.link(vertex, self._at(ASPECT, aspect), edge)

    def _aspect(self, aspect: Aspect) -> None:
        vertex = replace(
            self._at(ASPECT, aspect.id),
            name=aspect.name,
            presence=Presence.PRESENT,
            description=aspect.description,
            stability=aspect.stability.value if aspect.stability else "",
        )
        self._draft.add(vertex)
        for word in aspect.implies:
            self._draft.link(vertex, self._at(ASPECT, word.text), IMPLIES)

    def _flow(self, flow: Flow) -> None:
        vertex = replace(self._at(FLOW, flow.id), name=flow.name, presence=Presence.PRESENT)
        self._draft.add(vertex)
        for path in sorted(flow.participants):
            self._draft.link(self._at(NODE, path), vertex, PARTICIPATES)
        for aspect in flow.aspect_ids:
            self._draft.link(vertex, self._at(ASPECT, aspect), HAS_ASPECT)

    def _at(self, kind: VertexKind, path: str) -> Vertex:
        return self._draft.vertex(kind, path)


def _relation(relation: Relation) -> Edge:
    return Edge(
        kind=EdgeKind.RELATION if relation.kind.is_structural else EdgeKind.EVENT,
        type=str(relation.kind),
        consumes=relation.consumes,
        failure=relation.failure,
        event=relation.event_name,
    )


def _by_tag(graph: Graph) -> dict[str, tuple[str, ...]]:
    """Return the aspects that each declaration brings: by id or, in 0.x, by tag."""
    found: dict[str, tuple[str, ...]] = {}
    for aspect in graph.aspects:
        name = aspect.tag or aspect.id
        found[name] = (*found.get(name, ()), aspect.id)
    return found
