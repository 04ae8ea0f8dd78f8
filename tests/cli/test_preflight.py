"""`yg preflight`: drift, numbers and errors in one look."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from schemas import faults
from support import git, run
from support import write as write_files
from yggdrasil.rules.cases import CONFIG, NODE, SCHEMAS, calls, maps

MAPPED = {"model/a/yg-node.yaml": maps("src/a.py"), "model/b/yg-node.yaml": calls("a")}
BROKEN = {**MAPPED, "model/b/yg-node.yaml": calls("gone")}
SUMMARY = """\
Graph: test
Nodes: 2 (2 services) + 0 blackbox
Relations: 1 structural, 0 event
Aspects: 0  Flows: 0
Mapping: 1/2 nodes mapped to source
"""


def write(root: Path, files: Mapping[str, str]) -> Path:
    graph = {"yg-config.yaml": CONFIG, **dict.fromkeys(SCHEMAS, ""), **files}
    every = {"src/a.py": "", **{f".yggdrasil/{path}": text for path, text in graph.items()}}
    return write_files(root, every)


def synced(root: Path, files: Mapping[str, str]) -> str:
    """Write a graph whose mapped nodes have baselines."""
    place = str(write(root, files))
    assert run("drift-sync", "-C", place, "--all").code == 0
    return place


def test_a_graph_in_order_is_clean(tmp_path: Path) -> None:
    outcome = run("preflight", "-C", synced(tmp_path, MAPPED))
    assert (
        outcome.text
        == f"""\
Drift: none

{SUMMARY}\
Drift: 0 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 1 ok
Validation: 0 errors, 0 warnings
"""
    )
    assert (outcome.code, outcome.notes) == (0, "")


def test_of_a_large_cycle_preflight_and_refusals_list_a_part_and_validate_all(
    tmp_path: Path,
) -> None:
    nodes = {f"model/n{at:02}/yg-node.yaml": calls(f"n{(at + 1) % 60:02}") for at in range(60)}
    place = str(write(tmp_path, nodes))
    last = "  Reverse or remove one of them"
    for command in (("preflight",), ("build-context", "n00")):
        outcome = run(*command, "-C", place)
        text = (outcome.text + outcome.notes).partition("E010 ")[2]
        lines = text.split("\n")
        assert lines[2:4] == ["  Relations on a cycle:", "    n00 -> n01"]
        assert lines[20] == "    .. and 43 more (yg validate)"
        assert lines[21].startswith(last)
        assert text.count(" -> n") == 17 + 1 + lines[0].count(" -> n") - 1
    everything = run("validate", "-C", place).text
    assert [line for line in everything.split("\n") if line.startswith("    n")] == [
        f"    n{at:02} -> n{(at + 1) % 60:02}" for at in range(60)
    ]


def test_drift_is_listed_by_node_and_makes_it_fail(tmp_path: Path) -> None:
    place = synced(tmp_path, MAPPED)
    (tmp_path / "src" / "a.py").write_text("changed\n", encoding="utf-8")
    outcome = run("preflight", "-C", place)
    assert (
        outcome.text
        == f"""\
Drift:
  a source-drift
  'yg drift --drifted-only' shows what changed

{SUMMARY}\
Drift: 1 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 0 ok
Validation: 0 errors, 0 warnings
"""
    )
    assert outcome.code == 1


def test_quick_leaves_drift_out_and_says_so(tmp_path: Path) -> None:
    outcome = run("preflight", "-C", str(write(tmp_path, MAPPED)), "--quick")
    assert (
        outcome.text
        == f"""\
Drift: skipped (--quick)

{SUMMARY}\
Validation: 0 errors, 0 warnings
"""
    )
    assert outcome.code == 0


def test_errors_are_shown_in_full_and_make_it_fail(tmp_path: Path) -> None:
    outcome = run("preflight", "-C", str(write(tmp_path, BROKEN)), "--quick")
    assert (
        outcome.text
        == f"""\
Drift: skipped (--quick)

{SUMMARY}\
Validation: 1 error, 0 warnings

E004 b -> relation to 'gone' does not resolve.
  .yggdrasil/model/b/yg-node.yaml:4:14
  Existing nodes in model/: a
