"""The index: what it stores, what it returns, and what makes it forget."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from support import NODE, private_folder, run, write, write_graph
from yg.disk.index.changes import ALL_RULES, DECLARATIONS, DRIFT, PLACES, ChangeKind
from yg.disk.index.database import LAYOUT, NAME, Databases
from yg.disk.index.program import program
from yg.disk.index.store import Index
from yg.disk.reading.worktree import WorkTree
from yg.kernel.codec import Codec
from yg.kernel.snapshot import Kind

MODEL = ".yggdrasil/model"
TEXT = "Fifty characters at least: what a newcomer has to know of it.\n"
NUMBER: Codec[int] = Codec(int)


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    graph = {f"model/{node}/{name}": text for node in "ab" for name, text in FILES.items()}
    return write(write_graph(tmp_path / "root", graph), {"src/x.py": "x = 1\n"})


FILES = {"yg-node.yaml": NODE, "responsibility.md": TEXT}


def opened(root: Path) -> WorkTree:
    return WorkTree(str(root), ".yggdrasil", uses_index=True)


def index_of(tree: WorkTree) -> Index:
    assert tree.index is not None
    return tree.index


def read_all(tree: WorkTree) -> None:
    """List and read the whole graph, as a first run does."""
    waiting = [".yggdrasil"]
    while waiting:
        directory = waiting.pop()
        for name, kind in tree.entries(directory).items():
            path = f"{directory}/{name}"
            if kind is Kind.DIRECTORY and not name.startswith("."):
                waiting.append(path)
            elif kind is Kind.FILE:
                assert not tree.text(path).fault


def learn(root: Path) -> None:
    tree = opened(root)
    read_all(tree)
    index_of(tree).save()
    index_of(tree).close()


def tick(root: Path) -> None:
    """Wait until the clock of the file system has moved on."""
    probe = root.parent / "probe"
    probe.touch()
    before = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == before:
        probe.write_bytes(b"")


EDITS: dict[str, tuple[Callable[[Path], object], tuple[str, ...]]] = {
    "nothing": (lambda _: None, ()),
    "a text": (
        lambda root: write(root, {f"{MODEL}/a/responsibility.md": f"{TEXT}More.\n"}),
        (f"{MODEL}/a/responsibility.md",),
    ),
    "a declaration": (
        lambda root: write(root, {f"{MODEL}/b/yg-node.yaml": f"{NODE}# more\n"}),
        (f"{MODEL}/b/yg-node.yaml",),
    ),
    "a new file": (lambda root: write(root, {f"{MODEL}/a/new.md": "x\n"}), (f"{MODEL}/a",)),
    "a new node": (lambda root: write(root, {f"{MODEL}/c/yg-node.yaml": NODE}), (MODEL,)),
    "a file that is gone": (
        lambda root: (root / MODEL / "a" / "responsibility.md").unlink(),
        (f"{MODEL}/a", f"{MODEL}/a/responsibility.md"),
    ),
    "a node that is gone": (
        lambda root: shutil.rmtree(root / MODEL / "b"),
        (MODEL, f"{MODEL}/b"),
    ),
    "a dot-file": (lambda root: write(root, {f"{MODEL}/a/.hidden": "x\n"}), ()),
    "a source": (lambda root: write(root, {"src/x.py": "x = 2\n"}), ()),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_check_returns_the_paths_that_changed(root: Path, name: str) -> None:
    learn(root)
    tick(root)
    edit, expected = EDITS[name]
    edit(root)
    assert index_of(opened(root)).directories.check() == expected


def test_a_check_without_an_index_knows_of_no_change(root: Path) -> None:
    assert index_of(opened(root)).directories.check() == ()


def test_what_was_read_is_not_read_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learn(root)
    monkeypatch.setattr(WorkTree, "read", None)
    monkeypatch.setattr(os, "scandir", None)
    tree = opened(root)
    assert tree.names(f"{MODEL}/a").files == ("responsibility.md", "yg-node.yaml")
    assert dict(tree.entries(f"{MODEL}/a")) == dict.fromkeys(sorted(FILES), Kind.FILE)
    assert tree.text(f"{MODEL}/a/responsibility.md").extent.body == len(TEXT) - 1


def test_texts_known_to_be_readable_are_named_after_a_check(root: Path) -> None:
    learn(root)
    tree = opened(root)
    assert tree.measured(f"{MODEL}/a") == ()
    index_of(tree).directories.check()
    assert "responsibility.md" in tree.measured(f"{MODEL}/a")
    tick(root)
    write(root, {f"{MODEL}/a/responsibility.md": "More.\n"})
    tree = opened(root)
    index_of(tree).directories.check()
    assert tree.measured(f"{MODEL}/a") == ()
    assert "responsibility.md" in tree.measured(f"{MODEL}/b")


def test_a_text_that_cannot_be_read_is_never_known(root: Path) -> None:
    file = root / MODEL / "a" / "responsibility.md"
    file.write_bytes(b"\xff")
    tree = opened(root)
    assert tree.text(f"{MODEL}/a/responsibility.md").fault
    index_of(tree).save()
    tree = opened(root)
    index_of(tree).directories.check()
    assert "responsibility.md" not in tree.measured(f"{MODEL}/a")


def result(root: Path, depends: ChangeKind, found: int) -> int:
    """Ask for a result in a run of its own, which computes `found` if nothing is stored."""
    tree = opened(root)

    def compute() -> int:
        read_all(tree)
        tree.kind("src/x.py")
        tree.read("src/x.py")
        return found

    answer = tree.result("r", depends, NUMBER, compute)
    index_of(tree).save()
    index_of(tree).close()
    return answer


CHANGES: dict[str, ChangeKind] = {
    "nothing": ChangeKind(0),
    "a text": ChangeKind.TEXT,
    "a declaration": ChangeKind.STRUCTURE,
    "a new node": ChangeKind.STRUCTURE,
    "a file that is gone": ChangeKind.STRUCTURE,
    "a dot-file": ChangeKind(0),
    "a source": ChangeKind.CONTENTS | ChangeKind.SOURCES,
    "a new source": ChangeKind.PLACES,
}


@pytest.mark.parametrize("depends", [DECLARATIONS, PLACES, ALL_RULES, DRIFT])
@pytest.mark.parametrize("name", CHANGES)
def test_a_result_holds_until_something_it_depends_on_changes(
    root: Path, name: str, depends: ChangeKind
) -> None:
    assert [result(root, depends, number) for number in (1, 2)] == [1, 1]
    tick(root)
    if name == "a new source":
        write(root, {"src/y.py": "y = 1\n"})
    else:
        EDITS[name][0](root)
    expected = 3 if depends & CHANGES[name] else 1
    assert result(root, depends, 3) == expected
    assert result(root, depends, 4) == expected


def test_a_result_that_another_run_makes_untrue_is_gone(root: Path) -> None:
    result(root, DECLARATIONS, 1)
    tick(root)
    EDITS["a declaration"][0](root)
    learn(root)  # stores the new stamp, by which no later run could see the change
    assert result(root, DECLARATIONS, 2) == 2


def test_an_edit_of_one_node_writes_a_few_rows(tmp_path: Path) -> None:
    files = {f"model/n{at}/{name}": text for at in range(300) for name, text in FILES.items()}
    root = write_graph(tmp_path / "root", files)
    for _ in range(2):
        run("validate", "-C", str(root))
    path = private_folder(root) / NAME
    with closing(sqlite3.connect(path)) as connection:
        before = dict(
            connection.execute(
                "SELECT key, sum FROM directories UNION ALL SELECT key, sum FROM readings"
            )
        )
    tick(root)
    write(root, {f"{MODEL}/n7/responsibility.md": f"{TEXT}More.\n"})
    run("build-context", "n9", "-C", str(root))
    with closing(sqlite3.connect(path)) as connection:
        after = dict(
            connection.execute(
                "SELECT key, sum FROM directories UNION ALL SELECT key, sum FROM readings"
            )
        )
    assert {key for key in before if before[key] != after.get(key)} == {f"{MODEL}/n7"}


def test_a_young_file_is_looked_at_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", 1 << 62)
    assert [result(root, DECLARATIONS, number) for number in (1, 2)] == [1, 2]
    learn(root)
    assert not (private_folder(root) / NAME).exists()


@pytest.mark.parametrize("is_new", [False, True])
def test_of_two_writers_the_first_one_stores_its_results(root: Path, *, is_new: bool) -> None:
    if not is_new:
        learn(root)
    first, second = opened(root), opened(root)
    for number, tree in enumerate((first, second)):
        read_all(tree)
        index = index_of(tree)
        assert index.results.get("r", DECLARATIONS, NUMBER, lambda: number, tree.visible) == number  # noqa: B023
    for tree in (first, second):
        index_of(tree).save()
        index_of(tree).close()
    assert result(root, DECLARATIONS, 9) == 0


def test_an_open_database_is_used_until_somebody_else_writes(root: Path) -> None:
    learn(root)
    databases = Databases()
    tree = WorkTree(str(root), ".yggdrasil", uses_index=True, databases=databases)
    path = str(private_folder(root) / NAME)
    assert tree.result("r", DECLARATIONS, NUMBER, lambda: 1) == 1
    index_of(tree).save()
    kept = index_of(tree)._database
    assert databases.open(path) is kept
    tick(root)
    EDITS["a declaration"][0](root)
    assert result(root, DECLARATIONS, 2) == 2
    assert databases.open(path) is not kept
    databases.close()


@pytest.mark.parametrize("name", ["a declaration", "a new node", "a node that is gone"])
def test_what_a_run_found_out_and_did_not_save_is_not_used(root: Path, name: str) -> None:
    assert result(root, DECLARATIONS, 1) == 1
    databases = Databases()
    trees = [
        WorkTree(str(root), ".yggdrasil", uses_index=True, databases=databases) for _ in range(2)
    ]
    tick(root)
    EDITS[name][0](root)
    assert index_of(trees[0]).directories.check()
    assert trees[1].result("r", DECLARATIONS, NUMBER, lambda: 2) == 2
    databases.close()


def test_a_result_is_not_written_to_a_file_without_the_rows_it_depends_on(root: Path) -> None:
    learn(root)
    tree = opened(root)
    assert tree.result("r", DECLARATIONS, NUMBER, lambda: 1) == 1
    index_of(tree).close()
    (private_folder(root) / NAME).unlink()
    index_of(tree).save()
    tick(root)
    EDITS["a declaration"][0](root)
    tree = opened(root)
    read_all(tree)
    assert tree.result("r", DECLARATIONS, NUMBER, lambda: 2) == 2
    index_of(tree).close()


@pytest.mark.parametrize("part", ["__version__", "PACKAGE"])
def test_an_index_that_another_program_wrote_is_not_used(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def result(number: int) -> int:
        tree = opened(root)
        read_all(tree)
        found = tree.result("number", DRIFT, NUMBER, lambda: number)
        index_of(tree).save()
        return found

    assert (result(1), result(2)) == (1, 1)
    other = write(tmp_path / "other", {"rules.py": "x = 1\n"})
    program.cache_clear()
    monkeypatch.setattr(f"yg.disk.index.program.{part}", str(other))
    monkeypatch.setattr("yg.disk.index.database.VERSION", f"{LAYOUT} {program()}")
    program.cache_clear()
    assert (result(3), result(4)) == (3, 3)
