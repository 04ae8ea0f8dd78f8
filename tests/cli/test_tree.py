"""`yg tree`: every directory of the model that is a node or leads to one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support import NODE, run
from support import write_graph as write
from yg.surfaces.cli.outcome import Outcome

MODULE = "name: M\ntype: module\n"


def nodes(*paths: str) -> dict[str, str]:
    return {f"model/{path}/yg-node.yaml": NODE for path in paths}


def test_a_line_shows_type_aspects_blackbox_and_relations(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": """\
name: A
type: service
blackbox: true
aspects: [{aspect: two}, {aspect: one}]
relations: [{target: b, type: uses}, {target: b, type: emits}, {target: gone, type: calls}]
""",
        "model/b/yg-node.yaml": "name: B\ntype: unheard of\n",
    }
    assert run("tree", "-C", str(write(tmp_path, files))) == Outcome(
        "model/\n"
        "├── a/ [service] aspects:two,one ■ blackbox -> 3 relations\n"
        "└── b/ [unheard of] -> 0 relations\n"
    )


def test_branches_connect_siblings_and_end_with_the_last(tmp_path: Path) -> None:
    place = str(write(tmp_path, nodes("a", "a/b", "a/b/c", "a/d", "e", "e/f")))
    assert run("tree", "-C", place) == Outcome(
        "model/\n"
        "├── a/ [service] -> 0 relations\n"
        "│   ├── b/ [service] -> 0 relations\n"
        "│   │   └── c/ [service] -> 0 relations\n"
        "│   └── d/ [service] -> 0 relations\n"
        "└── e/ [service] -> 0 relations\n"
        "    └── f/ [service] -> 0 relations\n"
    )


def test_siblings_come_in_the_order_of_code_points(tmp_path: Path) -> None:
    names = ["B", "Z", "a", "a-b", "a.b", "a/x", "b", "ä", "日"]
    outcome = run("tree", "-C", str(write(tmp_path, nodes("a", *names))))
    shown = [line.split("── ")[1].split("/")[0] for line in outcome.text.splitlines()[1:]]
    assert shown == ["B", "Z", "a", "x", "a-b", "a.b", "b", "ä", "日"]


def test_a_directory_that_is_not_a_node_is_shown_if_it_leads_to_one(tmp_path: Path) -> None:
    files = {**nodes("a/b/c"), "model/a/empty/readme.md": "No node.\n"}
    place = write(tmp_path, files)
    (place / ".yggdrasil" / "model" / "bare").mkdir()
    assert run("tree", "-C", str(place)) == Outcome(
        "model/\n└── a/\n    └── b/\n        └── c/ [service] -> 0 relations\n"
    )


def test_the_root_node_is_in_the_first_line(tmp_path: Path) -> None:
    place = str(write(tmp_path, {"model/yg-node.yaml": MODULE, **nodes("a")}))
    expected = Outcome("model/ [module] -> 0 relations\n└── a/ [service] -> 0 relations\n")
    assert run("tree", "-C", place) == expected
    assert run("tree", ".", "-C", place) == expected


@pytest.mark.parametrize("has_model", ["model", "aspects"])
def test_a_graph_without_nodes_is_an_empty_tree(tmp_path: Path, has_model: str) -> None:
    (tmp_path / ".yggdrasil" / has_model).mkdir(parents=True)
    place = ".yggdrasil/yg-config.yaml"
    note = f"skipped yg-config.yaml: there is no yg-config.yaml ({place})\n"
    assert run("tree", "-C", str(tmp_path)) == Outcome("model/\n", 0, note)


@pytest.mark.parametrize("name", ["a/b", "./a/b", "a/b/", "model/a/b", "./model/a/b//"])
def test_a_part_of_the_tree_begins_at_its_root(tmp_path: Path, name: str) -> None:
    place = str(write(tmp_path, nodes("a", "a/b", "a/b/c", "a/bb")))
    expected = Outcome("model/a/b/ [service] -> 0 relations\n└── c/ [service] -> 0 relations\n")
    assert run("tree", name, "-C", place) == expected
    assert run("tree", "--root", name, "-C", place) == expected


def test_a_part_of_the_tree_may_begin_at_a_directory_that_leads_to_nodes(tmp_path: Path) -> None:
    place = str(write(tmp_path, nodes("a/b/c")))
    expected = Outcome("model/a/b/\n└── c/ [service] -> 0 relations\n")
    assert run("tree", "a/b", "-C", place) == expected


@pytest.mark.parametrize("name", ["gone", "a/gone", "..", "/a", "../model/a", "a/readme.md"])
def test_a_root_that_does_not_exist_is_an_error(tmp_path: Path, name: str) -> None:
    place = str(write(tmp_path, {**nodes("a"), "model/a/readme.md": "No node.\n"}))
    outcome = run("tree", name, "-C", place)
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith(f"error: no node at '{name}'\n")


@pytest.mark.parametrize(
    ("depth", "lines"), [("0", 1), ("00", 1), ("1", 2), ("2", 3), ("3", 4), ("999999999", 4)]
)
def test_depth_counts_levels_below_the_root(tmp_path: Path, depth: str, lines: int) -> None:
    place = str(write(tmp_path, nodes("a", "a/b", "a/b/c")))
    whole = (
        "model/\n",
        "└── a/ [service] -> 0 relations\n",
        "    └── b/ [service] -> 0 relations\n",
        "        └── c/ [service] -> 0 relations\n",
    )
    assert run("tree", "--depth", depth, "-C", place) == Outcome("".join(whole[:lines]))


def test_depth_counts_from_the_root_that_was_named(tmp_path: Path) -> None:
    place = str(write(tmp_path, nodes("a", "a/b", "a/b/c")))
    expected = Outcome("model/a/ [service] -> 0 relations\n")
    assert run("tree", "a", "--depth", "0", "-C", place) == expected


def test_bad_nodes_keep_their_place_and_their_children(tmp_path: Path) -> None:
    files = {**nodes("a", "a/b", "c"), "model/a/yg-node.yaml": "name: [\n"}
    outcome = run("tree", "-C", str(write(tmp_path, files)))
    assert outcome.code == 0
    assert outcome.text == (
        "model/\n"
        "├── a/ (cannot be read)\n"
        "│   └── b/ [service] -> 0 relations\n"
        "└── c/ [service] -> 0 relations\n"
    )
    assert outcome.notes.startswith("skipped a: not valid YAML: ")


def test_a_bad_node_may_be_the_root(tmp_path: Path) -> None:
    write(tmp_path, {**nodes("a/b"), "model/a/yg-node.yaml": "name: [\n"})
    outcome = run("tree", "a", "-C", str(tmp_path))
    assert (outcome.code, outcome.text) == (
        0,
        "model/a/ (cannot be read)\n└── b/ [service] -> 0 relations\n",
    )


def test_data_lists_nodes_and_what_is_missing(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": "name: A\n",
        "model/a/b/c/yg-node.yaml": """\
