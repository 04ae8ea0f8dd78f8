"""A Yggdrasil graph as an export: everything that is declared, and what is wrong with it."""

from __future__ import annotations

from support import NODE, graph_from
from yg.kernel.export import EdgeKind, Export, Presence, Vertex, VertexKind
from yg.kernel.snapshot import DictSnapshot
from yg.yggdrasil.drift.states import NodeDrift, State
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.questions.export import export_of, with_budgets, with_drift
from yg.yggdrasil.read import v0 as read_v0

SMALL = {
    "model/a/yg-node.yaml": """\
name: A
type: module
aspects: [{aspect: x, exceptions: ["Not on Sundays"]}]
""",
    "model/a/deep/down/yg-node.yaml": """\
name: Down
type: service
relations:
  - {target: b, type: calls, consumes: [go, stop], failure: wait}
  - {target: b, type: emits, event_name: Done}
mapping: {paths: [src/down], exclude: ["*.test.ts"]}
""",
    "model/b/yg-node.yaml": "name: B\ntype: service\nblackbox: true\n",
    "aspects/x/yg-aspect.yaml": "name: X\ndescription: Why\nimplies: [y]\nstability: schema\n",
    "aspects/y/yg-aspect.yaml": "name: Y\n",
    "flows/f/yg-flow.yaml": "name: F\nnodes: [b, a/deep/down]\naspects: [y]\n",
}


def exported(graph: Graph) -> Export:
    return export_of(graph, "r")


def lines(export: Export) -> list[str]:
    """Write every edge on a line, ids without the repository."""
    return [edge.id.replace("r:", "") for edge in export.edges]


def test_everything_declared_is_in_the_export() -> None:
    export = exported(graph_from(SMALL))
    assert (export.repository, export.types) == ("r", ("module", "service"))
    assert export.vertices == (
        Vertex(
            id="r:node:a",
            repository="r",
            kind=VertexKind.NODE,
            path="a",
            name="A",
            type="module",
            aspects=("x", "y"),
        ),
        Vertex(
            id="r:node:a/deep/down",
            repository="r",
            kind=VertexKind.NODE,
            path="a/deep/down",
            name="Down",
            type="service",
            aspects=("x", "y"),
            mapping=("src/down",),
            excluded=("*.test.ts",),
        ),
        Vertex(
            id="r:node:b",
            repository="r",
            kind=VertexKind.NODE,
            path="b",
            name="B",
            type="service",
            blackbox=True,
            aspects=("y",),
        ),
        Vertex(
            id="r:aspect:x",
            repository="r",
            kind=VertexKind.ASPECT,
            path="x",
            name="X",
            description="Why",
            stability="schema",
        ),
        Vertex(id="r:aspect:y", repository="r", kind=VertexKind.ASPECT, path="y", name="Y"),
        Vertex(id="r:flow:f", repository="r", kind=VertexKind.FLOW, path="f", name="F"),
    )
    assert lines(export) == [
        "aspect:x implies aspect:y",
        "flow:f has-aspect aspect:y",
        "node:a contains node:a/deep/down",
        "node:a has-aspect aspect:x",
        "node:a/deep/down calls node:b",
        "node:a/deep/down emits node:b",
        "node:a/deep/down participates flow:f",
        "node:b participates flow:f",
    ]


def test_edges_carry_what_their_authors_said() -> None:
    edges = {edge.type: edge for edge in exported(graph_from(SMALL)).edges}
    call, event = edges["calls"], edges["emits"]
    assert (call.kind, call.consumes, call.failure) == (
        EdgeKind.RELATION,
        ("go", "stop"),
        "wait",
    )
    assert (event.kind, event.event) == (EdgeKind.EVENT, "Done")
    found = exported(graph_from(SMALL)).edges
    assert [entry.exceptions for entry in found if entry.source == "r:node:a"] == [
        (),
        ("Not on Sundays",),
    ]


def test_the_root_node_contains_what_nothing_else_does() -> None:
    export = exported(graph_from({"model/yg-node.yaml": NODE, **SMALL}))
    assert [line for line in lines(export) if "contains" in line] == [
        "node:. contains node:a",
        "node:. contains node:b",
        "node:a contains node:a/deep/down",
    ]


def test_what_cannot_be_read_or_does_not_exist_is_marked() -> None:
    export = exported(
        graph_from(
            {
                "model/a/yg-node.yaml": """\
name: A
type: service
aspects: [{aspect: nowhere}, {aspect: bad}]
relations: [{target: b, type: uses}, {target: gone, type: uses}]
""",
                "model/b/yg-node.yaml": "name: 1\n",
                "aspects/bad/yg-aspect.yaml": "name: [\n",
                "flows/f/yg-flow.yaml": "nodes: 3\n",
            }
        )
    )
    assert {vertex.id: vertex.presence for vertex in export.vertices} == {
        "r:node:a": Presence.PRESENT,
        "r:node:b": Presence.UNREADABLE,
        "r:node:gone": Presence.MISSING,
        "r:aspect:bad": Presence.UNREADABLE,
        "r:aspect:nowhere": Presence.MISSING,
        "r:flow:f": Presence.UNREADABLE,
    }


def test_types_that_the_configuration_does_not_know_come_last() -> None:
    export = exported(graph_from({"model/a/yg-node.yaml": "name: A\ntype: alien\n"}))
    assert export.types == ("module", "service", "alien")


def test_tags_of_the_0x_edition_lead_to_the_aspects_that_answer_to_them() -> None:
    snapshot = DictSnapshot(
        {
            "yggdrasil/config.yaml": "name: old\n",
            "yggdrasil/a/node.yaml": """\
name: A
type: anything
tags: [audited, unheard-of]
relations: [{target: b, type: depends heavily on}]
""",
            "yggdrasil/b/node.yaml": "name: B\ntype: other\n",
            "yggdrasil/aspects/audit.yaml": "name: Audit\ntag: audited\n",
        }
    )
    export = export_of(read_v0.read(snapshot), "r")
    assert lines(export) == [
        "node:a depends%20heavily%20on node:b",
        "node:a has-aspect aspect:audit.yaml",
        "node:a has-aspect aspect:unheard-of",
    ]
    assert export.types == ("anything", "other")


def test_budgets_tell_the_size_of_each_package() -> None:
    graph = graph_from(
        {
            **SMALL,
            "model/b/responsibility.md": "x" * 41_000,  # of a blackbox, which has no limit
            "model/d/yg-node.yaml": NODE,
            "model/d/responsibility.md": "x" * 41_000,
            "model/c/yg-node.yaml": NODE,
            "model/c/responsibility.md": b"\xff",
        }
    )
    sized = with_budgets(exported(graph), graph)
    found = {vertex.id: (vertex.tokens, vertex.budget) for vertex in sized.vertices}
    assert found["r:node:c"] == (None, "")  # a text that cannot be read has no size
    assert found["r:aspect:x"] == (None, "")
    assert found["r:node:b"][1] == "ok"
    assert found["r:node:d"][1] == "warning"
    assert found["r:node:a"][1] == "ok"


def test_drift_is_exported_for_nodes_that_have_a_state() -> None:
    drifts = [NodeDrift(node="a/deep/down", state=State.FULL)]
    told = with_drift(exported(graph_from(SMALL)), drifts)
    assert [vertex.drift for vertex in told.vertices] == ["", "full-drift", "", "", "", ""]
