"""`yg status`: the graph in numbers, whatever state it is in."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from schemas import faults
from support import run
from support import write as write_files
from yg.surfaces.cli.outcome import Outcome
from yggdrasil.rules.cases import CONFIG, NODE, SCHEMAS, boxed, calls, maps

COUNTED = {
    "model/a/yg-node.yaml": maps("src/a.py"),
    "model/a/responsibility.md": "What this node is there for, in some fifty characters.\n",
    "model/b/yg-node.yaml": calls("a", "old"),
    "model/old/yg-node.yaml": boxed(NODE),
}


def write(root: Path, files: Mapping[str, str]) -> Path:
    graph = {"yg-config.yaml": CONFIG, **dict.fromkeys(SCHEMAS, ""), **files}
    every = {"src/a.py": "", **{f".yggdrasil/{path}": text for path, text in graph.items()}}
    return write_files(root, every)


def test_a_graph_is_told_in_the_layout_of_the_specification(tmp_path: Path) -> None:
    outcome = run("status", "-C", str(write(tmp_path, COUNTED)))
    assert (
        outcome.text
        == """\
Graph: test
Nodes: 2 (2 services) + 1 blackbox
Relations: 2 structural, 0 event
Aspects: 0  Flows: 0
Drift: 1 source-drift, 0 graph-drift, 0 full-drift, 0 missing, 0 unmaterialized, 0 ok
Validation: 0 errors, 0 warnings
Quality:
  Artifacts: 1/2 slots filled (50%) — 1 types \N{MULTIPLICATION SIGN} 2 nodes
  Relations: avg 1.0/node, max 2 (b)
  Mapping: 1/2 nodes mapped to source
  Aspects: 0/2 nodes have aspect coverage
  Packages: avg 47 tokens, max 52 (b), 0 near the threshold of 10000
