"""The outline of a graph: every node and the directories that lead to nodes, parents first."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import NODE, graph_from
from yg.commands import tree as tree_command
from yg.kernel.palette import PLAIN
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.questions.overview import outline

SHOP = graph_from(
    {
        "model/auth/yg-node.yaml": "name: Auth\ntype: module\n",
        "model/auth/login-service/yg-node.yaml": (
            "name: Login\ntype: service\naspects: [{aspect: requires-auth}]\n"
            "relations: [{target: orders, type: uses}]\n"
        ),
        "model/auth/token-service/yg-node.yaml": "name: Tokens\ntype: service\n",
        "model/orders/yg-node.yaml": "name: Orders\ntype: module\n",
        "model/orders/order-service/yg-node.yaml": (
            "name: Orders\ntype: service\n"
            "aspects: [{aspect: requires-audit}, {aspect: requires-auth}]\n"
            "relations: [{target: auth, type: uses}, {target: payments, type: emits}]\n"
        ),
        "model/payments/yg-node.yaml": "name: Payments\ntype: module\nblackbox: true\n",
        "model/payments/payment-service/yg-node.yaml": (
            "name: Payment\ntype: service\nblackbox: true\n"
        ),
    }
)


def drawn(graph: Graph, root: str = ".", depth: int | None = None) -> str:
    return tree_command.text(tree_command.tree_of(outline(graph, root, depth)), PLAIN)


def shape(graph: Graph, root: str = ".", depth: int | None = None) -> list[tuple[str, int, bool]]:
    return [
        (entry.path, entry.level, entry.is_last) for entry in outline(graph, root, depth).entries
    ]


def test_the_tree_is_drawn_as_the_specification_draws_it() -> None:
    assert (
        drawn(SHOP)
        == """\
model/
├── auth/ [module] -> 0 relations
│   ├── login-service/ [service] aspects:requires-auth -> 1 relations
│   └── token-service/ [service] -> 0 relations
├── orders/ [module] -> 0 relations
│   └── order-service/ [service] aspects:requires-audit,requires-auth -> 2 relations
└── payments/ [module] ■ blackbox -> 0 relations
    └── payment-service/ [service] ■ blackbox -> 0 relations
"""
    )


def test_depth_counts_from_the_root_which_alone_has_depth_zero() -> None:
    assert [drawn(SHOP, depth=0), drawn(SHOP, depth=1)] == [
        "model/\n",
        (
            "model/\n"
            "├── auth/ [module] -> 0 relations\n"
            "├── orders/ [module] -> 0 relations\n"
            "└── payments/ [module] ■ blackbox -> 0 relations\n"
        ),
    ]


def test_any_directory_may_be_the_root() -> None:
    assert [drawn(SHOP, "auth"), drawn(SHOP, "auth", 0)] == [
        (
            "model/auth/ [module] -> 0 relations\n"
            "├── login-service/ [service] aspects:requires-auth -> 1 relations\n"
            "└── token-service/ [service] -> 0 relations\n"
        ),
        "model/auth/ [module] -> 0 relations\n",
    ]


def test_the_root_node_is_described_in_the_first_line() -> None:
    graph = graph_from({"model/yg-node.yaml": NODE, "model/a/yg-node.yaml": NODE})
    assert drawn(graph) == ("model/ [service] -> 0 relations\n└── a/ [service] -> 0 relations\n")


def test_aspects_are_the_declared_ones_not_the_implied_ones() -> None:
    graph = graph_from(
        {
            "model/a/yg-node.yaml": f"{NODE}aspects: [{{aspect: y}}, {{aspect: x}}]\n",
            "aspects/y/yg-aspect.yaml": "name: Y\nimplies: [z]\n",
            "aspects/z/yg-aspect.yaml": "name: Z\n",
        }
    )
    assert drawn(graph) == "model/\n└── a/ [service] aspects:y,x -> 0 relations\n"


def test_directories_are_shown_only_if_they_lead_to_nodes() -> None:
    graph = graph_from(
        {
            "model/bare/barer/a/yg-node.yaml": NODE,
            "model/docs/readme.md": "Leads nowhere.",
            "model/b/yg-node.yaml": NODE,
        }
    )
    assert drawn(graph) == (
        "model/\n"
        "├── b/ [service] -> 0 relations\n"
        "└── bare/\n"
        "    └── barer/\n"
        "        └── a/ [service] -> 0 relations\n"
    )


def test_a_bad_node_keeps_its_place_and_its_children() -> None:
    graph = graph_from(
        {
            "model/a/yg-node.yaml": "name: 1\n",
            "model/a/b/yg-node.yaml": NODE,
            "model/c/yg-node.yaml": NODE,
        }
    )
    entries = outline(graph).entries
    assert [(entry.path, entry.is_bad, entry.node is None) for entry in entries] == [
        (".", False, True),
        ("a", True, True),
        ("a/b", False, False),
        ("c", False, False),
    ]


def test_siblings_are_ordered_by_code_point() -> None:
    names = ["b", "B", "a-b", "a/z", "ä", "10", "9"]
    graph = graph_from({f"model/{name}/yg-node.yaml": NODE for name in names})
    assert shape(graph) == [
        (".", 0, True),
        ("10", 1, False),
        ("9", 1, False),
        ("B", 1, False),
        ("a", 1, False),
        ("a/z", 2, True),
        ("a-b", 1, False),
        ("b", 1, False),
        ("ä", 1, True),
    ]


def test_an_empty_graph_is_its_root_alone() -> None:
    assert drawn(graph_from({})) == "model/\n"


def test_a_deep_model_works() -> None:
    depth = 1_200
    path = "/".join(["d"] * depth)
    graph = graph_from({f"model/{path}/yg-node.yaml": NODE})
    assert len(outline(graph).entries) == depth + 1


PATHS = st.lists(st.sampled_from("ab"), min_size=1, max_size=4).map("/".join)


@given(st.sets(PATHS, max_size=6), st.none() | st.integers(0, 4))
def test_all_nodes_within_the_depth_are_there_and_each_below_its_parent(
    nodes: set[str], depth: int | None
) -> None:
    graph = graph_from({f"model/{path}/yg-node.yaml": NODE for path in nodes})
    found = shape(graph, depth=depth)
    lineages = {
        "/".join(path.split("/")[:length])
        for path in nodes
        for length in range(1, path.count("/") + 2)
        if depth is None or length <= depth
    }
    assert found[0] == (".", 0, True)
    expected = [
        (path, path.count("/") + 1) for path in sorted(lineages, key=lambda p: p.split("/"))
    ]
    assert [(path, level) for path, level, _ in found[1:]] == expected


@pytest.mark.parametrize("depth", [None, 5])
def test_a_root_that_is_not_a_node_but_leads_to_some_is_shown(depth: int | None) -> None:
    graph = graph_from({"model/bare/a/yg-node.yaml": NODE, "model/other/yg-node.yaml": NODE})
    assert shape(graph, "bare", depth) == [("bare", 0, True), ("bare/a", 1, True)]
