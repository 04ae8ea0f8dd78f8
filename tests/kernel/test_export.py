"""Exports: names that are unique everywhere, and edges that have both their ends."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from yg.kernel.export import (
    EdgeKind,
    Export,
    ExportBuilder,
    ExportEdge,
    Presence,
    Vertex,
    VertexKind,
    identity,
    updated,
)

NODE, ASPECT = VertexKind.NODE, VertexKind.ASPECT
USES = ExportEdge(kind=EdgeKind.RELATION, type="uses")


def test_an_id_shows_repository_kind_and_path() -> None:
    assert identity("shop", NODE, "orders/order-service") == "shop:node:orders/order-service"


def test_an_id_has_two_colons_no_white_space_and_nothing_unprintable() -> None:
    assert (
        identity("My: shop", ASPECT, "a b\n%ü\u2028") == "My%3A%20shop:aspect:a%20b%0A%25ü%E2%80%A8"
    )


names = st.tuples(st.text(max_size=5), st.sampled_from(list(VertexKind)), st.text(max_size=5))


@given(names, names)
def test_different_things_have_different_ids(
    one: tuple[str, VertexKind, str], other: tuple[str, VertexKind, str]
) -> None:
    ids = [identity(*item) for item in (one, other)]
    assert (ids[0] == ids[1]) == (one == other)
    assert all(item.count(":") == 2 and item.isprintable() and " " not in item for item in ids)


def test_what_is_named_but_never_added_is_missing() -> None:
    builder = ExportBuilder("r", ["service"])
    a = replace(builder.vertex(NODE, "a"), name="A", type="service", presence=Presence.PRESENT)
    builder.add(a)
    builder.link(a, builder.vertex(NODE, "b"), replace(USES, consumes=("x",)))
    assert builder.finished() == Export(
        repository="r",
        types=("service",),
        vertices=(
            a,
            Vertex(
                id="r:node:b",
                repository="r",
                kind=NODE,
                path="b",
                name="b",
                presence=Presence.MISSING,
            ),
        ),
        edges=(
            ExportEdge(
                id="r:node:a uses r:node:b",
                source="r:node:a",
                target="r:node:b",
                kind=EdgeKind.RELATION,
                type="uses",
                repository="r",
                target_repository="r",
                consumes=("x",),
            ),
        ),
    )


def test_edges_that_say_the_same_of_the_same_ends_get_numbers() -> None:
    builder = ExportBuilder("r", ())
    a, b = builder.vertex(NODE, "a"), builder.vertex(NODE, "b")
    for event in ("", "Paid", "Shipped"):
        builder.link(a, b, ExportEdge(kind=EdgeKind.EVENT, type="listens", event=event))
    assert [(edge.id, edge.event) for edge in builder.finished().edges] == [
        ("r:node:a listens r:node:b", ""),
        ("r:node:a listens r:node:b 2", "Paid"),
        ("r:node:a listens r:node:b 3", "Shipped"),
    ]


def test_vertices_come_by_kind_and_path() -> None:
    builder = ExportBuilder("r", ())
    for kind, path in (
        (VertexKind.FLOW, "a"),
        (ASPECT, "b"),
        (NODE, "z"),
        (NODE, "a/b"),
        (NODE, "a"),
    ):
        builder.vertex(kind, path)
    found = [vertex.id for vertex in builder.finished().vertices]
    assert found == ["r:node:a", "r:node:a/b", "r:node:z", "r:aspect:b", "r:flow:a"]


def test_an_update_changes_every_vertex() -> None:
    builder = ExportBuilder("r", ())
    builder.vertex(NODE, "a")
    changed = updated(builder.finished(), lambda value: replace(value, tokens=7))
    assert [vertex.tokens for vertex in changed.vertices] == [7]
