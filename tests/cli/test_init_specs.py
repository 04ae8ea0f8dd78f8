"""`yg init --kind specgraph`: a graph that is valid at once, and nothing overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schemas import faults
from support import files_below, run, write
from yg.disk.writing.journal import commit
from yg.disk.writing.lock import writing
from yg.specgraph.edit.start import group_id, new_specs
from yg.surfaces.cli.outcome import Outcome

INIT = ("init", "--kind", "specgraph")


def test_a_new_graph_is_valid_and_can_be_written_to(tmp_path: Path) -> None:
    place = str(tmp_path)
    outcome = run(*INIT, "--name", "Shop", "-C", place)
    assert (outcome.code, outcome.notes) == (0, "")
    assert outcome.text.startswith("write   specgraph/nodes/features/SHOP.json (")
    assert run("validate", "-C", place) == Outcome("No issues found. 2 nodes checked.\n")
    added = ("--title", "Hello", "--statement", "It says hello.", "--verification", "make test")
    assert run("node", "add", "behavior", "SHOP-02", *added, "-C", place).code == 0
    assert run("link", "SHOP", "contains", "SHOP-02", "-C", place).code == 0
    assert run("validate", "-C", place) == Outcome("No issues found. 3 nodes checked.\n")


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    place = str(tmp_path)
    assert run(*INIT, "-C", place).code == 0
    before = files_below(tmp_path)
    again = run(*INIT, "--name", "Other", "-C", place)
    assert again == Outcome("Nothing to write: there is a Spec Graph already.\n")
    assert files_below(tmp_path) == before


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    outcome = run(*INIT, "--dry-run", "--json", "-C", str(tmp_path))
    assert (outcome.code, faults(outcome.text)) == (0, [])
    assert len(json.loads(outcome.text)["edits"]) == 3
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file", ["specgraph/nodes/behaviors/A.json", "specgraph/models.py"])
def test_a_folder_that_is_something_else_is_kept(tmp_path: Path, file: str) -> None:
    write(tmp_path, {file: "mine"})
    outcome = run(*INIT, "-C", str(tmp_path))
    assert (outcome.code, outcome.text) == (1, "")
    assert outcome.notes.startswith("error: specgraph/ has files but no graph.json\n")
    assert files_below(tmp_path) == {file: "mine"}


def test_a_file_or_a_link_in_the_place_of_the_folder_is_kept(tmp_path: Path) -> None:
    write(tmp_path, {"file/specgraph": "mine"})
    (tmp_path / "link").mkdir()
    (tmp_path / "link" / "specgraph").symlink_to(tmp_path / "elsewhere")
    for place in ("file", "link"):
        assert run(*INIT, "-C", str(tmp_path / place)).code == 1
    assert (tmp_path / "file/specgraph").read_text() == "mine"
    assert not (tmp_path / "elsewhere").exists()


def test_an_interrupted_run_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = str(tmp_path)
    edits = new_specs("Shop")
    with monkeypatch.context() as patch, writing(root, "specgraph"):
        patch.setattr("yg.disk.writing.journal._remove", lambda _root, _folder: None)
        commit(root, "specgraph", edits, {})
    (tmp_path / "specgraph/graph.json").unlink()
    assert run(*INIT, "-C", root).code == 0
    assert run("validate", "-C", root).code == 0


def test_a_graph_below_another_one_must_be_asked_for(tmp_path: Path) -> None:
    assert run(*INIT, "-C", str(tmp_path)).code == 0
    (tmp_path / "part").mkdir()
    assert run(*INIT, "-C", str(tmp_path / "part")).code == 1
    assert run(*INIT, "--nested", "-C", str(tmp_path / "part")).code == 0


@pytest.mark.parametrize("option", [("--platform", "codex"), ("--upgrade",), ("--name", " ")])
def test_options_of_the_other_kind_are_refused(tmp_path: Path, option: tuple[str, ...]) -> None:
    assert run(*INIT, *option, "-C", str(tmp_path)).code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("shop", "SHOP"),
        ("my shop 2", "MY-SHOP-2"),
        ("2nd", "ND"),
        ("Äpfel", "PFEL"),
        ("", "APP"),
        ("--", "APP"),
        ("\udcff", "APP"),
        ("a" * 30, "A" * 20),
    ],
)
def test_the_first_node_is_named_for_the_project(tmp_path: Path, name: str, expected: str) -> None:
    assert group_id(name) == expected
    for edit in new_specs(name):
        write(tmp_path, {edit.path: edit.content})
    assert run("validate", "-C", str(tmp_path)).code == 0
