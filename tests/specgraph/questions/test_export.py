"""A Spec Graph as an export: typed nodes, links of seven kinds, and what is wrong with them."""

from __future__ import annotations

import json
from typing import Any

from yg.kernel.export import EdgeKind, Export, Presence, Vertex, VertexKind, neighbourhood
from yg.kernel.snapshot import DictSnapshot
from yg.specgraph.graph import SpecGraph
from yg.specgraph.questions.export import export_of, with_budgets
from yg.specgraph.read.reader import read

GROUP: dict[str, Any] = {
    "type": "feature",
    "title": "Group",
    "description": "All of it",
    "links": {"contains": ["B", "D", "GROUP"]},
}
BEHAVIOR: dict[str, Any] = {
    "type": "behavior",
    "title": "Does it",
    "expectation": "It is done at once",
    "verification": "make test",
    "links": {"depends_on": ["D", "GONE"], "verified_by": ["P"]},
}
DECISION: dict[str, Any] = {
    "type": "decision",
    "title": "That way",
    "statement": "It is done that way",
    "category": "stack",
    "verification": ["look"],
    "metadata": {"rationale": "Because."},
}
POLICY: dict[str, Any] = {
    "type": "policy",
    "title": "Always",
    "statement": "It is always done",
    "severity": "hard",
    "verification": ["look"],
    "links": {"constrains": ["B"], "supersedes": ["P"]},
}


def graph_of(**nodes: dict[str, Any] | str) -> SpecGraph:
    """Read a graph of nodes by id; a text is the content of a bad file."""
    index = {
        "specgraphVersion": "1.0.0",
        "nodes": [{"id": node, "path": f"nodes/{node}.json"} for node in nodes],
    }
    files = {
        f"specgraph/nodes/{each}.json": (
            node if isinstance(node, str) else json.dumps({"id": each, **node})
        )
        for each, node in nodes.items()
    }
    return read(DictSnapshot({"specgraph/graph.json": json.dumps(index), **files}))


def lines(export: Export) -> list[str]:
    return [f"{edge.kind}: {edge.id.replace('r:node:', '')}" for edge in export.edges]


GRAPH = graph_of(GROUP=GROUP, B=BEHAVIOR, D=DECISION, P=POLICY, BAD="{")


def test_nodes_have_their_types_and_texts() -> None:
    export = export_of(GRAPH, "r")
    assert {vertex.path: vertex for vertex in export.vertices}["D"] == Vertex(
        id="r:node:D",
        repository="r",
        kind=VertexKind.NODE,
        path="D",
        name="That way",
        type="decision",
        description="It is done that way",
        category="stack",
    )
    assert [
        (vertex.path, vertex.type, vertex.severity, vertex.presence) for vertex in export.vertices
    ] == [
        ("B", "behavior", "", Presence.PRESENT),
        ("BAD", "", "", Presence.UNREADABLE),
        ("D", "decision", "", Presence.PRESENT),
        ("GONE", "", "", Presence.MISSING),
        ("GROUP", "feature", "", Presence.PRESENT),
        ("P", "policy", "hard", Presence.PRESENT),
    ]
    assert export.types[:3] == ("feature", "layer", "behavior")


def test_links_are_edges_of_their_kind() -> None:
    assert lines(export_of(GRAPH, "r")) == [
        f"{EdgeKind.RELATION}: B depends_on D",
        f"{EdgeKind.RELATION}: B depends_on GONE",
        f"{EdgeKind.RELATION}: B verified_by P",
        f"{EdgeKind.CONTAINS}: GROUP contains B",
        f"{EdgeKind.CONTAINS}: GROUP contains D",
        f"{EdgeKind.CONTAINS}: GROUP contains GROUP",
        f"{EdgeKind.RELATION}: P constrains B",
        f"{EdgeKind.RELATION}: P supersedes P",
    ]


def test_a_neighbourhood_is_that_of_any_export() -> None:
    found = neighbourhood(export_of(GRAPH, "r"), "r:node:D", 1)
    assert [vertex.path for vertex in found.vertices] == ["B", "D", "GROUP"]


def test_budgets_tell_which_contexts_are_too_large() -> None:
    graph = graph_of(
        B={**BEHAVIOR, "links": {"depends_on": ["D"]}},
        D={**DECISION, "statement": "word " * 10_000},
        P={**POLICY, "links": {}},
        BAD="{",
    )
    judged = with_budgets(export_of(graph, "r"), graph)
    assert {vertex.path: (vertex.budget, vertex.tokens) for vertex in judged.vertices} == {
        "B": ("warning", None),
        "BAD": ("", None),
        "D": ("warning", None),
        "P": ("ok", None),
    }
