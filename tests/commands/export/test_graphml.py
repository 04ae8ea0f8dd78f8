"""Exports as GraphML, parsed with networkx."""

from __future__ import annotations

import json
from typing import Any

import networkx as nx
from hypothesis import given, settings

from commands.export.exports import all_hostile, hostile_exports, small
from yg.commands.export.tables import cell, export_graphml
from yg.kernel.export import Export, ExportEdge, Vertex
from yg.text.escapes import xml_storable


def test_networkx_reads_nodes_and_edges_with_all_they_have() -> None:
    graph = nx.parse_graphml(export_graphml(small()))
    assert graph.is_directed()
    assert graph.nodes["shop:node:top/a"] == {
        "label": "A <1>",
        "repository": "shop",
        "kind": "node",
        "path": "top/a",
        "name": "A <1>",
        "type": "service",
        "presence": "present",
        "blackbox": False,
        "mapping": '["src/a", "src/b, c"]',
        "excluded": '["*.test.ts", "src/a/old/"]',
        "tokens": 12_000,
        "budget": "warning",
        "drift": "source-drift",
    }
    assert graph.edges["shop:node:top/a", "shop:node:box"] == {
        "id": "shop:node:top/a uses shop:node:box",
        "label": "uses",
        "kind": "relation",
        "type": "uses",
        "consumes": '["go"]',
        "failure": "wait",
    }


def test_two_edges_between_the_same_nodes_stay_two() -> None:
    graph = nx.parse_graphml(export_graphml(all_hostile()))
    assert graph.is_multigraph()
    assert graph.number_of_edges() == len(all_hostile().edges)


@settings(deadline=None)
@given(hostile_exports())
def test_every_text_comes_back_as_it_went_in(export: Export) -> None:
    graph = nx.parse_graphml(export_graphml(export), force_multigraph=True)
    assert dict(graph.nodes(data=True)) == {
        vertex.id: {"label": xml_storable(vertex.name), **facts(vertex)}
        for vertex in export.vertices
    }
    assert {key: data for _, _, key, data in graph.edges(keys=True, data=True)} == {
        edge.id: {"label": xml_storable(edge.type), **facts(edge)} for edge in export.edges
    }


def facts(thing: Vertex | ExportEdge) -> dict[str, Any]:
    """Return the expected attributes: lists as JSON, empty ones omitted."""
    elsewhere = {"id", "source", "target"}
    if isinstance(thing, ExportEdge):
        elsewhere |= {"repository", "target_repository"}  # its ends have them
    names = [name for name in type(thing).__struct_fields__ if name not in elsewhere]
    values = {name: getattr(thing, name) for name in names}
    return {
        name: value if isinstance(value, (bool, int)) else xml_storable(cell(value))
        for name, value in values.items()
        if value not in ("", (), None)
    }


def test_lists_are_json() -> None:
    graph = nx.parse_graphml(export_graphml(small()))
    mapping = graph.nodes["shop:node:top/a"]["mapping"]
    assert json.loads(mapping) == ["src/a", "src/b, c"]
