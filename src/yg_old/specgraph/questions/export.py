"""A Spec Graph as an Export: its nodes, and links of seven kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.export import EdgeKind, ExportBuilder, ExportEdge, Presence, VertexKind, updated
from yg_old.specgraph.context.sizes import Sizes
from yg_old.specgraph.model import TYPES, LinkKind

if TYPE_CHECKING:
    from yg_old.kernel.export import Export, Vertex
    from yg_old.specgraph.graph import SpecGraph
    from yg_old.specgraph.model import SpecNode

NODE = VertexKind.NODE


def export_of(graph: SpecGraph, repository: str) -> Export:
    """Export a graph as it is declared."""
    used = sorted({node.type for node in graph.nodes.values()})
    builder = ExportBuilder(repository, dict.fromkeys((*TYPES, *used)))
    for node_id in graph.references:
        node, vertex = graph.get(node_id), builder.vertex(NODE, node_id)
        described = _described(vertex, node) if node else _unreadable(vertex)
        builder.add(described)
    for node in graph.nodes.values():
        _link(builder, node)
    return builder.finished()


def _described(vertex: Vertex, node: SpecNode) -> Vertex:
    return replace(
        vertex,
        name=node.title or node.id,
        type=node.type,
        presence=Presence.PRESENT,
        description=node.text,
        category=node.category,
        severity=node.severity,
    )


def _unreadable(vertex: Vertex) -> Vertex:
    return replace(vertex, presence=Presence.UNREADABLE)


def _link(builder: ExportBuilder, node: SpecNode) -> None:
    for kind in LinkKind:
        is_inside = kind is LinkKind.CONTAINS
        edge = ExportEdge(
            kind=EdgeKind.CONTAINS if is_inside else EdgeKind.RELATION, type=kind.value
        )
        for target in node.targets(kind):
            builder.link(builder.vertex(NODE, node.id), builder.vertex(NODE, target), edge)


def with_budgets(export: Export, graph: SpecGraph) -> Export:
    """Add the budget state of each context; exact sizes of large ones would cost too much."""
    sizes = Sizes(graph, graph.budget.error)

    def judged(vertex: Vertex) -> Vertex:
        node = graph.get(vertex.path)
        if node is None:
            return vertex
        return replace(
            vertex, tokenizer=graph.budget.tokenizer, budget=graph.budget.status(sizes.tokens(node))
        )

    return updated(export, judged)
