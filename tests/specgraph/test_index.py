"""Spec Graphs and the index: which files its results depend on."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from specgraph.graphs import Data, index_of, node, written
from specgraph.sketches import sketched_files
from support import private_folder, run, write
from yg.specgraph.context.sizes import Sizes
from yg.specgraph.model import SpecNode

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


def long(name: str, kind: str, characters: int, **changes: object) -> dict[str, str]:
    """Write a node with a long text."""
    saying = {"expectation" if kind == "behavior" else "statement": "x" * characters}
    return {
        f"specgraph/nodes/{name}.json": written({"id": name, **node(kind, **saying, **changes)})
    }


@pytest.mark.parametrize(
    ("edit", "large"),
    [
        (long("B", "behavior", 50_000), "AB"),
        (long("C", "behavior", 50_000), "C"),
        (long("P", "policy", 50_000, constrains=["C"]), "CP"),
        (long("C", "behavior", 9, depends_on=["B"]) | long("B", "behavior", 50_000), "ABC"),
        (long("B", "behavior", 50_000, metadata={"weight": 1 << 80}), "AB"),
    ],
    ids=["needed", "alone", "a guide", "another link", "a number that the index cannot hold"],
)
def test_contexts_are_measured_again_where_something_changed(
    tmp_path: Path, edit: dict[str, str], large: str
) -> None:
    sketch = ("A behavior: depends_on B", "B behavior", "C behavior", "P policy: constrains C")
    write_files(tmp_path, sketched_files(*sketch))
    for files, over in ((edit, large), (edit, large), (sketched_files(*sketch), "")):
        write_files(tmp_path, files)
        found = run("validate", "-C", str(tmp_path))
        assert found == run("validate", "-C", str(tmp_path), "--no-cache")
        assert "".join(re.findall(r"^W106 (\w+) ", found.text, re.MULTILINE)) == over


def test_a_context_that_nothing_changed_is_not_measured_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sketch = ("A behavior: depends_on B", "B behavior", "C behavior")
    write_files(tmp_path, sketched_files(*sketch))
    run("validate", "-C", str(tmp_path))
    write_files(tmp_path, long("B", "behavior", 9))
    measured: list[str] = []
    tokens = Sizes.tokens

    def watched(self: Sizes, node: SpecNode) -> int:
        measured.append(node.id)
        return tokens(self, node)

    monkeypatch.setattr(Sizes, "tokens", watched)
    run("validate", "-C", str(tmp_path))
    assert measured == ["A", "B"]
