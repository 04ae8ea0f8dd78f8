"""What lies around a node: relations both ways, parents and children, and what belongs to them."""

from __future__ import annotations

import pytest

from yg.kernel.export import EdgeKind, Export, ExportBuilder, ExportEdge, VertexKind, neighbourhood

NODE, ASPECT, FLOW = VertexKind.NODE, VertexKind.ASPECT, VertexKind.FLOW
HAS, IN, IMPLIES = EdgeKind.HAS_ASPECT, EdgeKind.PARTICIPATES, EdgeKind.IMPLIES


def drawn(*edges: tuple[str, EdgeKind, str]) -> Export:
    """Make an export of edges; aspects begin with A, flows with F."""
    builder = ExportBuilder("r", ())
    kinds = {"A": ASPECT, "F": FLOW}
    for source, kind, target in edges:
        tail, head = (builder.vertex(kinds.get(item[0], NODE), item) for item in (source, target))
        builder.link(tail, head, ExportEdge(kind=kind, type=kind.value))
    return builder.finished()


GRAPH = drawn(
    ("p", EdgeKind.CONTAINS, "p/a"),
    ("p", EdgeKind.CONTAINS, "p/b"),
    ("q", EdgeKind.CONTAINS, "q/c"),
    ("p/a", EdgeKind.RELATION, "q/c"),
    ("q/c", EdgeKind.RELATION, "d"),
    ("e", EdgeKind.EVENT, "p/a"),
    ("p/a", HAS, "A1"),
    ("A1", IMPLIES, "A2"),
    ("d", HAS, "A1"),
    ("p/a", IN, "F1"),
    ("d", IN, "F1"),
    ("F1", HAS, "A3"),
    ("d", HAS, "A4"),
)


@pytest.mark.parametrize(
    ("start", "depth", "expected"),
    [
        ("p/a", 0, ["p", "p/a", "A1", "A2", "A3", "F1"]),
        ("p/a", 1, ["e", "p", "p/a", "q", "q/c", "A1", "A2", "A3", "F1"]),
        (
            "p/a",
            2,
            ["d", "e", "p", "p/a", "p/b", "q", "q/c", "A1", "A2", "A3", "A4", "F1"],
        ),
        ("e", 1, ["e", "p", "p/a", "A1", "A2", "A3", "F1"]),
        ("q", 1, ["q", "q/c"]),
    ],
)
def test_steps_lead_along_relations_and_the_hierarchy(
    start: str, depth: int, expected: list[str]
) -> None:
    found = neighbourhood(GRAPH, f"r:node:{start}", depth)
    assert [vertex.path for vertex in found.vertices] == expected


def test_every_edge_between_what_is_kept_is_kept() -> None:
    found = neighbourhood(GRAPH, "r:node:q", 1)
    assert [edge.id for edge in found.edges] == ["r:node:q contains r:node:q/c"]


def test_enough_steps_reach_everything_that_hangs_together() -> None:
    assert neighbourhood(GRAPH, "r:node:e", 10**9) == GRAPH


def test_a_long_chain_is_not_a_problem() -> None:
    edges = [(f"n{at:05}", EdgeKind.RELATION, f"n{at + 1:05}") for at in range(3_000)]
    assert len(neighbourhood(drawn(*edges), "r:node:n00000", 2_000).vertices) == 2_001
