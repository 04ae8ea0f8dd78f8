"""Spec Graphs and the index: which files its results depend on."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from specgraph.graphs import Data, index_of, node, written
from specgraph.sketches import sketched_files
from support import private_folder, run, write

if TYPE_CHECKING:
    from support import Content

COMMANDS = (
    ("status",),
    ("validate", "--json"),
    ("build-context", "A"),
    ("find", "title"),
    ("tree",),
)


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


def write_files(root: Path, files: Mapping[str, Content]) -> None:
    """Write the files of a graph."""
    write(root, {path: text for path, text in files.items() if isinstance(text, str)})


def hidden(**changes: object) -> dict[str, str]:
    """Write a node in a hidden directory."""
    return {"specgraph/.hidden/A.json": written({"id": "A", **node("behavior", **changes)})}


def test_a_change_in_a_hidden_directory_is_noticed(tmp_path: Path) -> None:
    index: Data = index_of({"A": {}})
    index["nodes"][0]["path"] = ".hidden/A.json"
    write(tmp_path, {"specgraph/graph.json": written(index), **hidden(depends_on=["GONE"])})
    for changes in ({"title": "Another title"}, {"contains": ["A"]}, {"title": "A third one"}):
        for _ in range(2):
            for argv in COMMANDS:
                with_index = run(*argv, "-C", str(tmp_path))
                assert with_index == run(*argv, "-C", str(tmp_path), "--no-cache")
        write(tmp_path, hidden(**changes))


def test_one_file_can_be_listed_under_two_ids(tmp_path: Path) -> None:
    index: Data = index_of({"A": {}, "B": {}})
    index["nodes"][1]["path"] = "nodes/A.json"
    write_files(tmp_path, sketched_files("A behavior"))
    write(tmp_path, {"specgraph/graph.json": written(index)})
    for _ in range(3):
        for argv in (*COMMANDS, ("build-context", "B")):
            with_index = run(*argv, "-C", str(tmp_path))
            assert with_index == run(*argv, "-C", str(tmp_path), "--no-cache")


def test_the_index_is_in_the_cache_directory_of_the_user(tmp_path: Path) -> None:
    write_files(tmp_path, sketched_files("A behavior"))
    run("validate", "-C", str(tmp_path))
    assert sorted(os.listdir(private_folder(tmp_path, "specgraph"))) == ["index.db", "root"]
    assert sorted(os.listdir(tmp_path / "specgraph")) == ["graph.json", "nodes"]


def test_an_index_that_git_tracks_is_neither_read_nor_written(tmp_path: Path) -> None:
    write_files(tmp_path, sketched_files("A behavior"))
    run("validate", "-C", str(tmp_path))
    cache = tmp_path / "specgraph/.cache"
    shutil.copytree(private_folder(tmp_path, "specgraph"), cache)
    for arguments in (("init", "--quiet"), ("add", "--force", "specgraph/.cache")):
        subprocess.run(["git", "-C", tmp_path, *arguments], check=True)
    before = {path.name: path.read_bytes() for path in cache.iterdir()}
    write(tmp_path, {"specgraph/nodes/A.json": "{"})
    for _ in range(2):
        outcome = run("validate", "-C", str(tmp_path))
        assert outcome.notes == (
            "warning: git tracks specgraph/.cache/, which yg does not use; it can be deleted\n"
        )
        assert "E102" in outcome.text
    assert {path.name: path.read_bytes() for path in cache.iterdir()} == before


def test_after_an_edit_only_that_file_is_decoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, sketched_files("A behavior", "B behavior", "C feature: contains A B"))
    run("status", "-C", str(tmp_path))
    write(tmp_path, {"specgraph/nodes/B.json": written({"id": "B", **node("policy")})})
    decoded: list[str] = []

    def decode(text: str) -> object:
        decoded.append(json.loads(text)["id"])
        return json.loads(text)

    monkeypatch.setattr("yg.specgraph.read.reader.quick_json", decode)
    assert "policy" in run("status", "-C", str(tmp_path)).text
    assert decoded == ["B"]