"""
    )
    assert outcome.code == 1


SURPRISING = {"model/a/yg-node.yaml": f"{NODE}zzz: 1\n"}


def test_warnings_are_listed_as_validate_does_and_do_not_make_it_fail(tmp_path: Path) -> None:
    root = str(write(tmp_path, SURPRISING))
    outcome = run("preflight", "-C", root, "--quick")
    listed, _ = run("validate", "-C", root).text.split("\n\n")
    assert listed.startswith("W016 a -> unknown key 'zzz'.\n")
    assert outcome.text.endswith(f"Validation: 0 errors, 1 warning\n\n{listed}\n")
    assert outcome.code == 0
    document = json.loads(run("preflight", "-C", root, "--quick", "--json").text)
    assert [issue["code"] for issue in document["issues"]] == ["W016"]


def test_a_warning_that_the_configuration_raises_makes_it_fail(tmp_path: Path) -> None:
    files = {**SURPRISING, "yg-config.yaml": f"{CONFIG}rules: {{W016: error}}\n"}
    outcome = run("preflight", "-C", str(write(tmp_path, files)), "--quick")
    assert "Validation: 1 error, 0 warnings\n" in outcome.text
    assert outcome.code == 1


def unowned(root: Path) -> list[str]:
    found: list[str] = json.loads(run("preflight", "-C", str(root), "--json").text)["unowned"]
    return found


def test_changed_files_without_an_owner_are_named(tmp_path: Path) -> None:
    root = tmp_path / "repository"
    write(root, MAPPED)
    for name in ("README.md", "gone.md", "same.md"):
        (root / name).write_text("1\n", encoding="utf-8")
    assert unowned(root) == []  # there is no git here
    git(root, "init", "-q")
    assert unowned(root) == ["README.md", "gone.md", "same.md"]  # nothing is committed yet
    git(root, "add", ".")
    git(root, "commit", "-qm", "x")
    assert unowned(root) == []
    (root / "README.md").write_text("2\n", encoding="utf-8")
    (root / "gone.md").unlink()
    (root / "src" / "a.py").write_text("2\n", encoding="utf-8")
    (root / "new\x1b.md").write_text("3\n", encoding="utf-8")
    assert unowned(root) == ["README.md", "new\x1b.md"]
    assert unowned(root / "src") == unowned(root)
    text = run("preflight", "-C", str(root), "--quick").text
    assert text.startswith(
        "Drift: skipped (--quick)\n\n"
        "Changed files without an owner:\n  README.md\n  new\\x1b.md\n\n"
        "Graph: test\n"
    )
    assert run("preflight", "-C", str(root), "--quick").code == 0


def test_many_changed_files_without_an_owner_are_counted(tmp_path: Path) -> None:
    write(tmp_path, MAPPED)
    git(tmp_path, "init", "-q")
    for number in range(15):
        (tmp_path / f"{number:02}.md").write_text("", encoding="utf-8")
    text = run("preflight", "-C", str(tmp_path), "--quick").text
    assert "  09.md\n  .. and 5 more (yg coverage --uncovered)\n\nGraph: test\n" in text


@pytest.mark.parametrize("quick", [(), ("--quick",)])
@pytest.mark.parametrize("files", [{}, MAPPED, BROKEN, {**MAPPED, "model/c/yg-node.yaml": ""}])
def test_json_follows_its_schema(
    tmp_path: Path, files: dict[str, str], quick: tuple[str, ...]
) -> None:
    outcome = run("preflight", "-C", str(write(tmp_path, files)), "--json", *quick)
    assert (outcome.notes, faults(outcome.text)) == ("", [])


def test_json_holds_the_drift_of_every_node_and_every_error(tmp_path: Path) -> None:
    root = str(write(tmp_path, BROKEN))
    whole = json.loads(run("preflight", "-C", root, "--json").text)
    quick = json.loads(run("preflight", "-C", root, "--json", "--quick").text)
    assert [(node["node"], node["state"]) for node in whole["drift"]["nodes"]] == [
        ("a", "source-drift")
    ]
    assert quick["drift"] is None
    assert [issue["code"] for issue in whole["issues"]] == ["E004"]
    assert whole["issues"] == quick["issues"]


@pytest.mark.parametrize("form", ["text", "json"])
@pytest.mark.parametrize(("files", "code"), [(MAPPED, 0), (BROKEN, 1)])
def test_the_exit_code_does_not_depend_on_the_format(
    tmp_path: Path, files: dict[str, str], code: int, form: str
) -> None:
    root = str(write(tmp_path, files))
    assert run("preflight", "-C", root, "--quick", "--format", form).code == code
    assert run("preflight", "-C", root, "--format", form).code == 1


def test_without_a_graph_it_fails(tmp_path: Path) -> None:
    outcome = run("preflight", "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert "No .yggdrasil/ directory found." in outcome.notes


@pytest.mark.parametrize("argv", [("a",), ("--slow",), ("--format", "junit")])
def test_wrong_usage_is_reported(tmp_path: Path, argv: tuple[str, ...]) -> None:
    outcome = run("preflight", "-C", str(write(tmp_path, MAPPED)), *argv)
    assert (outcome.text, outcome.code) == ("", 2)
