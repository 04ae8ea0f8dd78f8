"""Answers that leave something out because its file is bad say so, and are answers all the same."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from support import NODE, run
from support import write_graph as write
from yg.surfaces.cli.outcome import Outcome

TREE = "model/\n├── a/ [service] -> 0 relations\n└── b/ (cannot be read)\n"


@pytest.mark.parametrize(
    ("content", "message", "place"),
    [
        ("name: B\n", "yg-node.yaml has no 'type'", ":1:1"),
        ("name: 12\ntype: service\n", "'name' must be text, found a whole number", ":1:7"),
        ("name: B\ntype: [x]\n", "'type' must be text, found a list", ":2:7"),
        ("- name: B\n", "yg-node.yaml must be a mapping, found a list", ":1:1"),
        ("", "yg-node.yaml must be a mapping, found nothing", ":1:1"),
        (f"{NODE}blackbox: yes\n", "'blackbox' must be true or false, found text", ":3:11"),
        (f"{NODE}relations: charge\n", "'relations' must be a list, found text", ":3:12"),
        (f"{NODE}name: C\n", "duplicate key 'name'", ":3:1"),
        (f"{NODE}mapping: {{paths: []}}\n", "'paths' must not be empty", ":3:18"),
        (b"name: \xff\n", "'yg-node.yaml' cannot be read: not UTF-8 at byte 6 (0xff)", ""),
    ],
    ids=ascii,
)
def test_a_node_that_cannot_be_read_is_told_with_its_place(
    tmp_path: Path, content: str | bytes, message: str, place: str
) -> None:
    files = {"model/a/yg-node.yaml": NODE, "model/b/yg-node.yaml": content}
    repository = str(write(tmp_path, files))
    note = f"skipped b: {message} (.yggdrasil/model/b/yg-node.yaml{place})\n"
    assert run("tree", "-C", repository) == Outcome(TREE, 0, note)
    line, column = place[1:].split(":") if place else ("null", "null")
    assert json.loads(run("tree", "--json", "-C", repository).text)["skipped"] == [
        {
            "subject": "b",
            "message": message,
            "file": ".yggdrasil/model/b/yg-node.yaml",
            "line": json.loads(line),
            "column": json.loads(column),
        }
    ]


def test_only_the_first_problem_of_a_file_is_told(tmp_path: Path) -> None:
    files = {"model/a/yg-node.yaml": NODE, "model/b/yg-node.yaml": "name: 1\ntype: 2\n"}
    outcome = run("tree", "-C", str(write(tmp_path, files)))
    note = (
        "skipped b: 'name' must be text, found a whole number "
        "(.yggdrasil/model/b/yg-node.yaml:1:7)\n"
    )
    assert outcome == Outcome(TREE, 0, note)


def test_every_bad_file_is_told_in_the_order_of_paths(tmp_path: Path) -> None:
    files = {f"model/{path}/yg-node.yaml": "name: N\n" for path in ("z", "a", "a/b", "a-b")}
    outcome = run("tree", "-C", str(write(tmp_path, files)))
    assert [line.split(":")[0] for line in outcome.notes.splitlines()] == [
        "skipped a",
        "skipped a-b",
        "skipped a/b",
        "skipped z",
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name: 1\n", "'name' must be text, found a whole number"),
        ("description: X\n", "yg-aspect.yaml has no 'name'"),
        ("name: X\nstability: eternal\n", "unknown stability 'eternal'"),
        ("name: X\nimplies: y\n", "'implies' must be a list, found text"),
    ],
)
def test_a_bad_aspect_is_told_and_the_others_are_listed(
    tmp_path: Path, content: str, message: str
) -> None:
    files = {"aspects/a/yg-aspect.yaml": "name: A\n", "aspects/x/yg-aspect.yaml": content}
    outcome = run("aspects", "-C", str(write(tmp_path, files)))
    assert (outcome.code, outcome.text) == (0, "- id: a\n  name: A\n")
    assert outcome.notes.startswith(f"skipped aspects/x: {message} (.yggdrasil/aspects/x/")
    assert len(outcome.notes.splitlines()) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name: 1\nnodes: [a]\n", "'name' must be text, found a whole number"),
        ("name: X\n", "yg-flow.yaml has no 'nodes'"),
        ("name: X\nnodes: []\n", "'nodes' must not be empty"),
        ("name: X\nnodes: [a, 2]\n", "each item of 'nodes' must be text, found a whole number"),
    ],
)
def test_a_bad_flow_is_told_and_the_others_are_listed(
    tmp_path: Path, content: str, message: str
) -> None:
    files = {"flows/a/yg-flow.yaml": "name: A\nnodes: [n]\n", "flows/x/yg-flow.yaml": content}
    outcome = run("flows", "-C", str(write(tmp_path, files)))
    assert (outcome.code, outcome.text) == (0, "- id: a\n  name: A\n  nodes:\n    - n\n")
    assert outcome.notes.startswith(f"skipped flows/x: {message} (.yggdrasil/flows/x/")
    assert len(outcome.notes.splitlines()) == 1


@pytest.mark.parametrize(("command", "kind"), [("aspects", "aspect"), ("flows", "flow")])
def test_files_that_nothing_declares_are_told(tmp_path: Path, command: str, kind: str) -> None:
    place = str(write(tmp_path, {f"{command}/x/content.md": "Text.\n"}))
    note = f"skipped {command}/x: has files but no yg-{kind}.yaml (.yggdrasil/{command}/x)\n"
    assert run(command, "-C", place) == Outcome("[]\n", 0, note)
    document = json.loads(run(command, "--json", "-C", place).text)
    assert document[command] == []
    assert document["skipped"] == [
        {
            "subject": f"{command}/x",
            "message": f"has files but no yg-{kind}.yaml",
            "file": f".yggdrasil/{command}/x",
            "line": None,
            "column": None,
        }
    ]


@pytest.mark.parametrize("command", ["aspects", "flows"])
def test_an_empty_list_is_a_list(tmp_path: Path, command: str) -> None:
    assert run(command, "-C", str(write(tmp_path, {}))) == Outcome("[]\n")


def test_one_kind_of_bad_file_is_no_matter_of_another_kind(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": NODE,
        "aspects/x/yg-aspect.yaml": "name: 1\n",
        "flows/x/yg-flow.yaml": "name: 1\n",
    }
    expected = Outcome("model/\n└── a/ [service] -> 0 relations\n")
    assert run("tree", "-C", str(write(tmp_path, files))) == expected


def test_an_owner_may_be_missing_because_its_node_is_bad(tmp_path: Path) -> None:
    bad = "name: 1\ntype: service\nmapping: {paths: [src]}\n"
    outcome = run("owner", "src", "-C", str(write(tmp_path, {"model/b/yg-node.yaml": bad})))
    assert outcome.text.startswith("src -> no graph coverage (file not found)\n")
    assert (outcome.code, outcome.notes) == (
        0,
        (
            "skipped b: 'name' must be text, found a whole number "
            "(.yggdrasil/model/b/yg-node.yaml:1:7)\n"
        ),
    )


def test_nothing_is_told_of_what_is_ignored_on_purpose(tmp_path: Path) -> None:
    place = write(tmp_path, {"model/a/yg-node.yaml": NODE, "model/a/.notes.md": "Mine.\n"})
    model = place / ".yggdrasil" / "model"
    (model / "bare" / "barer").mkdir(parents=True)
    (model / "files").mkdir()
    (model / "files" / "readme.md").touch()
    os.symlink("a", model / "link")
    expected = Outcome("model/\n└── a/ [service] -> 0 relations\n")
    assert run("tree", "-C", str(place)) == expected


def test_a_node_that_is_a_pipe_is_told_and_never_waited_for(tmp_path: Path) -> None:
    place = write(tmp_path, {"model/a/yg-node.yaml": NODE})
    (place / ".yggdrasil" / "model" / "b").mkdir()
    os.mkfifo(place / ".yggdrasil" / "model" / "b" / "yg-node.yaml")
    note = (
        "skipped b: 'yg-node.yaml' cannot be read: not a regular file "
        "(.yggdrasil/model/b/yg-node.yaml)\n"
    )
    assert run("tree", "-C", str(place)) == Outcome(TREE, 0, note)


def test_what_is_told_does_not_play_with_the_terminal(tmp_path: Path) -> None:
    files = {
        "model/e\x1b[31m\nvil/yg-node.yaml": f'{NODE}relations: [{{target: x, type: "\\e"}}]\n'
    }
    outcome = run("tree", "-C", str(write(tmp_path, files)))
    assert outcome.notes == (
        r"skipped e\x1b[31m\nvil: unknown relation type '\x1b' "
        r"(.yggdrasil/model/e\x1b[31m\nvil/yg-node.yaml:3:31)"
        "\n"
    )
