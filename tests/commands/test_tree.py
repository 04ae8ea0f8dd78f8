"""`yg tree`: the nodes of a graph, as a tree and as data."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphs import git, write
from yg.commands.explain import json_schema
from yg.commands.tree import Tree, TreeDirectory, TreeNode, text
from yg.kernel.palette import PLAIN
from yg.surfaces.cli.main import Outcome, answer

CONFIG = {
    "yg-config.yaml": (
        "name: t\n"
        "node_types: {module: {description: M}, service: {description: S}}\n"
        "artifacts: {interface.md: {description: I}}\n"
    )
}


def node(type_: str, aspects: str = "", relations: str = "", more: str = "") -> str:
    targets = "".join(f"{{target: {path}, type: uses}}, " for path in relations.split())
    uses = "".join(f"{{aspect: {id_}}}, " for id_ in aspects.split())
    return f"name: N\ntype: {type_}\naspects: [{uses}]\nrelations: [{targets}]\n{more}"


# The example of document 004.
BLACKBOX = "blackbox: true\n"
EXAMPLE = {
    "model/auth/yg-node.yaml": node("module"),
    "model/auth/login-service/yg-node.yaml": node("service", "requires-auth", "payments"),
    "model/auth/token-service/yg-node.yaml": node("service"),
    "model/orders/yg-node.yaml": node("module"),
    "model/orders/order-service/yg-node.yaml": node(
        "service", "requires-audit requires-auth", "auth payments"
    ),
    "model/payments/yg-node.yaml": node("module", more=BLACKBOX),
    "model/payments/payment-service/yg-node.yaml": node("service", more=BLACKBOX),
}
EXAMPLE_TEXT = """\
model/
├── auth/ [module] -> 0 relations
│   ├── login-service/ [service] aspects:requires-auth -> 1 relations
│   └── token-service/ [service] -> 0 relations
├── orders/ [module] -> 0 relations
│   └── order-service/ [service] aspects:requires-audit,requires-auth -> 2 relations
└── payments/ [module] ■ blackbox -> 0 relations
    └── payment-service/ [service] ■ blackbox -> 0 relations
