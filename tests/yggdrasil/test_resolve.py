"""The walks over a graph: upwards, through flows, and through what aspects imply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.yggdrasil.graph import Graph, Implied
from yg.yggdrasil.resolve import (
    ancestors,
    effective_aspects,
    expanded,
    expansion,
    flows_of,
)


def implying(**implies: str) -> dict[str, str]:
    """Write aspects, each with the ids that it implies."""
    return {
        f"aspects/{each}/yg-aspect.yaml": f"name: {each.upper()}\nimplies: [{', '.join(ids)}]\n"
        for each, ids in implies.items()
    }


def reasons(graph: Graph, path: str) -> dict[str, tuple[str, ...]]:
    node = graph.nodes.get(path)
    assert node is not None
    return {
        aspect.aspect.id: tuple(map(str, aspect.reasons))
        for aspect in effective_aspects(graph, node)
    }


# Upwards.


def test_ancestors_come_from_the_root_down() -> None:
    graph = graph_from(
        {
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": NODE,
            "model/a/b/c/yg-node.yaml": NODE,
            "model/ab/yg-node.yaml": NODE,
        }
    )
    above = {
        path: [node.path for node in ancestors(graph, path)]
        for path in (".", "a", "a/b", "a/b/c", "ab")
    }
    assert above == {
        ".": [],
        "a": ["."],
        "a/b": [".", "a"],
        "a/b/c": [".", "a", "a/b"],
        "ab": ["."],
    }


def test_directories_that_are_not_nodes_and_bad_nodes_are_not_ancestors() -> None:
    graph = graph_from(
        {
            "model/a/yg-node.yaml": NODE,
            "model/a/bare/bad/yg-node.yaml": "name: 1\n",
            "model/a/bare/bad/c/yg-node.yaml": NODE,
        }
    )
    assert [node.path for node in ancestors(graph, "a/bare/bad/c")] == ["a"]


# Flows.


@pytest.mark.parametrize(
    ("path", "flows"),
    [
        (".", ["all"]),
        ("a", ["all", "of-a"]),
        ("a/b", ["all", "of-a", "of-b"]),
        ("a/b/c", ["all", "of-a", "of-b"]),
        ("ab", ["all"]),
    ],
)
def test_flows_are_those_that_list_a_node_or_one_above_it(path: str, flows: list[str]) -> None:
    graph = graph_from(
        {
            "model/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            "model/a/b/yg-node.yaml": NODE,
            "model/a/b/c/yg-node.yaml": NODE,
            "model/ab/yg-node.yaml": NODE,
            "flows/of-b/yg-flow.yaml": "name: 'A'\nnodes: [a/b, a/b]\n",
            "flows/of-a/yg-flow.yaml": "name: 'B'\nnodes: [a, a/b]\n",
            "flows/all/yg-flow.yaml": "name: 'C'\nnodes: [.]\n",
            "flows/bad/yg-flow.yaml": "name: 1\nnodes: [.]\n",
        }
    )
    assert [flow.id for flow in flows_of(graph, path)] == flows


def test_flows_are_ordered_by_directory_not_by_name_nor_by_who_is_listed() -> None:
    names = {"b": "First", "a/z": "Second", "a-b": "Third", "B": "Fourth", "10": "5th", "9": "6th"}
    graph = graph_from(
        {
            "model/a/b/yg-node.yaml": NODE,
            "model/a/yg-node.yaml": NODE,
            **{
                f"flows/{each}/yg-flow.yaml": f"name: {name}\nnodes: [{'a/b' if at % 2 else 'a'}]\n"
                for at, (each, name) in enumerate(names.items())
            },
        }
    )
    assert [flow.id for flow in flows_of(graph, "a/b")] == ["10", "9", "B", "a-b", "a/z", "b"]


# What aspects imply.


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        ("a", "abdce"),
        ("ea", "eabdc"),
        ("ca", "cedab"),
        ("da", "dabce"),
        ("aa", "abdce"),
        ("", ""),
        ("x", ""),
        ("xe", "e"),
    ],
)
def test_ids_are_expanded_depth_first_each_once(ids: str, found: str) -> None:
    graph = graph_from(implying(a="bc", b="d", c="ed", d="", e=""))
    assert "".join(expanded(graph, ids)) == found


@pytest.mark.parametrize(
    ("implies", "found"),
    [
        ({"a": "a"}, "a"),
        ({"a": "b", "b": "a"}, "ab"),
        ({"a": "bc", "b": "ca", "c": "ab"}, "abc"),
        ({"a": "bx", "b": "x"}, "ab"),
    ],
)
def test_cycles_come_to_an_end_and_missing_ids_are_left_out(
    implies: dict[str, str], found: str
) -> None:
    assert "".join(expanded(graph_from(implying(**implies)), "a")) == found


def test_a_bad_aspect_is_left_out_with_what_it_implies() -> None:
    files = {**implying(a="bc", c="d", d=""), "aspects/b/yg-aspect.yaml": "implies: [d]\n"}
    assert expanded(graph_from(files), "a") == ("a", "c", "d")


def test_an_expansion_shows_every_implication_once() -> None:
    graph = graph_from(implying(a="bc", b="c", c="b"))
    assert list(expansion(graph, "ac")) == [
        Implied("a", ""),
        Implied("b", "a"),
        Implied("c", "b"),
        Implied("b", "c"),
        Implied("c", "a"),
        Implied("c", ""),
    ]


def test_a_chain_of_implications_may_be_long() -> None:
    length = 2_000
    files = {
        f"aspects/a{at}/yg-aspect.yaml": f"name: A\nimplies: [a{at + 1}]\n" for at in range(length)
    }
    assert expanded(graph_from(files), ["a0"]) == tuple(f"a{at}" for at in range(length))


IDS = "abcdef"
IMPLICATIONS = st.fixed_dictionaries({item: st.text(IDS, max_size=3) for item in IDS})


def reached(implies: dict[str, str], ids: str) -> set[str]:
    """Return all that can be reached, found the slow way."""
    found = set(ids)
    while True:
        further = found.union(*(implies[entry] for entry in found))
        if further == found:
            return found
        found = further


@given(IMPLICATIONS, st.text(IDS, max_size=3))
def test_an_expansion_holds_exactly_what_can_be_reached(implies: dict[str, str], ids: str) -> None:
    found = expanded(graph_from(implying(**implies)), ids)
    assert len(found) == len(set(found))
    assert set(found) == reached(implies, ids)


def depth_first(implies: dict[str, str], ids: str, found: list[str]) -> list[str]:
    for item in ids:
        if item not in found:
            found.append(item)
            depth_first(implies, implies[item], found)
    return found


@given(IMPLICATIONS, st.text(IDS, max_size=3))
def test_an_expansion_is_the_plain_walk_depth_first(implies: dict[str, str], ids: str) -> None:
    assert list(expanded(graph_from(implying(**implies)), ids)) == depth_first(implies, ids, [])


# What applies to a node.


def test_effective_aspects_know_every_declaration_that_brought_them() -> None:
    use = "name: N\ntype: service\naspects: [{{aspect: {}}}]\n"
    graph = graph_from(
        {
            "model/yg-node.yaml": use.format("a"),
            "model/m/yg-node.yaml": use.format("b"),
            "model/m/n/yg-node.yaml": use.format("c"),
            "model/m/n/below/yg-node.yaml": use.format("e"),
            "flows/g/yg-flow.yaml": "name: G\nnodes: [m]\naspects: [d, c]\n",
            "flows/f/yg-flow.yaml": "name: F\nnodes: [m/n]\naspects: [a]\n",
            "flows/h/yg-flow.yaml": "name: H\nnodes: [other]\naspects: [e]\n",
            **implying(a="c", b="a", c="", d="c", e=""),
        }
    )
    assert reasons(graph, "m/n") == {
        "a": ("hierarchy from .", "implied by b", "flow f"),
        "c": ("implied by a", "own", "implied by d", "flow g"),
        "b": ("hierarchy from m",),
        "d": ("flow g",),
    }
    assert list(reasons(graph, "m/n")) == ["a", "c", "b", "d"]


def test_aspects_are_not_inherited_from_targets_siblings_or_children() -> None:
    use = "name: N\ntype: service\naspects: [{{aspect: {}}}]\n"
    graph = graph_from(
        {
            "model/a/yg-node.yaml": f"{NODE}relations: [{{target: t, type: uses}}]\n",
            "model/a/b/yg-node.yaml": use.format("a"),
            "model/ab/yg-node.yaml": use.format("b"),
            "model/t/yg-node.yaml": use.format("c"),
            **implying(a="", b="", c=""),
        }
    )
    assert reasons(graph, "a") == {}


def test_a_node_may_name_an_aspect_twice_or_one_that_does_not_exist() -> None:
    uses = f"{NODE}aspects: [{{aspect: b}}, {{aspect: x}}, {{aspect: a}}, {{aspect: b}}]\n"
    graph = graph_from({"model/n/yg-node.yaml": uses, **implying(a="b", b="")})
    assert reasons(graph, "n") == {"b": ("own", "implied by a"), "a": ("own",)}