"""
    )
    assert (outcome.code, outcome.notes) == (0, "")


def test_packages_near_the_threshold_are_counted(tmp_path: Path) -> None:
    config = f"{CONFIG}quality: {{context_budget: {{warning: 60, error: 200}}}}\n"
    root = str(write(tmp_path, {**COUNTED, "yg-config.yaml": config}))
    line = "  Packages: avg 47 tokens, max 52 (b), 1 near the threshold of 60\n"
    assert line in run("status", "-C", root).text
    assert json.loads(run("status", "-C", root, "--json").text)["packages"] == {
        "count": 2,
        "largest": "b",
        "largest_tokens": 52,
        "average_tokens": 47,
        "near": 1,
        "warning": 60,
    }
    write(tmp_path, {**COUNTED, "yg-config.yaml": config, "model/a/responsibility.md": "x" * 400})
    assert "max 139 (b), 2 near" in run("status", "-C", root).text


def test_validation_is_counted_and_errors_do_not_make_it_fail(tmp_path: Path) -> None:
    files = {**COUNTED, "model/b/yg-node.yaml": f"{calls('gone', 'gone')}zzz: 1\n"}
    outcome = run("status", "-C", str(write(tmp_path, files)))
    assert "\nValidation: 1 error, 2 warnings\n" in outcome.text
    assert outcome.code == 0


def test_a_node_that_cannot_be_read_is_not_counted_and_not_kept_quiet(tmp_path: Path) -> None:
    files = {**COUNTED, "model/bad/yg-node.yaml": ""}
    outcome = run("status", "-C", str(write(tmp_path, files)))
    assert "\nNodes: 2 (2 services) + 1 blackbox\n" in outcome.text
    assert "\nValidation: 1 error, 0 warnings\n" in outcome.text
    assert "bad" in outcome.notes


def test_an_empty_graph_has_numbers_too(tmp_path: Path) -> None:
    outcome = run("status", "-C", str(write(tmp_path, {})))
    assert "\nNodes: 0 + 0 blackbox\n" in outcome.text
    assert outcome.code == 0


@pytest.mark.parametrize("files", [{}, COUNTED, {**COUNTED, "model/bad/yg-node.yaml": ""}])
def test_json_follows_its_schema(tmp_path: Path, files: dict[str, str]) -> None:
    outcome = run("status", "-C", str(write(tmp_path, files)), "--json")
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])


def test_json_and_text_tell_the_same_numbers(tmp_path: Path) -> None:
    root = str(write(tmp_path, COUNTED))
    text = run("status", "-C", root).text
    data = json.loads(run("status", "-C", root, "--json").text)
    drift = ", ".join(f"{count} {state}" for state, count in data["drift"].items())
    types = ", ".join(f"{count} {name}s" for name, count in data["types"].items())
    for line in (
        f"Graph: {data['project']}",
        f"Nodes: {data['nodes']} ({types}) + {data['blackboxes']} blackbox",
        f"Relations: {data['structural']} structural, {data['events']} event",
        f"Aspects: {data['aspects']}  Flows: {data['flows']}",
        f"Drift: {drift}",
        f"Validation: {data['errors']} errors, {data['warnings']} warnings",
        f"  Mapping: {data['mapped']}/{data['nodes']} nodes mapped to source",
    ):
        assert f"{line}\n" in text


def test_without_a_graph_it_fails(tmp_path: Path) -> None:
    outcome = run("status", "-C", str(tmp_path))
    assert (outcome.text, outcome.code) == ("", 1)
    assert "No .yggdrasil/ directory found." in outcome.notes


@pytest.mark.parametrize("argv", [("a",), ("--format", "sarif"), ("--scope", "a")])
def test_wrong_usage_is_told(tmp_path: Path, argv: tuple[str, ...]) -> None:
    outcome = run("status", "-C", str(write(tmp_path, COUNTED)), *argv)
    assert (outcome.text, outcome.code) == ("", 2)


def test_hostile_names_stay_on_their_line(tmp_path: Path) -> None:
    files = {
        "yg-config.yaml": CONFIG.replace("name: test", 'name: "a\\nb\\e[31m"'),
        "model/x\ny/yg-node.yaml": calls("x"),
    }
    outcome = run("status", "-C", str(write(tmp_path, files)))
    assert outcome.text.startswith("Graph: a\\nb\\x1b[31m\n")
    assert outcome.text.count("\n") == 12


def test_a_commit_has_numbers_and_no_drift(tmp_path: Path) -> None:
    write(tmp_path, COUNTED)
    for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "then")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    now = run("status", "-C", str(tmp_path)).text
    (tmp_path / ".yggdrasil" / "model" / "b" / "yg-node.yaml").unlink()
    then = run("status", "--at", "HEAD", "-C", str(tmp_path))
    drift = next(line for line in now.splitlines(keepends=True) if line.startswith("Drift: "))
    assert (then.text, then.code, then.notes) == (now.replace(drift, ""), 0, "")
    data = run("status", "--at", "HEAD", "--json", "-C", str(tmp_path))
    assert (json.loads(data.text)["drift"], faults(data.text)) == (None, [])


def old_state(root: Path) -> None:
    """Put all baselines of a graph into one file, as earlier versions did."""
    folder = root / ".yggdrasil" / ".drift-state"
    nodes = {
        file.relative_to(folder).with_suffix("").as_posix(): json.loads(file.read_text("utf-8"))
        for file in sorted(folder.rglob("*.json"))
    }
    shutil.rmtree(folder)
    folder.write_text(json.dumps(nodes), encoding="utf-8")


@pytest.mark.parametrize("options", [(), ("--no-cache",)])
def test_baselines_in_one_file_give_the_same_answer_every_time(
    tmp_path: Path, options: tuple[str, ...]
) -> None:
    root = write(tmp_path, COUNTED)
    assert run("drift-sync", "--all", "-C", str(root)).code == 0
    expected = run("status", "-C", str(root)).text
    assert "0 unmaterialized, 1 ok\n" in expected
    old_state(root)
    first = run("status", "-C", str(root), *options)
    assert (first.text, first.notes.count("was converted")) == (expected, 1)
    assert run("status", "-C", str(root), *options) == Outcome(expected)


def test_plan_and_preflight_count_baselines_in_one_file(tmp_path: Path) -> None:
    root = write(tmp_path, COUNTED)
    run("drift-sync", "--all", "-C", str(root))
    for command in (("plan", "--changed"), ("preflight",), ("drift",)):
        expected = run(*command, "-C", str(root))
        old_state(root)
        first = run(*command, "-C", str(root))
        assert (first.text, first.code) == (expected.text, expected.code), command