"""
LEAF = node("service")


def tree(root: Path, files: dict[str, str], *words: str) -> Outcome:
    return answer(["tree", "-C", str(write(root, {**CONFIG, **files})), *words])


def test_the_example_of_the_specification_is_printed_as_it_stands(tmp_path: Path) -> None:
    assert tree(tmp_path, EXAMPLE) == Outcome(EXAMPLE_TEXT)


@pytest.mark.parametrize("root", ["orders", "orders/", "./orders", "model/orders", "--root=orders"])
def test_a_root_shows_the_tree_below_it(tmp_path: Path, root: str) -> None:
    assert tree(tmp_path, EXAMPLE, root) == Outcome(
        "model/orders/ [module] -> 0 relations\n"
        "└── order-service/ [service] aspects:requires-audit,requires-auth -> 2 relations\n"
    )


def test_a_depth_counts_levels_below_the_root(tmp_path: Path) -> None:
    assert tree(tmp_path, EXAMPLE, "--depth", "0") == Outcome("model/\n")
    assert tree(tmp_path, EXAMPLE, "auth", "--depth", "0") == Outcome(
        "model/auth/ [module] -> 0 relations\n"
    )
    assert tree(tmp_path, EXAMPLE, "--depth", "1") == Outcome(
        "model/\n"
        "├── auth/ [module] -> 0 relations\n"
        "├── orders/ [module] -> 0 relations\n"
        "└── payments/ [module] ■ blackbox -> 0 relations\n"
    )


def test_json_has_the_nodes_and_the_other_directories(tmp_path: Path) -> None:
    files = {"model/a b/c/yg-node.yaml": node("service", "x", more="mapping: {paths: [src/c/]}\n")}
    document = json.loads(tree(tmp_path, files, "a b", "--json").text)
    assert document == {
        "schema": "yg-tree/1",
        "root": "a b",
        "nodes": [
            {
                "path": "a b/c",
                "level": 1,
                "name": "N",
                "type": "service",
                "aspects": ["x"],
                "blackbox": False,
                "relations": 0,
                "mapping": ["src/c/"],
            }
        ],
        "directories": [{"path": "a b", "level": 0, "unreadable": False}],
        "skipped": [],
    }
    jsonschema.validate(document, json_schema(Tree))


def test_nodes_below_directories_and_below_bad_nodes_are_shown(tmp_path: Path) -> None:
    files = {
        "model/bad/yg-node.yaml": "name: N\ntype: service\nrelations: none\n",
        "model/bad/child/yg-node.yaml": LEAF,
        "model/group/part/x/yg-node.yaml": LEAF,
        "model/notes/text.md": "Not a node.\n",
    }
    problem = "'relations' must be a list, found text (.yggdrasil/model/bad/yg-node.yaml:3:12)"
    assert tree(tmp_path, files) == Outcome(
        "model/\n"
        "├── bad/ (cannot be read)\n"
        "│   └── child/ [service] -> 0 relations\n"
        "└── group/\n"
        "    └── part/\n"
        "        └── x/ [service] -> 0 relations\n",
        f"skipped bad: {problem}\n",
    )
    assert tree(tmp_path, files, "bad", "--depth", "0") == Outcome(
        "model/bad/ (cannot be read)\n", f"skipped bad: {problem}\n"
    )
    assert tree(tmp_path, files, "group", "--depth", "0") == Outcome("model/group/\n")


def test_the_root_node_is_the_first_line(tmp_path: Path) -> None:
    files = {"model/yg-node.yaml": node("module", "x"), "model/a/yg-node.yaml": LEAF}
    expected = "model/ [module] aspects:x -> 0 relations\n└── a/ [service] -> 0 relations\n"
    assert tree(tmp_path, files) == tree(tmp_path, files, ".") == Outcome(expected)


def test_a_graph_without_nodes_is_its_top(tmp_path: Path) -> None:
    assert tree(tmp_path, {}) == Outcome("model/\n")


def test_siblings_are_sorted_by_code_point_and_stay_with_their_parents(tmp_path: Path) -> None:
    names = ("a", "a/z", "a-b", "ä ö", "B", "a/+")
    files = {f"model/{name}/yg-node.yaml": LEAF for name in names}
    leaf = "[service] -> 0 relations"
    assert tree(tmp_path, files).text == (
        f"model/\n├── B/ {leaf}\n├── a/ {leaf}\n│   ├── +/ {leaf}\n│   └── z/ {leaf}\n"
        f"├── a-b/ {leaf}\n└── ä ö/ {leaf}\n"
    )


def test_names_do_not_play_with_the_terminal(tmp_path: Path) -> None:
    files = {"model/e\x1b[1m/yg-node.yaml": 'name: N\ntype: "t\\a"\naspects: [{aspect: "a\\r"}]\n'}
    expected = r"└── e\x1b[1m/ [t\x07] aspects:a\r -> 0 relations"
    assert tree(tmp_path, files).text == f"model/\n{expected}\n"


def test_an_unknown_root_is_an_error_with_the_nearest_names(tmp_path: Path) -> None:
    assert tree(tmp_path, EXAMPLE, "order") == Outcome(
        "", "error: no node at 'order'\n  Did you mean 'orders'?\n", 1
    )
    assert json.loads(tree(tmp_path, EXAMPLE, "order", "--json").notes) == {
        "schema": "yg-error/1",
        "code": "not-found",
        "message": "no node at 'order'",
        "hint": "Did you mean 'orders'?",
    }


@pytest.mark.parametrize("depth", ["-1", "x", "1.5", ""])
def test_a_wrong_depth_is_wrong_usage(tmp_path: Path, depth: str) -> None:
    found = tree(tmp_path, EXAMPLE, f"--depth={depth}")
    assert (found.text, found.code) == ("", 2)
    assert f"argument --depth: expected a number >= 0, got '{depth}'" in found.notes


def test_a_configuration_that_cannot_be_read_is_the_one_error(tmp_path: Path) -> None:
    found = tree(tmp_path, {**EXAMPLE, "yg-config.yaml": "name: [\n"})
    assert (found.text, found.code) == ("", 1)
    assert ".yggdrasil/yg-config.yaml:1:7" in found.notes
    assert "error: the configuration cannot be used" in found.notes


def test_the_tree_of_a_commit_is_the_one_it_has(tmp_path: Path) -> None:
    tree(tmp_path, EXAMPLE)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "Begin")
    later = {"model/later/yg-node.yaml": LEAF}
    assert tree(tmp_path, later, "--at", "HEAD") == Outcome(EXAMPLE_TEXT)


PATHS = st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join)


@given(st.sets(PATHS, min_size=1))
def test_every_entry_is_drawn_below_its_parent(nodes: set[str]) -> None:
    above = {path[: 2 * at - 1] for path in nodes for at in range(1, path.count("/") + 1)}
    lines = text(document(nodes, {".", *(above - nodes)}), PLAIN).splitlines()
    drawn: list[str] = []
    for line in lines[1:]:
        level, name = line.index("─") // 4, line.split("── ")[1][0]
        drawn.append("/".join([*(drawn[-1].split("/")[:level] if level else ()), name]))
    assert drawn == sorted(nodes | above)
    for at, line in enumerate(lines):  # a stem leads to every branch
        for column in (column for column, mark in enumerate(line) if mark in "├│"):
            assert lines[at + 1][column] in "├└│"


def test_a_tree_may_be_deep_and_wide() -> None:
    deep = {"/".join("n" * level) for level in range(1, 2_000)}
    assert text(document(deep, {"."}), PLAIN).count("└── n/") == len(deep)
    wide = {f"n{number:05}" for number in range(20_000)}
    assert text(document(wide, {"."}), PLAIN).count("├── ") == len(wide) - 1


def document(nodes: set[str], directories: set[str]) -> Tree:
    """Make the tree of some paths."""
    return Tree(
        root=".",
        nodes=tuple(
            TreeNode(
                path=path,
                level=path.count("/") + 1,
                name="N",
                type="service",
                aspects=(),
                blackbox=False,
                relations=0,
                mapping=(),
            )
            for path in sorted(nodes)
        ),
        directories=tuple(
            TreeDirectory(
                path=path, level=0 if path == "." else path.count("/") + 1, unreadable=False
            )
            for path in sorted(directories)
        ),
        skipped=(),
    )
