"""Nesting in drawings: every vertex is drawn once, even if containers form cycles."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from yg.commands.export.drawing import Part, nested
from yg.kernel.export import EdgeKind, Export, ExportBuilder, ExportEdge, VertexKind

CONTAINS = ExportEdge(kind=EdgeKind.CONTAINS, type="contains")


def contained(*pairs: tuple[str, str]) -> Export:
    builder = ExportBuilder("r", ())
    for pair in pairs:
        outer, inner = (builder.vertex(VertexKind.NODE, path) for path in pair)
        builder.link(outer, inner, CONTAINS)
    return builder.finished()


def outline(export: Export) -> str:
    """Write the steps as text: frames as brackets, boxes as paths."""
    signs = {Part.FRAME: "{}[", Part.BOX: "{} ", Part.END: "] "}
    steps = nested(export).steps
    return "".join(signs[step.part].format(step.vertex.path) for step in steps).strip()


def left(export: Export) -> list[str]:
    return [edge.id.replace("r:node:", "") for edge in nested(export).edges]


def test_a_tree_is_frames_within_frames() -> None:
    export = contained(("a", "b"), ("a", "c"), ("c", "d"))
    assert (outline(export), left(export)) == ("a[b c[d ] ]", [])


def test_a_member_of_two_groups_is_in_the_first_and_drawn_to_the_other() -> None:
    export = contained(("a", "m"), ("b", "m"), ("b", "n"))
    assert (outline(export), left(export)) == ("a[m ] b[b n ]", ["b contains m"])


def test_groups_that_contain_one_another_are_not_endless() -> None:
    export = contained(("a", "b"), ("b", "a"), ("c", "c"))
    assert (outline(export), left(export)) == ("a[a b ] c", ["b contains a", "c contains c"])


def test_a_long_chain_is_indented_only_so_far() -> None:
    chain = [f"{at:05}" for at in range(2_000)]
    steps = nested(contained(*pairwise(chain))).steps
    assert max(len(step.indentation) for step in steps) == 40


names = st.sampled_from("abcdef")


@given(st.lists(st.tuples(names, names), min_size=1))
def test_every_vertex_is_shown(pairs: list[tuple[str, str]]) -> None:
    export = contained(*pairs)
    picture = nested(export)
    shown = [step.vertex for step in picture.steps]
    assert set(shown) == set(export.vertices)
    boxes = [step.vertex for step in picture.steps if step.part is Part.BOX]
    assert len(boxes) == len(set(boxes))
    joined = {end for edge in picture.edges for end in (edge.source, edge.target)}
    assert joined <= {vertex.id for vertex in boxes}
