"""`yg owner`: the node with the longest mapping that covers a file."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from schemas import faults_in
from support import run
from support import write_graph as write
from yg.surfaces.cli.outcome import Outcome


def mapped(**paths: str) -> dict[str, str]:
    """Make nodes that are mapped to one path each."""
    return {
        f"model/{name}/yg-node.yaml": (
            f"name: N\ntype: service\nmapping: {{paths: [{json.dumps(path)}]}}\n"
        )
        for name, path in paths.items()
    }


def repository(root: Path, **paths: str) -> str:
    """Make a repository of nodes and of a few source files."""
    for file in ("src/a.py", "src/b/x.py", "src/b/c/y.py", "README.md"):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()
    return str(write(root, mapped(**paths)))


def without_advice(outcome: Outcome) -> Outcome:
    """Leave out what is written below files that have no owner."""
    advice = re.compile("^ {4}.*\n|^  (?:New code|Partly mapped|Existing code): .*\n", re.MULTILINE)
    return Outcome(advice.sub("", outcome.text), outcome.code, outcome.notes)


def comes_from(mapping: str, node: str) -> str:
    return (
        f"  No mapping of its own; the context comes from {mapping}. "
        f"Use: yg build-context --node {node}\n"
    )


def test_a_file_of_its_own_has_one_line(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py")
    expected = Outcome("src/a.py -> a\n")
    assert run("owner", "src/a.py", "-C", place) == expected
    assert run("owner", "--file", "src/a.py", "-C", place) == expected


def test_a_file_of_a_mapped_directory_has_two_lines(tmp_path: Path) -> None:
    place = repository(tmp_path, b="src/b")
    assert run("owner", "src/b/x.py", "src/b/c/y.py", "src/b/c", "src/b", "-C", place) == Outcome(
        f"src/b/x.py -> b\n{comes_from('src/b', 'b')}"
        f"src/b/c/y.py -> b\n{comes_from('src/b', 'b')}"
        f"src/b/c -> b\n{comes_from('src/b', 'b')}"
        "src/b -> b\n"
    )


def test_the_longest_mapping_wins(tmp_path: Path) -> None:
    place = repository(tmp_path, top=".", all="src", b="src/b", file="src/b/c/y.py")
    files = ("README.md", "src/a.py", "src/b/x.py", "src/b/c/y.py")
    assert run("owner", *files, "-C", place) == Outcome(
        f"README.md -> top\n{comes_from('.', 'top')}"
        f"src/a.py -> all\n{comes_from('src', 'all')}"
        f"src/b/x.py -> b\n{comes_from('src/b', 'b')}"
        "src/b/c/y.py -> file\n"
    )


def test_a_mapping_covers_whole_names_only(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a", b="SRC/b")
    assert without_advice(run("owner", "src/a.py", "src/b/x.py", "-C", place)) == Outcome(
        "src/a.py -> no graph coverage\nsrc/b/x.py -> no graph coverage\n"
    )


@pytest.mark.parametrize("mapping", ["./src/b", "src/b/", "src//b", "src/./b//", "src\\b"])
def test_a_mapping_covers_files_however_it_is_spelled(tmp_path: Path, mapping: str) -> None:
    place = repository(tmp_path, b=mapping)
    assert run("owner", "src/b/x.py", "-C", place) == Outcome(
        f"src/b/x.py -> b\n{comes_from('src/b', 'b')}"
    )


@pytest.mark.parametrize(
    "file",
    ["./src/a.py", "src//a.py", "src/b/../a.py", "README.md/../src/a.py", "src/a.py/"],
)
def test_a_file_is_named_by_its_shortest_path(tmp_path: Path, file: str) -> None:
    place = repository(tmp_path, a="src/a.py")
    assert run("owner", file, "-C", place) == Outcome("src/a.py -> a\n")


def test_files_are_named_from_where_the_command_runs(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py", b="src/b/c/y.py")
    assert run("owner", "y.py", "../../a.py", "src/a.py", "-C", f"{place}/src/b/c") == Outcome(
        "src/b/c/y.py -> b\nsrc/a.py -> a\nsrc/a.py -> a\n"
    )


def test_an_absolute_path_is_as_good_as_a_relative_one(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py")
    assert run("owner", f"{place}/src/a.py", "-C", f"{place}/src/b") == Outcome("src/a.py -> a\n")


def test_a_file_that_does_not_exist_still_has_an_owner(tmp_path: Path) -> None:
    place = repository(tmp_path, gone="src/gone.py", b="src/b")
    files = ("src/gone.py", "src/b/gone.py", "gone.py", "README.md/x")
    assert without_advice(run("owner", *files, "-C", place)) == Outcome(
        "src/gone.py -> gone (not written yet)\n"
        f"src/b/gone.py -> b (file not found)\n{comes_from('src/b', 'b')}"
        "gone.py -> no graph coverage (file not found)\n"
        "README.md/x -> no graph coverage (file not found)\n"
    )


@pytest.mark.parametrize("file", ["/", "/etc/passwd", "..", "../src/a.py", "src/../../x", "//x"])
def test_a_file_outside_is_reported_and_does_not_fail(tmp_path: Path, file: str) -> None:
    place = repository(tmp_path, top=".")
    assert run("owner", file, "-C", place) == Outcome(f"{file} -> outside the repository\n")


def test_a_neighbour_whose_name_begins_alike_is_outside(tmp_path: Path) -> None:
    place = repository(tmp_path / "shop", top=".")
    (tmp_path / "shop2").mkdir()
    expected = Outcome("../shop2/x -> outside the repository\n")
    assert run("owner", "../shop2/x", "-C", place) == expected


def test_many_files_are_answered_in_the_order_they_were_named(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py")
    stdin = ["README.md", "src/a.py"]
    assert without_advice(
        run("owner", "x", "-", "y", "--file", "x", "-C", place, stdin=stdin)
    ) == Outcome(
        "x -> no graph coverage (file not found)\n"
        "README.md -> no graph coverage\n"
        "src/a.py -> a\n"
        "y -> no graph coverage (file not found)\n"
        "x -> no graph coverage (file not found)\n"
    )


def test_an_empty_stdin_is_an_empty_answer(tmp_path: Path) -> None:
    place = repository(tmp_path)
    assert run("owner", "-", "-C", place) == Outcome("")
    outcome = run("owner", "-", "--json", "-C", place)
    assert json.loads(outcome.text) == {"schema": "yg-owner/1", "files": [], "skipped": []}


def test_a_file_called_dash_is_named_by_its_path(tmp_path: Path) -> None:
    place = repository(tmp_path, dash="-")
    (tmp_path / "-").touch()
    assert run("owner", "./-", "-C", place) == Outcome("- -> dash\n")


def test_a_file_called_like_an_option_is_named_after_two_dashes(tmp_path: Path) -> None:
    place = repository(tmp_path, option="--json")
    expected = Outcome("--json -> option (not written yet)\n")
    assert run("owner", "-C", place, "--", "--json") == expected


def test_an_empty_name_is_wrong_usage(tmp_path: Path) -> None:
    place = repository(tmp_path)
    for argv in (("",), ("src/a.py", ""), ("--file", "")):
        expected = Outcome("", 2, "error: empty file name\n")
        assert run("owner", "-C", place, *argv) == expected


def test_names_are_shown_as_they_are_unless_they_play_with_the_terminal(tmp_path: Path) -> None:
    names = ("mit Leerzeichen.py", "größe.py", "日本.py", "e\x1b[31m\nvil.py", "\udcff.py")
    place = repository(tmp_path, **{"e\x1b[1m": "e\x1b[31m\nvil.py"})
    missing = "no graph coverage (file not found)\n"
    assert without_advice(run("owner", *names, "-C", place)) == Outcome(
        f"mit Leerzeichen.py -> {missing}"
        f"größe.py -> {missing}"
        f"日本.py -> {missing}"
        r"e\x1b[31m\nvil.py -> e\x1b[1m (not written yet)"
        "\n"
        rf"\377.py -> {missing}"
    )


def test_mappings_do_not_play_with_the_terminal_either(tmp_path: Path) -> None:
    place = repository(tmp_path, **{"n\x07": "d\x1b[2J"})
    outcome = run("owner", "d\x1b[2J/x.py", "/\x1b[2J", "-C", place)
    assert outcome == Outcome(
        r"d\x1b[2J/x.py -> n\x07 (file not found)"
        "\n" + comes_from(r"d\x1b[2J", r"'n\x07'") + r"/\x1b[2J -> outside the repository" + "\n"
    )


def test_data_shows_status_node_and_mapping(tmp_path: Path) -> None:
    place = repository(tmp_path, a="src/a.py", b="./src/b/")
    files = ("src/a.py", "src/b/gone.py", "README.md", "/")
    outcome = run("owner", "--json", *files, "-C", place)
    assert (outcome.code, outcome.notes) == (0, "")
    found = json.loads(outcome.text)["files"]
    assert [tuple(each.values()) for each in found] == [
        ("src/a.py", "owned", True, False, "a", "src/a.py", None, None, None, []),
        ("src/b/gone.py", "owned", False, False, "b", "src/b", None, None, None, []),
        ("README.md", "uncovered", True, False, None, None, None, None, "existing-code", []),
        ("/", "outside", True, False, None, None, None, None, None, []),
    ]


def test_a_file_of_the_graph_belongs_to_its_part(tmp_path: Path) -> None:
    files = {
        "model/a/yg-node.yaml": "name: A\ntype: service\n",
        "model/a/notes/more.md": "",
        "aspects/x/yg-aspect.yaml": "name: X\n",
        "aspects/x/rule.md": "",
        "flows/f/yg-flow.yaml": "name: F\nnodes: [a]\n",
    }
    place = str(write(tmp_path, files))
    graph = ".yggdrasil"
    asked = ("model/a/yg-node.yaml", "model/a/notes/more.md", "aspects/x/rule.md", "flows/f/x.md")
    outcome = run(
        "owner", *(f"{graph}/{file}" for file in asked), f"{graph}/yg-config.yaml", "-C", place
    )
    assert outcome == Outcome(
        f"{graph}/model/a/yg-node.yaml -> a (file of the graph)\n"
        f"{graph}/model/a/notes/more.md -> a (file of the graph)\n"
        f"{graph}/aspects/x/rule.md -> aspect x (file of the graph)\n"
        f"{graph}/flows/f/x.md -> flow f (file of the graph) (file not found)\n"
        f"{graph}/yg-config.yaml -> no node (file of the graph)\n"
    )
    both = (f"{graph}/aspects/x/rule.md", f"{graph}/yg-config.yaml")
    data = json.loads(run("owner", "--json", *both, "-C", place).text)
    found = [(each["status"], each["node"], each["aspect"]) for each in data["files"]]
    assert found == [("graph", None, "x"), ("graph", None, None)]
    assert faults_in(data) == []


def test_an_ignored_file_is_named_as_such_unless_it_is_mapped_itself(tmp_path: Path) -> None:
    place = repository(tmp_path, b="src/b", c="src/b/mapped.log")
    for name in ("x.log", "mapped.log", "tracked.py"):
        (tmp_path / "src/b" / name).touch()
    (tmp_path / ".gitignore").write_text("*.log\n")
    files = ("src/b/x.log", "src/b/mapped.log", "src/b/tracked.py")
    assert run("owner", *files, "-C", place) == Outcome(
        f"src/b/x.log -> b (ignored by git)\n{comes_from('src/b', 'b')}"
        "src/b/mapped.log -> c\n"
        f"src/b/tracked.py -> b\n{comes_from('src/b', 'b')}"
    )


def test_a_repository_reached_through_a_link_is_the_same(tmp_path: Path) -> None:
    place = repository(tmp_path / "there", a="src/a.py")
    os.symlink("there", tmp_path / "link")
    link = str(tmp_path / "link")
    expected = Outcome("src/a.py -> a\n")
    for start in (place, link):
        assert run("owner", "src/a.py", "-C", start) == expected
        assert run("owner", f"{place}/src/a.py", "-C", start) == expected
        assert run("owner", f"{link}/src/a.py", "-C", start) == expected


def test_a_linked_graph_belongs_to_the_repository_of_the_link(tmp_path: Path) -> None:
    repository(tmp_path / "there", a="src/a.py")
    os.symlink("there/.yggdrasil", tmp_path / ".yggdrasil")
    assert without_advice(
        run("owner", "src/a.py", "there/src/a.py", "-C", str(tmp_path))
    ) == Outcome("src/a.py -> a (not written yet)\nthere/src/a.py -> no graph coverage\n")


def test_a_link_in_the_repository_is_a_file_like_any_other(tmp_path: Path) -> None:
    place = repository(tmp_path, link="src/link.py")
    os.symlink("/nowhere", tmp_path / "src" / "link.py")
    assert run("owner", "src/link.py", "-C", place) == Outcome("src/link.py -> link\n")


def test_a_mapping_that_leaves_the_repository_owns_nothing(tmp_path: Path) -> None:
    place = repository(tmp_path, a="../src", b="/src", c="src/../..")
    expected = Outcome("src/a.py -> no graph coverage\n")
    assert without_advice(run("owner", "src/a.py", "-C", place)) == expected
