"""`yg export`: what is in it by default, what can be chosen, and what makes no sense."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from schemas import faults
from support import CONFIG, NODE, files_below, run, write, write_graph

MAPPED = "name: A\ntype: service\nmapping: {paths: [a.py]}\n"
OLD = {
    "yggdrasil/config.yaml": "name: old\n",
    "yggdrasil/a/node.yaml": "name: A\ntype: thing\ntags: [t]\n",
    "yggdrasil/aspects/t.yaml": "name: T\ntag: t\n",
}


def exported(*argv: str) -> dict[str, Any]:
    """Export as JSON, which follows its schema."""
    outcome = run("export", "--json", *argv)
    assert (outcome.code, outcome.notes, faults(outcome.text)) == (0, "", [])
    document: dict[str, Any] = json.loads(outcome.text)
    return document


def drifts(document: dict[str, Any]) -> dict[str, str]:
    return {node["path"]: node["drift"] for node in document["nodes"]}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    write(tmp_path, {"a.py": "1\n"})
    write_graph(tmp_path, {"model/a/yg-node.yaml": MAPPED, "model/b/yg-node.yaml": NODE})
    return tmp_path


def test_drift_is_in_data_but_not_in_pictures_unless_asked_for(repository: Path) -> None:
    here = ("-C", str(repository))
    run("drift-sync", "--all", *here)
    write(repository, {"a.py": "2\n"})
    assert drifts(exported(*here)) == {"a": "source-drift", "b": ""}
    assert drifts(exported(*here, "--no-drift")) == {"a": "", "b": ""}
    for form, is_told in (("graphml", True), ("csv", True), ("cypher", True), ("dot", False)):
        assert ("source-drift" in run("export", *here, "--format", form).text) == is_told
    assert "source-drift" in run("export", *here, "--format", "mermaid", "--drift").text


def test_only_the_drift_of_the_neighbourhood_is_looked_at(repository: Path) -> None:
    assert drifts(exported("b", "-C", str(repository))) == {"b": ""}


def test_a_commit_has_no_drift(repository: Path) -> None:
    for argv in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run(["git", *argv], cwd=repository, check=True)
    write_graph(repository, {"model/c/yg-node.yaml": NODE})
    assert drifts(exported("--at", "HEAD", "-C", str(repository))) == {"a": "", "b": ""}
    outcome = run("export", "--at", "HEAD", "--drift", "-C", str(repository))
    assert (outcome.code, outcome.text) == (2, "")
    assert "--drift reads the work tree" in outcome.notes


def test_0x_graphs_are_exported_without_drift(tmp_path: Path) -> None:
    here = ("-C", str(write(tmp_path, OLD)))
    document = exported(*here)
    assert (document["graph"], document["repository"]) == ("yggdrasil-0x", "old")
    assert [node["id"] for node in document["nodes"]] == ["old:node:a", "old:aspect:t.yaml"]
    refused = run("export", "--drift", *here)
    assert (refused.code, refused.text) == (1, "")
    assert "no baselines" in refused.notes


def test_ids_begin_with_the_name_that_is_given(repository: Path) -> None:
    here = ("-C", str(repository))
    assert [node["id"] for node in exported(*here)["nodes"]] == ["test:node:a", "test:node:b"]
    named = exported(*here, "--repository", "acme/shop")
    assert [node["id"] for node in named["nodes"]] == ["acme/shop:node:a", "acme/shop:node:b"]
    assert {node["repository"] for node in named["nodes"]} == {"acme/shop"}


def test_a_graph_without_a_name_has_that_of_its_directory(tmp_path: Path) -> None:
    nameless = {"yg-config.yaml": CONFIG.replace("name: test\n", ""), "model/a/yg-node.yaml": NODE}
    outcome = run("export", "--format", "csv", "-C", str(write_graph(tmp_path / "here", nameless)))
    assert "here:node:a," in outcome.text


def test_what_cannot_be_read_is_reported(tmp_path: Path) -> None:
    here = str(
        write_graph(
            tmp_path,
            {
                "model/a/yg-node.yaml": "name: [\n",
                "aspects/x/yg-aspect.yaml": "name: 1\n",
                "flows/f/yg-flow.yaml": "name: 1\n",
            },
        )
    )
    outcome = run("export", "--format", "csv", "-C", here)
    assert outcome.code == 0
    assert [line.split(":")[0] for line in outcome.notes.splitlines()] == [
        "skipped a",
        "skipped aspects/x",
        "skipped flows/f",
    ]
    document = exported("-C", here)
    assert [node["presence"] for node in document["nodes"]] == ["unreadable"] * 3
    assert [entry["subject"] for entry in document["skipped"]] == ["a", "aspects/x", "flows/f"]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (("--table", "edges"), "--table requires --format csv or parquet"),
        (("--table", "aspects"), "invalid choice: 'aspects'"),
        (("--texts",), "--texts requires --format sql"),
        (("--format", "csv", "--texts"), "Otherwise choose --table texts."),
        (("--format", "parquet"), "--format parquet requires a file"),
        (("a", "--format", "sql"), "--format sql replaces the whole graph"),
        (("--depth", "1"), "--depth requires a node"),
        (("--depth", "x", "a"), "expected a number >= 0, got 'x'"),
        (("--repository", ""), "empty repository name"),
        (("a", "--node", "b"), "two nodes given: 'a' and 'b'"),
        (("--format", "text"), "invalid choice: 'text'"),
    ],
)
def test_nonsense_is_refused(repository: Path, argv: tuple[str, ...], message: str) -> None:
    outcome = run("export", *argv, "-C", str(repository))
    assert (outcome.code, outcome.text) == (2, "")
    assert message in outcome.notes


def test_an_export_writes_nothing_but_the_index(repository: Path) -> None:
    before = files_below(repository)
    run("export", "-C", str(repository), "--no-cache")
    assert files_below(repository) == before