name: C
type: service
blackbox: true
aspects: [{aspect: x}]
relations: [{target: a, type: uses}]
mapping: {paths: [./src/c/, src/d.py]}
""",
    }
    outcome = run("tree", "a", "--json", "-C", str(write(tmp_path, files)))
    assert (outcome.code, outcome.notes) == (0, "")
    assert json.loads(outcome.text) == {
        "schema": "yg-tree/1",
        "root": "a",
        "nodes": [
            {
                "path": "a/b/c",
                "level": 2,
                "name": "C",
                "type": "service",
                "aspects": ["x"],
                "blackbox": True,
                "relations": 1,
                "mapping": ["./src/c/", "src/d.py"],
            }
        ],
        "skipped": [
            {
                "subject": "a",
                "message": "yg-node.yaml has no 'type'",
                "file": ".yggdrasil/model/a/yg-node.yaml",
                "line": 1,
                "column": 1,
            }
        ],
    }


def test_links_and_hidden_directories_are_not_part_of_the_tree(tmp_path: Path) -> None:
    place = write(tmp_path, nodes("a", ".hidden", "a/.git"))
    os.symlink("a", place / ".yggdrasil" / "model" / "b")
    assert run("tree", "-C", str(place)) == Outcome("model/\n└── a/ [service] -> 0 relations\n")


def test_a_linked_model_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path / "there", nodes("a"))
    place = write(tmp_path / "here", {})
    os.symlink("../../there/.yggdrasil/model", place / ".yggdrasil" / "model")
    assert run("tree", "-C", str(place)) == Outcome("model/\n")


def test_a_link_that_leads_back_does_not_lead_astray(tmp_path: Path) -> None:
    place = write(tmp_path, nodes("a"))
    os.symlink("..", place / ".yggdrasil" / "model" / "a" / "up")
    assert run("tree", "-C", str(place)) == Outcome("model/\n└── a/ [service] -> 0 relations\n")


def test_names_are_shown_as_they_are_unless_they_play_with_the_terminal(tmp_path: Path) -> None:
    names = ("mit Leerzeichen", "größe", "日本", "e\x1b[31m\nvil", "\u202egnp")
    outcome = run("tree", "-C", str(write(tmp_path, nodes(*names))))
    assert outcome == Outcome(
        "model/\n"
        r"├── e\x1b[31m\nvil/ [service] -> 0 relations" + "\n"
        "├── größe/ [service] -> 0 relations\n"
        "├── mit Leerzeichen/ [service] -> 0 relations\n"
        r"├── \u202egnp/ [service] -> 0 relations" + "\n"
        "└── 日本/ [service] -> 0 relations\n"
    )


def test_types_and_aspects_do_not_play_with_the_terminal_either(tmp_path: Path) -> None:
    text = 'name: N\ntype: "\\e[31m"\naspects: [{aspect: "x\\ny"}]\n'
    outcome = run("tree", "-C", str(write(tmp_path, {"model/a/yg-node.yaml": text})))
    assert outcome == Outcome("model/\n" r"└── a/ [\x1b[31m] aspects:x\ny -> 0 relations" + "\n")


def test_a_name_that_is_not_utf8_is_reported_and_loses_nothing_else(tmp_path: Path) -> None:
    place = write(tmp_path, nodes("a"))
    os.mkdir(os.fsencode(place / ".yggdrasil" / "model") + b"/\xff")
    outcome = run("tree", "-C", str(place))
    assert (outcome.code, outcome.text) == (0, "model/\n└── a/ [service] -> 0 relations\n")
    assert outcome.notes.endswith(
        r"'\377' cannot be read: its name is not UTF-8 (.yggdrasil/model/\377)" + "\n"
    )
