"""Walks over a graph: upwards, through flows, and through what aspects imply."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import NODE, graph_from
from yg.yggdrasil.resolve import (
    ancestors,
    artifact_names,
    effective_aspects,
    expanded,
    expansion,
    flows_of,
    offered_names,
    subjects_of,
)

USE = "name: N\ntype: service\naspects: [{{aspect: {}}}]\n"


def implying(**implies: str) -> dict[str, str]:
    """Write aspects, each with the ids that it implies."""
    return {
        f"aspects/{name}/yg-aspect.yaml": f"name: {name.upper()}\nimplies: [{', '.join(ids)}]\n"
        for name, ids in implies.items()
    }


def reasons(files: dict[str, str], path: str) -> dict[str, tuple[str, ...]]:
    graph = graph_from(files)
    return {
        effective.aspect.id: tuple(map(str, effective.reasons))
        for effective in effective_aspects(graph, graph.nodes[path])
    }


# Upwards.


def test_ancestors_come_from_the_root_down() -> None:
    paths = (".", "a", "a/b", "a/b/c", "ab")
    graph = graph_from({f"model/{path}/yg-node.yaml".replace("/./", "/"): NODE for path in paths})
    assert {path: [node.path for node in ancestors(graph, path)] for path in paths} == {
        ".": [],
        "a": ["."],
        "a/b": [".", "a"],
        "a/b/c": [".", "a", "a/b"],
        "ab": ["."],
    }


# Artifacts.


def test_artifacts_come_in_the_order_of_the_configuration() -> None:
    config = (
        "name: x\nnode_types: {service: {description: S}}\n"
        "artifacts: {z.md: {}, a.md: {included_in_relations: true}, m.md: {}}\n"
    )
    graph = graph_from(
        {
            "yg-config.yaml": config,
            "model/a/yg-node.yaml": NODE,
            **{f"model/a/{name}.md": "x" for name in "amxz"},
            "model/b/yg-node.yaml": NODE,
            "model/b/m.md": "x",
            "model/b/z.md": "x",
        }
    )
    a, b = graph.nodes.values()
    assert artifact_names(graph, a) == ("z.md", "a.md", "m.md")
    assert (offered_names(graph, a), offered_names(graph, b)) == (("a.md",), ("z.md", "m.md"))


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
            **{f"model/{node}/yg-node.yaml": NODE for node in ("a", "a/b", "a/b/c", "ab")},
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
                f"flows/{flow}/yg-flow.yaml": f"name: {name}\nnodes: [{'a/b' if at % 2 else 'a'}]\n"
                for at, (flow, name) in enumerate(names.items())
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
    assert "".join(expanded(graph, tuple(ids))) == found


@pytest.mark.parametrize(
    ("implies", "found"),
    [
        ({"a": "a"}, "a"),
        ({"a": "b", "b": "a"}, "ab"),
        ({"a": "bc", "b": "ca", "c": "ab"}, "abc"),
        ({"a": "bx", "b": "x"}, "ab"),
    ],
)
def test_cycles_end_and_missing_ids_are_left_out(implies: dict[str, str], found: str) -> None:
    assert "".join(expanded(graph_from(implying(**implies)), ("a",))) == found


def test_a_bad_aspect_is_left_out_with_what_it_implies() -> None:
    files = {**implying(a="bc", c="d", d=""), "aspects/b/yg-aspect.yaml": "implies: [d]\n"}
    assert expanded(graph_from(files), ("a",)) == ("a", "c", "d")


def test_an_expansion_shows_every_implication_once() -> None:
    graph = graph_from(implying(a="bc", b="c", c="b"))
    assert list(expansion(graph, ("a", "c"))) == [
        ("a", ""),
        ("b", "a"),
        ("c", "b"),
        ("b", "c"),
        ("c", "a"),
        ("c", ""),
    ]


def test_a_chain_of_implications_may_be_long() -> None:
    length = 2_000
    files = {
        f"aspects/a{at}/yg-aspect.yaml": f"name: A\nimplies: [a{at + 1}]\n" for at in range(length)
    }
    assert expanded(graph_from(files), ("a0",)) == tuple(f"a{at}" for at in range(length))


IDS = "abcdef"
IMPLICATIONS = st.fixed_dictionaries({name: st.text(IDS, max_size=3) for name in IDS})


def depth_first(implies: dict[str, str], ids: str, found: list[str]) -> list[str]:
    for name in ids:
        if name not in found:
            found.append(name)
            depth_first(implies, implies[name], found)
    return found


@given(IMPLICATIONS, st.text(IDS, max_size=3))
def test_an_expansion_is_the_plain_walk_depth_first(implies: dict[str, str], ids: str) -> None:
    found = expanded(graph_from(implying(**implies)), tuple(ids))
    assert list(found) == depth_first(implies, ids, [])


# What applies to a node.


def test_effective_aspects_know_every_declaration_that_applies_them() -> None:
    files = {
        "model/yg-node.yaml": USE.format("a"),
        "model/m/yg-node.yaml": USE.format("b"),
        "model/m/n/yg-node.yaml": USE.format("c"),
        "model/m/n/below/yg-node.yaml": USE.format("e"),
        "flows/g/yg-flow.yaml": "name: G\nnodes: [m]\naspects: [d, c]\n",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [m/n]\naspects: [a]\n",
        "flows/h/yg-flow.yaml": "name: H\nnodes: [other]\naspects: [e]\n",
        **implying(a="c", b="a", c="", d="c", e=""),
    }
    found = reasons(files, "m/n")
    assert found == {
        "a": ("hierarchy from .", "implied by b", "flow f"),
        "c": ("implied by a", "own", "implied by d", "flow g"),
        "b": ("hierarchy from m",),
        "d": ("flow g",),
    }
    assert list(found) == ["a", "c", "b", "d"]


def test_a_node_may_name_an_aspect_twice_or_one_that_does_not_exist() -> None:
    uses = f"{NODE}aspects: [{{aspect: b}}, {{aspect: x}}, {{aspect: a}}, {{aspect: b}}]\n"
    files = {"model/n/yg-node.yaml": uses, **implying(a="b", b="")}
    assert reasons(files, "n") == {"b": ("own", "implied by a"), "a": ("own",)}


def test_a_package_is_touched_by_what_it_is_made_of() -> None:
    files = {
        "model/yg-node.yaml": NODE,
        "model/a/yg-node.yaml": USE.format("x"),
        "model/a/b/yg-node.yaml": f"{NODE}relations: [{{target: t/u, type: listens}}]\n",
        "model/t/u/yg-node.yaml": USE.format("not-this"),
        "model/other/yg-node.yaml": NODE,
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\naspects: [z]\n",
        "flows/g/yg-flow.yaml": "name: G\nnodes: [other]\n",
        "flows/bad/yg-flow.yaml": "name: [\n",
        **implying(x="y", y="k"),
    }
    assert sorted(subjects_of(graph_from(files), "a/b")) == [
        *(".", "a", "a/b"),
        *("aspects/k", "aspects/x", "aspects/y", "aspects/z"),
        *("flows/bad", "flows/f", "t/u", "yg-config.yaml"),
    ]
