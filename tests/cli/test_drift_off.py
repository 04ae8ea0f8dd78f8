"""`drift: off`: nodes whose files belong to someone, but are not compared with a baseline."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import CONFIG, run, write
from support import node_owning as node

STATE = ".yggdrasil/.drift-state"


def repository(root: Path, setting: str = "drift: off\n") -> Path:
    return write(
        root,
        {
            ".yggdrasil/yg-config.yaml": CONFIG,
            ".yggdrasil/model/a/yg-node.yaml": node("src"),
            ".yggdrasil/model/tests/yg-node.yaml": node("tests") + setting,
            "src/a.py": "a = 1\n",
            "tests/a.py": "b = 1\n",
        },
    )


def test_a_node_that_is_off_has_no_baseline_and_never_drifts(tmp_path: Path) -> None:
    root = repository(tmp_path)
    assert run("drift-sync", "-C", str(root), "--all").code == 0
    assert [path.name for path in (root / STATE).rglob("*.json")] == ["a.json"]
    write(root, {"tests/a.py": "b = 2\n"})
    outcome = run("drift", "-C", str(root))
    assert outcome.code == 0
    assert "1 ok, 1 not tracked\n" in outcome.text
    assert "1 ok, 1 not tracked\n" in run("status", "-C", str(root)).text
    found = json.loads(run("drift", "-C", str(root), "--json").text)
    assert [each["node"] for each in found["nodes"]] == ["a"]
    assert found["summary"]["not-tracked"] == 1


def test_its_files_have_an_owner(tmp_path: Path) -> None:
    root = repository(tmp_path)
    assert run("owner", "-C", str(root), "tests/a.py").code == 0
    outcome = run("coverage", "-C", str(root), "--fail-under", "100")
    assert outcome.code == 0, outcome


def test_it_is_left_out_of_a_plan_of_changes(tmp_path: Path) -> None:
    root = repository(tmp_path)
    found = json.loads(run("plan", "-C", str(root), "--changed", "--json").text)
    assert "tests" not in json.dumps(found["stages"])
    assert "tests" in run("plan", "-C", str(root)).text


def test_its_old_baseline_is_removed_when_all_nodes_are_recorded(tmp_path: Path) -> None:
    root = repository(tmp_path, "")
    run("drift-sync", "-C", str(root), "--all")
    repository(root)
    assert f"Removed: {STATE}/tests.json\n" in run("drift-sync", "-C", str(root), "--all").text


@pytest.mark.parametrize("argv", [("drift-sync", "tests"), ("drift", "tests")])
def test_a_command_about_it_alone_says_that_it_is_off(
    tmp_path: Path, argv: tuple[str, str]
) -> None:
    outcome = run(argv[0], "-C", str(repository(tmp_path)), argv[1])
    assert outcome.code != 0
    assert "tracked" in outcome.notes
    assert "drift: off" in outcome.notes


def test_on_is_the_standard(tmp_path: Path) -> None:
    root = repository(tmp_path, "drift: on\n")
    run("drift-sync", "-C", str(root), "--all")
    assert "2 ok\n" in run("drift", "-C", str(root)).text


@pytest.mark.parametrize("value", ["no", "false", "[off]", "1", "tolerate"])
def test_other_values_are_errors(tmp_path: Path, value: str) -> None:
    outcome = run("validate", "-C", str(repository(tmp_path, f"drift: {value}\n")))
    assert (outcome.code, "E001" in outcome.text) == (1, True)


def test_a_blackbox_records_no_facts(tmp_path: Path) -> None:
    root = repository(tmp_path, "blackbox: true\n")
    run("drift-sync", "-C", str(root), "--all")
    assert "code" not in json.loads((root / STATE / "tests.json").read_text())
    assert "code" in json.loads((root / STATE / "a.json").read_text())
    assert "1 ok" not in run("drift", "-C", str(root)).text
