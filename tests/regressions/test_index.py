"""Regressions of the index, and unusual input for it."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from support import CONFIG, NODE, private_folder, run, write
from yg.disk.index.database import NAME
from yg.disk.index.private import cache_folder
from yg.surfaces.cli.outcome import Outcome

MODEL = ".yggdrasil/model"
TEXT = "Fifty characters at least: what a newcomer has to know of it.\n"
GRAPH: dict[str, str | bytes] = {
    ".yggdrasil/yg-config.yaml": CONFIG,
    f"{MODEL}/a/yg-node.yaml": NODE,
    f"{MODEL}/a/responsibility.md": TEXT,
    f"{MODEL}/b/yg-node.yaml": NODE,
    f"{MODEL}/b/responsibility.md": TEXT,
}
needs_any_name = pytest.mark.skipif(
    sys.platform in ("darwin", "win32"), reason="file names are text on this system"
)


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", GRAPH)


def say(root: Path, *argv: str) -> Outcome:
    return run(*argv, "-C", str(root))


def tick(root: Path) -> None:
    """Wait until the clock of the file system has moved on."""
    probe = root.parent / "probe"
    probe.touch()
    before = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == before:
        probe.write_bytes(b"")


def compare(root: Path, *argv: str) -> None:
    """Assert that a command says the same with an index as without, however often it is asked."""
    expected = say(root, *argv, "--no-cache")
    assert [say(root, *argv) for _ in range(3)] == [expected] * 3
    assert expected.code in (0, 1)


# Answers that were no longer true.


def test_an_error_that_was_fixed_is_not_reported_again(root: Path) -> None:
    write(root, {f"{MODEL}/a/yg-node.yaml": f"{NODE}relations: [{{target: no, type: calls}}]\n"})
    for _ in range(2):
        assert say(root, "build-context", "b").code == 1
    tick(root)
    write(root, {f"{MODEL}/a/yg-node.yaml": NODE})
    # The package of the node itself looks at its file before all errors are asked for.
    assert say(root, "build-context", "a").code == 0


def test_a_new_error_is_reported_though_its_place_was_looked_at_before(root: Path) -> None:
    for _ in range(2):
        assert say(root, "build-context", "a").code == 0
    tick(root)
    write(root, {f"{MODEL}/a/child/notes.md": TEXT})  # a directory of the node that is not a node
    assert say(root, "build-context", "a").code == 1


def test_an_edit_is_seen_though_the_row_of_its_directory_is_damaged(root: Path) -> None:
    for _ in range(2):
        assert say(root, "build-context", "b").code == 0
    with closing(sqlite3.connect(private_folder(root) / NAME)) as connection, connection:
        rename = "UPDATE directories SET key = 'x' WHERE key = ?"
        assert connection.execute(rename, (f"{MODEL}/a",)).rowcount == 1
    tick(root)
    write(root, {f"{MODEL}/a/yg-node.yaml": "name: [\n"})
    assert say(root, "build-context", "b").code == 1


def test_a_graph_with_something_that_cannot_be_read_can_be_checked(root: Path) -> None:
    write(root, {f"{MODEL}/a/yg-node.yaml": "name: [\n", ".yggdrasil/yg-config.yaml": "{"})
    for argv in (("validate",), ("status",), ("build-context", "b"), ("tree",), ("preflight",)):
        compare(root, *argv)


def test_the_second_run_recalls_the_verdict_of_the_first(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {".yggdrasil/.drift-state/a.json": '{"hash": "1", "files": {"a.py": "1"}}'})
    tick(root)
    expected = say(root, "validate")
    with monkeypatch.context() as patch:
        patch.setattr("yg.yggdrasil.rules.check.issues_of", lambda *_: 1 / 0)
        assert say(root, "validate") == expected
    shutil.rmtree(root / ".yggdrasil/.drift-state")
    compare(root, "validate")
    write(root, {".yggdrasil/.drift-state/a.json": "<<<<<<< HEAD\n"})
    compare(root, "validate")
    assert "E025 a " in say(root, "validate").text


def test_after_a_node_is_gone_the_index_is_of_use_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        say(root, "validate")
    shutil.rmtree(root / MODEL / "b")
    for _ in range(2):
        say(root, "validate")
    expected = say(root, "validate", "--no-cache")
    monkeypatch.setattr("yg.yggdrasil.rules.check.issues_of", lambda *_: 1 / 0)
    assert say(root, "validate") == expected


def test_the_index_is_of_use_to_a_repository_that_is_named_by_a_link(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    expected = [say(link, "validate") for _ in range(3)][-1]
    with monkeypatch.context() as patch:
        patch.setattr("yg.yggdrasil.rules.check.issues_of", lambda *_: 1 / 0)
        assert say(link, "validate") == expected
    # Another repository behind the same name is another repository.
    write(root.parent / "other", {**GRAPH, f"{MODEL}/a/yg-node.yaml": "name: [\n"})
    other = Path(cache_folder(str(root.parent / "other"), ".yggdrasil"))
    shutil.copytree(private_folder(root), other, dirs_exist_ok=True)
    link.unlink()
    link.symlink_to(root.parent / "other")
    compare(link, "validate")


# Unusual input.

NAMES = [
    "new\nline",
    "tab\there",
    "quote\"s'",
    "back\\slash",
    "\u2028",
    "nul-like \\0",
    "{}",
    "*",
    "ü",
    "é",
    "x" * 200,
]


@pytest.mark.parametrize("name", NAMES)
def test_strange_names_of_nodes_and_texts_are_remembered(root: Path, name: str) -> None:
    relation = json.dumps({"target": name, "type": "calls"})
    write(
        root,
        {
            f"{MODEL}/{name}/yg-node.yaml": f"{NODE}mapping: {{paths: [{json.dumps(name)}]}}\n",
            f"{MODEL}/{name}/responsibility.md": TEXT,
            f"{MODEL}/{name}/{name}": TEXT,
            f"{MODEL}/a/yg-node.yaml": f"{NODE}relations: [{relation}]\n",
            name: "source\n",
        },
    )
    for argv in (("validate",), ("build-context", "a"), ("tree",)):
        compare(root, *argv)
    tick(root)
    write(root, {f"{MODEL}/{name}/yg-node.yaml": "name: [\n"})
    for argv in (("build-context", "b"), ("validate", "--json"), ("drift",)):
        compare(root, *argv)


@needs_any_name
def test_names_that_are_not_text_are_remembered(root: Path) -> None:
    for place in (MODEL, f"{MODEL}/a", "src"):
        (root / place).mkdir(exist_ok=True)
        (root / place / os.fsdecode(b"\xff\xfe")).mkdir()
        (root / place / os.fsdecode(b"\xff\xfe") / os.fsdecode(b"\x80")).touch()
    write(root, {f"{MODEL}/b/yg-node.yaml": f"{NODE}mapping: {{paths: [src]}}\n"})
    for argv in (("validate",), ("build-context", "a"), ("tree",), ("coverage",), ("drift",)):
        compare(root, *argv)


def test_a_very_long_declaration_is_remembered(root: Path) -> None:
    words = ", ".join(f"word-{number}-{'x' * 40}" for number in range(2_000))
    relation = f"{{target: b, type: calls, consumes: [{words}]}}"
    write(root, {f"{MODEL}/a/yg-node.yaml": f"{NODE}relations: [{relation}]\n"})
    for argv in (("validate",), ("build-context", "a"), ("deps", "a"), ("tree",)):
        compare(root, *argv)
    compare(root, "build-context", "b", "--lenient")  # others are found beside so long a line


def test_thousands_of_directories_in_one_are_remembered(root: Path) -> None:
    for number in range(2_000):
        (root / MODEL / "a" / f"d{number}").mkdir()
    compare(root, "validate")
    tick(root)
    write(root, {f"{MODEL}/a/d1234/yg-node.yaml": "name: [\n"})
    assert say(root, "build-context", "b").code == 1


def test_a_directory_older_than_time_is_looked_at(root: Path) -> None:
    for folder in (MODEL, f"{MODEL}/a", f"{MODEL}/b"):
        os.utime(root / folder, ns=(-1, -1))
    for _ in range(3):
        assert say(root, "build-context", "b").code == 0
    tick(root)
    write(root, {f"{MODEL}/a/child/notes.md": TEXT})
    assert say(root, "build-context", "b").code == 1


# Directories without a row.


def test_an_empty_graph_that_is_filled_later_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / ".yggdrasil").mkdir(parents=True)
    for argv in (("status",), ("tree",), ("plan",), ("validate",), ("find", "newcomer")):
        compare(root, *argv)
    tick(root)
    write(root, GRAPH)
    for argv in (("status",), ("tree",), ("plan",), ("validate",), ("find", "newcomer")):
        compare(root, *argv)
    assert "Nodes: 2" in say(root, "status").text


@pytest.mark.parametrize("command", ["find newcomer", "status", "tree", "build-context b", "plan"])
@pytest.mark.parametrize("part", ["model", "model/a", "."])
@pytest.mark.parametrize("is_configured", [False, True])
def test_a_folder_that_is_replaced_by_a_link_to_itself_is_seen(
    root: Path, part: str, command: str, *, is_configured: bool
) -> None:
    if not is_configured:
        (root / ".yggdrasil/yg-config.yaml").unlink()
    compare(root, *command.split())
    tick(root)
    folder = root / ".yggdrasil" / part
    folder.rename(root / "away")
    folder.symlink_to(root / "away")
    compare(root, *command.split())


def test_every_directory_with_a_row_has_one_for_all_above_it(root: Path) -> None:
    write(root, {f"{MODEL}/a/deep/er/yg-node.yaml": NODE})
    for argv in (("build-context", "a/deep/er"), ("find", "newcomer"), ("validate",)):
        shutil.rmtree(private_folder(root), ignore_errors=True)
        say(root, *argv)
        with closing(sqlite3.connect(private_folder(root) / NAME)) as connection:
            found = {key for (key,) in connection.execute("SELECT key FROM directories")}
        assert ".yggdrasil" in found
        assert {os.path.dirname(path) for path in found - {".yggdrasil"}} <= found


@pytest.mark.parametrize("damage", ["DELETE FROM directories", "UPDATE directories SET row = 'x'"])
def test_a_row_that_is_lost_is_not_replaced_by_one_that_hides_a_change(
    root: Path, damage: str
) -> None:
    for _ in range(2):
        assert say(root, "validate").code == 0
    with closing(sqlite3.connect(private_folder(root) / NAME)) as connection, connection:
        connection.execute(f"{damage} WHERE key = ?", (f"{MODEL}/a",))
    tick(root)
    write(root, {f"{MODEL}/a/yg-node.yaml": "name: [\n"})
    say(root, "tree")  # lists all directories, but asks for no result
    compare(root, "validate")
