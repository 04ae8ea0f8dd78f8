"""Export of a Yggdrasil graph: nodes, aspects, flows and all edges between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.errors import UnreadableError
from yg_old.kernel.export import (
    Backing,
    EdgeKind,
    ExportBuilder,
    ExportEdge,
    Presence,
    Vertex,
    VertexKind,
    between,
    linked,
    own_vertices,
    updated,
)
from yg_old.text import paths
from yg_old.yggdrasil.inventories.relations import externals, place_of
from yg_old.yggdrasil.package.assemble import Assembler
from yg_old.yggdrasil.resolve import effective_aspects

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from yg_old.kernel.export import Export
    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.drift.states import NodeDrift
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.inventories.relations import External
    from yg_old.yggdrasil.model import Aspect, Flow, Node, Relation

NODE, ASPECT, FLOW = VertexKind.NODE, VertexKind.ASPECT, VertexKind.FLOW
CONTAINS, HAS_ASPECT, IMPLIES, PARTICIPATES = (
    ExportEdge(kind=kind, type=kind.value)
    for kind in (EdgeKind.CONTAINS, EdgeKind.HAS_ASPECT, EdgeKind.IMPLIES, EdgeKind.PARTICIPATES)
)


def export_of(graph: Graph, repository: str) -> Export:
    """Export a graph as declared, without package sizes and drift."""
    return _Exporter(graph, repository).export()


def with_budgets(export: Export, graph: Graph) -> Export:
    """Add the package size and budget state of each node."""
    assembler, tokenizer = Assembler(graph), graph.budget.tokenizer

    def with_size(vertex: Vertex) -> Vertex:
        is_own = vertex.kind is NODE and vertex.repository == export.repository
        node = graph.nodes.get(vertex.path) if is_own else None
        if node is None:
            return vertex
        try:
            package = assembler.package(node)
            tokens, status = package.tokens, package.status
        except UnreadableError:  # rule E021 reports the unreadable text
            return vertex
        return replace(vertex, tokens=tokens, tokenizer=tokenizer, budget=status)

    return updated(export, with_size)


def with_drift(export: Export, drifts: Iterable[NodeDrift]) -> Export:
    """Add the drift state of each node, and the highest class of its changed sources."""
    found = {drift.node: drift for drift in drifts}

    def with_state(vertex: Vertex) -> Vertex:
        if vertex.kind is not NODE or vertex.repository != export.repository:
            return vertex
        drift = found.get(vertex.path)
        if drift is None:
            return replace(vertex, drift="", change="")
        return replace(vertex, drift=drift.state.value, change=drift.worst or "")

    return updated(export, with_state)


def with_code(export: Export, imports: NodeImports) -> Export:
    """Mark the relations that imports back, and add the imports without a relation."""
    found = {vertex.path: vertex for vertex in own_vertices(export) if vertex.kind is NODE}
    nodes = {vertex.id: path for path, vertex in found.items()}
    edges = [_with_backing(edge, nodes, imports) for edge in export.edges]
    for pair in imports.undeclared:
        if pair.source in found and pair.target in found:
            source, target = found[pair.source], found[pair.target]
            name = f"{source.id} {IMPORT.type} {target.id}"
            edges.append(between(source, target, replace(IMPORT, id=name)))
    return linked(export, edges)


IMPORT = ExportEdge(kind=EdgeKind.IMPORT, type="imports", code=Backing.UNDECLARED)


def _with_backing(edge: ExportEdge, nodes: Mapping[str, str], imports: NodeImports) -> ExportEdge:
    if edge.kind not in (EdgeKind.RELATION, EdgeKind.EVENT) or edge.target not in nodes:
        return edge
    is_backed = imports.backing(nodes[edge.source], nodes[edge.target]) > 0
    return replace(edge, code=Backing.IMPORTED if is_backed else Backing.NOT_IMPORTED)


class _Exporter:
    """Builder of the export of one graph."""

    def __init__(self, graph: Graph, repository: str) -> None:
        used = sorted({node.type.text for node in graph.nodes})
        self._graph = graph
        self._repository = repository
        self._builder = ExportBuilder(repository, dict.fromkeys((*graph.config.node_types, *used)))
        self._tagged = _by_tag(graph)

    def export(self) -> Export:
        """Add every declaration as unreadable first, then replace the valid ones."""
        graph = self._graph
        for kind, declared in ((NODE, graph.nodes), (ASPECT, graph.aspects), (FLOW, graph.flows)):
            for path in declared.all:
                self._builder.add(replace(self._at(kind, path), presence=Presence.UNREADABLE))
        for path in graph.nodes.all:
            self._contain(path)
        for node in graph.nodes:
            self._node(node)
        for aspect in graph.aspects:
            self._aspect(aspect)
        for flow in graph.flows:
            self._flow(flow)
        return self._builder.finished()

    def _contain(self, path: str) -> None:
        """Connect a node to its nearest ancestor."""
        declared = self._graph.nodes.all
        parent = next((above for above in reversed(paths.lineage(path)) if above in declared), None)
        if parent is not None:
            self._builder.link(self._at(NODE, parent), self._at(NODE, path), CONTAINS)

    def _node(self, node: Node) -> None:
        vertex = replace(
            self._at(NODE, node.path),
            name=node.name,
            type=node.type.text,
            presence=Presence.PRESENT,
            description=node.description,
            blackbox=node.is_blackbox,
            aspects=tuple(found.aspect.id for found in effective_aspects(self._graph, node)),
            mapping=tuple(word.text for word in node.mapping),
            excluded=tuple(word.text for word in node.excluded),
        )
        self._builder.add(vertex)
        for relation in node.relations:
            self._builder.link(vertex, self._at(NODE, relation.target.text), _relation(relation))
        for external in externals(self._graph, node):
            self._builder.link(vertex, self._external(external), _relation(external.relation))
        for use in node.aspects:
            edge = replace(HAS_ASPECT, exceptions=use.exceptions)
            for aspect in self._tagged.get(use.aspect.text, (use.aspect.text,)):
                self._builder.link(vertex, self._at(ASPECT, aspect), edge)

    def _external(self, external: External) -> Vertex:
        """Return the vertex of a node of another repository, under the name it has there."""
        repository, path = place_of(self._graph, external.target)
        vertex = self._builder.vertex(NODE, path, repository)
        if external.node is None or vertex.repository == self._repository:
            return vertex
        vertex = replace(
            vertex,
            name=external.node.name,
            type=external.node.type,
            presence=Presence.PRESENT,
            description=external.node.summary,
        )
        self._builder.add(vertex)
        return vertex

    def _aspect(self, aspect: Aspect) -> None:
        vertex = replace(
            self._at(ASPECT, aspect.id),
            name=aspect.name,
            presence=Presence.PRESENT,
            description=aspect.description,
            stability=aspect.stability.value if aspect.stability else "",
        )
        self._builder.add(vertex)
        for word in aspect.implies:
            self._builder.link(vertex, self._at(ASPECT, word.text), IMPLIES)

    def _flow(self, flow: Flow) -> None:
        vertex = replace(
            self._at(FLOW, flow.id),
            name=flow.name,
            presence=Presence.PRESENT,
            description=flow.description,
        )
        self._builder.add(vertex)
        for path in sorted(flow.participants):
            self._builder.link(self._at(NODE, path), vertex, PARTICIPATES)
        for aspect in flow.aspect_ids:
            self._builder.link(vertex, self._at(ASPECT, aspect), HAS_ASPECT)

    def _at(self, kind: VertexKind, path: str) -> Vertex:
        return self._builder.vertex(kind, path)


def _relation(relation: Relation) -> ExportEdge:
    return ExportEdge(
        kind=EdgeKind.RELATION if relation.kind.is_structural else EdgeKind.EVENT,
        type=str(relation.kind),
        consumes=relation.consumes,
        failure=relation.failure,
        event=relation.event_name,
    )


def _by_tag(graph: Graph) -> dict[str, tuple[str, ...]]:
    """Return the aspect ids by the name that nodes use: the id or, in 0.x, the tag."""
    found: dict[str, tuple[str, ...]] = {}
    for aspect in graph.aspects:
        name = aspect.tag or aspect.id
        found[name] = (*found.get(name, ()), aspect.id)
    return found
