"""`yg status --since REV`: what differs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from agent import SPEC_GRAPH
from schemas import faults
from support import git, run, write
from yggdrasil.rules.cases import CONFIG, NODE, SCHEMAS, calls

GRAPH = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    **dict.fromkeys([f".yggdrasil/{path}" for path in SCHEMAS], ""),
    ".yggdrasil/model/a/yg-node.yaml": NODE,
    ".yggdrasil/model/b/yg-node.yaml": NODE,
}


def committed(root: Path, files: Mapping[str, str | bytes]) -> Path:
    write(root, files)
    if not (root / ".git").exists():
        git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    return root


def test_numbers_and_nodes_that_differ_are_shown(tmp_path: Path) -> None:
    root = committed(tmp_path / "r", GRAPH)
    plain = run("status", "-C", str(root)).text
    assert run("status", "-C", str(root), "--since", "HEAD").text == (
        f"{plain}Since HEAD: no difference\n"
    )
    git(root, "rm", "-rq", ".yggdrasil/model/b")
    write(
        root,
        {
            ".yggdrasil/model/c/yg-node.yaml": calls("a"),
            ".yggdrasil/model/d/yg-node.yaml": calls("gone"),
        },
    )
    outcome = run("status", "-C", str(root), "--since", "HEAD")
    plain = run("status", "-C", str(root)).text
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text.removeprefix(plain).startswith(
        "Since HEAD:\n  Added 2 nodes: c, d\n  Removed 1 node: b\n"
        "  types service: 2 -> 3 (+1)\n  nodes: 2 -> 3 (+1)\n  structural: 0 -> 2 (+2)\n"
    )
    assert "  errors: 0 -> 1 (+1)\n" in outcome.text
    document = run("status", "-C", str(root), "--since", "HEAD", "--json").text
    assert faults(document) == []
    since = json.loads(document)["since"]
    assert (since["added"], since["removed"]) == (["c", "d"], ["b"])
    assert {"name": "nodes", "then": 2, "now": 3} in since["differences"]
    assert since["commit"] == git(root, "rev-parse", "HEAD")


def test_two_commits_can_be_compared(tmp_path: Path) -> None:
    root = committed(tmp_path, GRAPH)
    committed(root, {".yggdrasil/model/c/yg-node.yaml": NODE})
    text = run("status", "-C", str(root), "--at", "HEAD", "--since", "HEAD~1").text
    assert "Since HEAD~1:\n  Added 1 node: c\n" in text
    text = run("status", "-C", str(root), "--at", "HEAD~1", "--since", "HEAD").text
    assert "Since HEAD:\n  Removed 1 node: c\n" in text


def test_a_spec_graph_is_compared_too(tmp_path: Path) -> None:
    root = committed(tmp_path, SPEC_GRAPH)
    assert run("status", "-C", str(root), "--since", "HEAD").text.endswith(
        "Since HEAD: no difference\n"
    )
    added = run(
        "node", "add", "feature", "X", "--title", "Title", "--statement", "It is.", "-C", str(root)
    )
    assert added.code == 0
    document = run("status", "-C", str(root), "--since", "HEAD", "--json").text
    assert faults(document) == []
    assert json.loads(document)["since"]["added"] == ["X"]


@pytest.mark.parametrize(
    ("revision", "message"), [("nope", "there is no revision 'nope'"), ("first", "there is no ")]
)
def test_a_commit_without_a_graph_is_refused(tmp_path: Path, revision: str, message: str) -> None:
    root = committed(tmp_path, {"x": ""})
    git(root, "tag", "first")
    committed(root, GRAPH)
    outcome = run("status", "-C", str(root), "--since", revision)
    assert (outcome.text, outcome.code) == ("", 1)
    assert outcome.notes.startswith(f"error: {message}")
