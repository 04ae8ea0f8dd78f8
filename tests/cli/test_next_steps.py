"""What `drift` advises can be done, and what `drift-sync` prints names its node."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import NODE, run, write_graph
from yg.surfaces.cli.outcome import Outcome

TWO_PATHS = f"{NODE}mapping: {{paths: [src/a.py, src/b.py]}}\n"


def repository(root: Path) -> str:
    write_graph(root, {"model/n/yg-node.yaml": TWO_PATHS, "model/n/responsibility.md": "It is.\n"})
    (root / "src").mkdir()
    (root / "src" / "a.py").write_text("a = 1\n", encoding="utf-8")
    return str(root)


def steps(root: str) -> list[str]:
    lines = run("drift", "-C", root).text.splitlines()
    return [line.removeprefix("  Next: ") for line in lines if "Next:" in line]


def test_a_node_without_baseline_and_with_a_missing_file_is_completed_first(
    tmp_path: Path,
) -> None:
    root = repository(tmp_path)
    assert steps(root) == ["write src/b.py, or correct the mapping; then run: yg drift-sync n"]
    node = json.loads(run("drift", "-C", root, "--json").text)["nodes"][0]
    assert (node["baseline"], node["missing_paths"]) == (False, ["src/b.py"])
    assert run("drift-sync", "n", "-C", root).code == 1
    (tmp_path / "src" / "b.py").write_text("b = 1\n", encoding="utf-8")
    assert steps(root) == ["compare code and graph, then run: yg drift-sync n"]
    assert run("drift-sync", "n", "-C", root).code == 0


def test_a_node_that_lost_a_file_is_completed_first(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (tmp_path / "src" / "b.py").write_text("b = 1\n", encoding="utf-8")
    run("drift-sync", "n", "-C", root)
    (tmp_path / "src" / "b.py").unlink()
    (tmp_path / ".yggdrasil/model/n/responsibility.md").write_text("New.\n", encoding="utf-8")
    assert steps(root) == ["write src/b.py, or correct the mapping; then run: yg drift-sync n"]


def test_a_node_that_has_not_changed_is_named_with_its_hash(tmp_path: Path) -> None:
    root = repository(tmp_path)
    (tmp_path / "src" / "b.py").write_text("b = 1\n", encoding="utf-8")
    run("drift-sync", "n", "-C", root)
    state = json.loads((tmp_path / ".yggdrasil/.drift-state/n.json").read_text(encoding="utf-8"))
    expected = f"Unchanged: n\n  Hash: {state['hash'][:8]}\n"
    assert run("drift-sync", "n", "-C", root) == Outcome(expected)
    assert run("drift-sync", "--all", "-C", root) == Outcome("Unchanged: 1 node\n")


def test_a_newer_format_is_mentioned_every_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))  # so that answers are kept
    root = repository(tmp_path)
    config = tmp_path / ".yggdrasil" / "yg-config.yaml"
    text = config.read_text(encoding="utf-8").replace("2.2.0", "3.1.0")
    config.write_text(text, encoding="utf-8")
    note = "warning: the graph has format 3.1.0; this yg knows formats up to 3.0.0\n"
    for command in ("drift", "validate", "status"):
        assert [run(command, "-C", root).notes for _ in range(3)] == [note] * 3, command


def test_without_a_graph_no_file_has_an_owner(tmp_path: Path) -> None:
    expected = "src/x -> no graph here\n../y -> no graph here\n"
    assert run("owner", "src/x", "../y", "-C", str(tmp_path)) == Outcome(expected)
    found = json.loads(run("owner", "src/x", "-C", str(tmp_path), "--json").text)["files"]
    assert [(file["status"], file["exists"]) for file in found] == [("no-graph", False)]
