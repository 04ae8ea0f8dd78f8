"""`yg deps`: what a node needs, and what that needs, every node opened once."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from support import run
from support import write_graph as write
from yg.surfaces.cli.outcome import Outcome


def node(*relations: str, blackbox: str = "false") -> str:
    """Make a node with relations written as `type target`."""
    pairs = (relation.split(" ", 1) for relation in relations)
    items = ", ".join(f"{{type: {kind}, target: {json.dumps(target)}}}" for kind, target in pairs)
    return f"name: N\ntype: service\nblackbox: {blackbox}\nrelations: [{items}]\n"


def graph(root: Path, nodes: Mapping[str, Iterable[str]]) -> str:
    files = {f"model/{path}/yg-node.yaml": node(*relations) for path, relations in nodes.items()}
    return str(write(root, files))


def test_a_node_that_needs_nothing_is_one_line(tmp_path: Path) -> None:
    assert run("deps", "a", "-C", graph(tmp_path, {"a": ()})) == Outcome("a\n")


def test_relations_come_in_the_order_of_their_declaration(tmp_path: Path) -> None:
    place = graph(
        tmp_path,
        {
            "a": ("listens z", "calls c", "uses b", "emits y", "extends x", "implements w"),
            **dict.fromkeys("bcwxyz", ()),
        },
    )
    assert run("deps", "a", "-C", place) == Outcome(
        "a\n├── listens z\n├── calls c\n├── uses b\n├── emits y\n├── extends x\n└── implements w\n"
    )


def test_what_was_shown_is_not_opened_again(tmp_path: Path) -> None:
    place = graph(
        tmp_path,
        {"a": ("uses b", "uses c", "calls b"), "b": ("uses c",), "c": ("uses d",), "d": ()},
    )
    assert run("deps", "a", "-C", place) == Outcome(
        "a\n"
        "├── uses b\n"
        "│   └── uses c\n"
        "│       └── uses d\n"
        "├── uses c (see above)\n"
        "└── calls b (see above)\n"
    )


def test_a_cycle_comes_to_its_end(tmp_path: Path) -> None:
    place = graph(tmp_path, {"a": ("uses b", "uses a"), "b": ("uses a",)})
    assert run("deps", "a", "-C", place) == Outcome(
        "a\n├── uses b\n│   └── uses a (see above)\n└── uses a (see above)\n"
    )


def test_output_is_linear_in_the_graph(tmp_path: Path) -> None:
    # Each of two nodes of a step needs both of the next: 2 ** 18 paths, 70 relations.
    steps = {
        f"{side}{step:02}": (f"uses l{step + 1:02}", f"uses r{step + 1:02}")
        for step in range(17)
        for side in "lr"
    }
    place = graph(tmp_path, {**steps, "l17": (), "r17": (), "top": ("uses l00", "uses r00")})
    for options in ((), ("--depth", "18"), ("--depth", "9")):
        outcome = run("deps", "top", *options, "-C", place)
        paths = [line.split("── ")[-1].split(" (")[0] for line in outcome.text.splitlines()]
        relations = 70 if "9" not in options else 34
        assert (outcome.code, len(paths)) == (0, 1 + relations)
        assert len(set(paths)) == relations // 2 + 2


def test_a_long_chain_needs_no_deep_stack_and_stops_to_be_indented(tmp_path: Path) -> None:
    chain = {f"n{step:04}": (f"calls n{step + 1:04}",) for step in range(1500)}
    place = graph(tmp_path, {**chain, "n1500": ()})
    outcome = run("deps", "n0000", "-C", place)
    lines = outcome.text.splitlines()
    assert (outcome.code, outcome.notes, len(lines)) == (0, "", 1501)
    assert lines[1] == "└── calls n0001"
    assert lines[40] == "    " * 39 + "└── calls n0040"
    assert lines[41] == "(level 41) calls n0041"
    assert lines[1500] == "(level 1500) calls n1500"


def test_indentation_returns_after_the_depths(tmp_path: Path) -> None:
    chain = {f"n{step:02}": (f"calls n{step + 1:02}", "uses end") for step in range(42)}
    place = graph(tmp_path, {**chain, "n42": (), "end": ()})
    lines = run("deps", "n00", "-C", place).text.splitlines()
    assert lines[41:47] == [
        "(level 41) calls n41",
        "(level 42) calls n42",
        "(level 42) uses end",
        "(level 41) uses end (see above)",
        "│   " * 39 + "└── uses end (see above)",
        "│   " * 38 + "└── uses end (see above)",
    ]


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("all", "a\n├── uses b\n│   ├── emits c\n│   └── calls d\n└── listens d (see above)\n"),
        ("structural", "a\n└── uses b\n    └── calls d\n"),
        ("event", "a\n└── listens d\n"),
    ],
)
def test_one_class_of_relations_may_be_followed(tmp_path: Path, kind: str, shown: str) -> None:
    place = graph(
        tmp_path,
        {"a": ("uses b", "listens d"), "b": ("emits c", "calls d"), "c": (), "d": ()},
    )
    assert run("deps", "a", "--type", kind, "-C", place) == Outcome(shown)


@pytest.mark.parametrize(
    ("depth", "shown"),
    [
        ("0", "a\n"),
        ("1", "a\n└── uses b\n"),
        ("2", "a\n└── uses b\n    └── uses c\n"),
        ("999999999", "a\n└── uses b\n    └── uses c\n        └── uses d\n"),
    ],
)
def test_depth_counts_relations_from_the_node(tmp_path: Path, depth: str, shown: str) -> None:
    place = graph(tmp_path, {"a": ("uses b",), "b": ("uses c",), "c": ("uses d",), "d": ()})
    assert run("deps", "a", "--depth", depth, "-C", place) == Outcome(shown)


def test_depth_hides_nothing_that_is_near_enough(tmp_path: Path) -> None:
    # By way of b, c is two relations away and would not be opened; it is also a neighbour.
    place = graph(
        tmp_path, {"a": ("uses b", "uses c"), "b": ("uses c",), "c": ("uses d",), "d": ()}
    )
    outcome = run("deps", "a", "--depth", "2", "-C", place)
    assert outcome.code == 0
    assert outcome.text.endswith("└── uses c\n    └── uses d\n")


def test_what_does_not_resolve_is_marked(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": node("uses gone", "calls bad", "emits box", "uses ../a"),
        "model/bad/yg-node.yaml": "name: [\n",
        "model/box/yg-node.yaml": node("uses gone", blackbox="true"),
    }
    assert run("deps", "a", "-C", str(write(tmp_path, files))) == Outcome(
        "a\n"
        "├── uses gone (does not resolve)\n"
        "├── calls bad (cannot be read)\n"
        "├── emits box ■ blackbox\n"
        "│   └── uses gone (does not resolve) (see above)\n"
        "└── uses ../a (does not resolve)\n"
    )


def test_a_blackbox_is_marked_in_the_first_line_too(tmp_path: Path) -> None:
    place = str(write(tmp_path, {"model/a/yg-node.yaml": node(blackbox="true")}))
    assert run("deps", "a", "-C", place) == Outcome("a ■ blackbox\n")


def test_a_node_that_cannot_be_read_has_no_dependencies_to_show(tmp_path: Path) -> None:
    place = str(write(tmp_path, {"model/a/yg-node.yaml": "name: A\n"}))
    assert run("deps", "a", "-C", place) == Outcome(
        "",
        1,
        "E001 a -> yg-node.yaml has no 'type'.\n"
        "  .yggdrasil/model/a/yg-node.yaml:1:1\n"
        "  Add 'type: ..'.\n"
        "error: node 'a' could not be read\n"
        "  Fix its yg-node.yaml first.\n",
    )


@pytest.mark.parametrize("name", ["a/b", "./a/b/", "model/a/b", "--node=a/b", "--node=model/a/b/"])
def test_a_node_is_found_by_every_spelling_of_its_path(tmp_path: Path, name: str) -> None:
    place = graph(tmp_path, {"a/b": ("uses .",)})
    write(tmp_path, {"model/yg-node.yaml": node()})
    assert run("deps", name, "-C", place) == Outcome("a/b\n└── uses .\n")


def test_the_root_node_is_a_dot(tmp_path: Path) -> None:
    place = graph(tmp_path, {"a": ()})
    write(tmp_path, {"model/yg-node.yaml": node("uses a")})
    assert run("deps", ".", "-C", place) == Outcome(".\n└── uses a\n")


def test_names_do_not_play_with_the_terminal(tmp_path: Path) -> None:
    evil = "e\x1b[31m\nvil"
    place = graph(tmp_path, {evil: ("uses größe und Maß", "calls \x1b[2J"), "größe und Maß": ()})
    assert run("deps", evil, "-C", place) == Outcome(
        r"e\x1b[31m\nvil"
        "\n├── uses größe und Maß\n"
        r"└── calls \x1b[2J (does not resolve)"
        "\n"
    )


def test_data_lists_the_lines_as_they_are_drawn(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": node("uses b", "emits gone", "calls b"),
        "model/b/yg-node.yaml": node("uses a", blackbox="true"),
    }
    outcome = run("deps", "a", "--json", "-C", str(write(tmp_path, files)))
    document = json.loads(outcome.text)
    keys = ("level", "type", "target", "blackbox", "resolved", "repeated")
    assert (outcome.code, outcome.notes, document["node"]) == (0, "", "a")
    assert [tuple(dependency[key] for key in keys) for dependency in document["dependencies"]] == [
        (1, "uses", "b", True, True, False),
        (2, "uses", "a", False, True, True),
        (1, "emits", "gone", False, False, False),
        (1, "calls", "b", True, True, True),
    ]
