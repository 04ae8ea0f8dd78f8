"""An answer about the whole graph is remembered while nothing that it came from changes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from yg.disk.lines import NAME, Lines
from yg.disk.memo import DECLARATIONS, EVERYTHING, PLACES, Reach
from yg.disk.memory import Change, Memory

from support import write
from yg.disk.sources import WorkTreeSources
from yg.disk.worktree import WorkTree
from yg.kernel.codec import Codec, Recipe
from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import Kind

GRAPH = ".yggdrasil"
INDEX = f"{GRAPH}/.cache/{NAME}"
FILES: dict[str, str | bytes] = {
    f"{GRAPH}/.cache/.gitignore": "*\n",
    f"{GRAPH}/model/a/node.yaml": "declared",
    f"{GRAPH}/model/a/text.md": "text",
    f"{GRAPH}/model/b/text.md": "other",
    "src/one.py": "one",
    "src/deep/two.py": "two",
    "lib/x.py": "x",
}
DECLARATION: Recipe[str] = Recipe(name="declared", make=str, codec=Codec(str))
TEXTS: Codec[tuple[str, ...]] = Codec(tuple[str, ...])
MAPPED = ("src/one.py", "src/deep/two.py", "gone/three.py")


@pytest.fixture(autouse=True)
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.memory.SETTLED_NS", -(1 << 62))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def tick(root: Path) -> None:
    """Wait until the clock of the file system has moved on."""
    probe = root.parent / f"{root.name}-probe"
    probe.touch()
    before = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == before:
        probe.write_bytes(b"")


# Something to find out.


def survey(tree: WorkTree) -> tuple[str, ...]:
    """Look at all there is below the graph: names, declarations, lengths of texts."""
    found: list[str] = []
    waiting = [f"{GRAPH}/model"] if tree.kind(f"{GRAPH}/model") is Kind.DIRECTORY else []
    while waiting:
        directory = waiting.pop()
        try:
            entries = tree.entries(directory)
        except UnreadableError as error:
            found.append(f"{directory}: {error.reason}")
            continue
        for name, kind in entries.items():
            path = f"{directory}/{name}"
            if kind is Kind.DIRECTORY:
                waiting.append(path)
            elif kind is not Kind.FILE or name.startswith("."):
                found.append(f"{kind} {path}" if not name.startswith(".") else "")
            elif name.endswith(".yaml"):
                found.append(_said(lambda path=path: tree.text(path).made(DECLARATION)))  # type: ignore[misc]
            else:
                found.append(_said(lambda path=path: str(tree.text(path).extent)))  # type: ignore[misc]
    return tuple(each for each in found if each)


def _said(ask: Callable[[], str]) -> str:
    try:
        return ask()
    except UnreadableError as error:
        return error.reason


def readable(tree: WorkTree) -> tuple[str, ...]:
    """Look at the same, but tell of texts only whether they can be read."""
    return tuple(each for each in survey(tree) if not each.startswith("Extent"))


def mapped(tree: WorkTree) -> tuple[str, ...]:
    """Look what stands at some paths outside the graph."""
    return tuple(f"{path}: {tree.kind(path)}" for path in MAPPED)


def sources(tree: WorkTree) -> tuple[str, ...]:
    """Look which files there are below a directory."""
    return WorkTreeSources(tree).files("src")


def needle(tree: WorkTree) -> tuple[str, ...]:
    """Look into a file outside the graph."""
    return (
        _said(lambda: str(sorted(WorkTreeSources(tree).lacking("lib/x.py", frozenset("xyz"))))),
    )


def ignored(tree: WorkTree) -> tuple[str, ...]:
    """Look whether everything in a directory is ignored."""
    return (str(WorkTreeSources(tree).is_ignored("src")),)


SOURCES = Reach(Change.STRUCTURE, places=True, contents=True)

QUESTIONS: dict[str, tuple[Reach, Callable[[WorkTree], tuple[str, ...]]]] = {
    "survey": (EVERYTHING, survey),
    "readable": (DECLARATIONS, readable),
    "mapped": (PLACES, mapped),
    "sources": (SOURCES, sources),
    "needle": (SOURCES, needle),
    "ignored": (SOURCES, ignored),
}


def asked(root: Path, name: str, before: Callable[[WorkTree], object] = bool) -> bool:
    """Ask in a run of its own; return whether it had to be found out, and check the answer."""
    reach, question = QUESTIONS[name]
    memory = Memory(str(root), GRAPH)
    tree = WorkTree(str(root), GRAPH, memory)
    searches: list[str] = []

    def find() -> tuple[str, ...]:
        searches.append(name)
        return question(tree)

    before(tree)
    answer = tree.memos.of(name, reach, TEXTS, find)
    memory.save()
    assert answer == question(WorkTree(str(root), GRAPH))
    return bool(searches)


def warm(root: Path, *names: str) -> None:
    """Ask until everything is remembered."""
    for name in names:
        asked(root, name)
    assert [asked(root, name) for name in names] == [False] * len(names)


# While nothing changes.


@pytest.mark.parametrize("name", ["survey", "readable", "mapped", "sources", "needle"])
def test_an_answer_is_remembered(root: Path, name: str) -> None:
    assert [asked(root, name) for _ in range(3)] == [True, False, False]


def test_several_answers_are_remembered_side_by_side(root: Path) -> None:
    warm(root, "survey", "readable", "mapped", "sources", "needle")
    assert not asked(root, "survey")


def test_nothing_is_remembered_of_what_nobody_can_watch(root: Path) -> None:
    shutil.rmtree(root / "src")
    (root / "src").mkdir()
    assert [asked(root, "ignored") for _ in range(3)] == [True, True, True]


def test_nothing_is_remembered_of_young_files(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yg.disk.memory.SETTLED_NS", 2_000_000_000)
    assert [asked(root, name) for _ in range(2) for name in QUESTIONS] == [True] * 12


def test_an_answer_that_asked_nothing_of_git_asks_nothing_of_git(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warm(root, "readable")
    monkeypatch.setattr("yg.disk.ignore.Visibility.digest", property(lambda _: 1 / 0))
    assert not asked(root, "readable")


def test_a_new_directory_for_the_index_changes_nothing(root: Path) -> None:
    shutil.rmtree(root / GRAPH / ".cache")
    tick(root)
    assert [asked(root, "readable") for _ in range(4)] == [True, True, False, False]


# Whatever changes.


def replaced_by_link(path: Path) -> None:
    path.rename(path.parent / ".away")
    path.symlink_to(".away")


EDITS: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    # What is done, and which answers have to be found out again.
    "text": (lambda root: write(root, {f"{GRAPH}/model/a/text.md": "longer"}), {"survey"}),
    "text that cannot be read": (
        lambda root: write(root, {f"{GRAPH}/model/a/text.md": b"\xff"}),
        {"survey", "readable"},
    ),
    "declaration": (
        lambda root: write(root, {f"{GRAPH}/model/a/node.yaml": "other"}),
        {"survey", "readable"},
    ),
    "new file": (
        lambda root: write(root, {f"{GRAPH}/model/b/node.yaml": "new"}),
        {"survey", "readable"},
    ),
    "new folder": (
        lambda root: write(root, {f"{GRAPH}/model/c/node.yaml": "new"}),
        {"survey", "readable"},
    ),
    "file gone": (
        lambda root: (root / GRAPH / "model/a/text.md").unlink(),
        {"survey", "readable"},
    ),
    "folder gone": (lambda root: shutil.rmtree(root / GRAPH / "model/b"), {"survey", "readable"}),
    "all gone": (lambda root: shutil.rmtree(root / GRAPH / "model"), {"survey", "readable"}),
    "renamed": (
        lambda root: (root / GRAPH / "model/b").rename(root / GRAPH / "model/c"),
        {"survey", "readable"},
    ),
    "file made a link": (
        lambda root: replaced_by_link(root / GRAPH / "model/a/text.md"),
        {"survey", "readable"},
    ),
    "folder made a link": (
        lambda root: replaced_by_link(root / GRAPH / "model/a"),
        {"survey", "readable"},
    ),
    "hidden file": (lambda root: (root / GRAPH / "model/a/.x").touch(), set()),
    "touched folder": (lambda root: os.utime(root / GRAPH / "model/a", ns=(1, 1)), set()),
    "mapped file gone": (lambda root: (root / "src/one.py").unlink(), {"mapped", "sources"}),
    "mapped file appears": (lambda root: write(root, {"gone/three.py": ""}), {"mapped"}),
    "mapped file made a link": (
        lambda root: replaced_by_link(root / "src/deep/two.py"),
        {"mapped", "sources"},
    ),
    "source appears": (lambda root: write(root, {"src/deep/new.py": ""}), {"sources"}),
    "ignored": (lambda root: write(root, {"src/.gitignore": "*.py\n"}), {"sources"}),
    "looked into": (lambda root: write(root, {"lib/x.py": "yz"}), {"needle"}),
    "looked into, gone": (lambda root: (root / "lib/x.py").unlink(), {"needle"}),
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("name", ["survey", "readable", "mapped", "sources", "needle"])
def test_whatever_changes_the_answer_is_the_right_one(root: Path, name: str, edit: str) -> None:
    warm(root, name)
    tick(root)
    change, touched = EDITS[edit]
    change(root)
    assert asked(root, name) >= (name in touched)  # which also checks the answer


@pytest.mark.parametrize(
    ("name", "edit", "is_found_out"),
    [
        ("readable", "text", False),
        ("survey", "hidden file", False),
        ("survey", "touched folder", False),
        ("survey", "source appears", False),
        ("needle", "hidden file", False),
        ("mapped", "text", False),
        ("survey", "text", True),
        ("readable", "declaration", True),
    ],
)
def test_what_cannot_matter_to_an_answer_leaves_it_remembered(
    root: Path, name: str, edit: str, *, is_found_out: bool
) -> None:
    warm(root, name)
    tick(root)
    EDITS[edit][0](root)
    assert asked(root, name) is is_found_out
    assert not asked(root, name)


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("name", ["survey", "readable"])
def test_a_change_that_was_met_before_is_not_overlooked(root: Path, name: str, edit: str) -> None:
    warm(root, name)
    tick(root)
    EDITS[edit][0](root)
    # Somebody looks, and remembers what the files are like now, before the answer is asked for.
    asked(root, name, before=survey)


@pytest.mark.parametrize("edit", EDITS)
def test_a_change_that_another_run_met_is_not_overlooked(root: Path, edit: str) -> None:
    warm(root, "survey", "readable")
    tick(root)
    EDITS[edit][0](root)
    memory = Memory(str(root), GRAPH)
    survey(WorkTree(str(root), GRAPH, memory))
    memory.save()
    asked(root, "readable")
    asked(root, "survey")


@pytest.mark.parametrize("name", ["survey", "readable"])
def test_what_could_not_be_read_is_looked_at_again_until_it_is_mended(
    root: Path, name: str
) -> None:
    write(root, {f"{GRAPH}/model/a/text.md": b"\xff"})
    assert [asked(root, name) for _ in range(3)] == [True, True, True]
    tick(root)
    write(root, {f"{GRAPH}/model/a/text.md": b"x"})
    assert [asked(root, name) for _ in range(2)] == [True, False]


def test_after_a_folder_is_gone_answers_are_remembered_again(root: Path) -> None:
    warm(root, "survey")
    shutil.rmtree(root / GRAPH / "model/b")
    assert [asked(root, "survey") for _ in range(3)] == [True, False, False]


def test_a_directory_that_cannot_be_listed_is_asked_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = root / GRAPH / "model/empty"
    empty.mkdir()
    warm(root, "survey")
    tick(root)
    empty.chmod(0o700)  # its times are others, and it cannot be looked into
    scandir = os.scandir

    def closed(path: str) -> Any:
        if path == str(empty):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", closed)
        assert [asked(root, "survey") for _ in range(2)] == [True, True]
    asked(root, "survey")


# Damage.


def test_an_answer_does_not_survive_the_loss_of_what_it_counts_on(root: Path) -> None:
    warm(root, "survey", "readable")
    row = f'"{GRAPH}/model/a"'.encode()
    content = (root / INDEX).read_bytes()
    (root / INDEX).write_bytes(content.replace(row, row.replace(b"model", b"modem")))
    tick(root)
    write(root, {f"{GRAPH}/model/a/node.yaml": "other"})
    for name in ("readable", "survey"):
        assert asked(root, name)
    warm(root, "readable", "survey")


def test_no_answer_counts_on_what_has_been_lost(root: Path) -> None:
    warm(root, "readable")
    row = f'"{GRAPH}/model/a"'.encode()
    content = (root / INDEX).read_bytes()
    (root / INDEX).write_bytes(content.replace(row, row.replace(b"model", b"modem")))
    memory = Memory(str(root), GRAPH)
    tree = WorkTree(str(root), GRAPH, memory)

    def by_the_other() -> tuple[str, ...]:
        """Count on another answer without looking at what that one was found out from."""
        return tree.memos.of("readable", DECLARATIONS, TEXTS, lambda: readable(tree))

    tree.memos.of("survey", DECLARATIONS, TEXTS, by_the_other)
    memory.save()
    tick(root)
    write(root, {f"{GRAPH}/model/a/node.yaml": "other"})
    asked(root, "survey")


@pytest.mark.parametrize(
    "memo",
    [
        7,
        [],
        {},
        "text",
        {"sensitivity": 2, "outside": [], "view": None},
        {"sensitivity": "2", "outside": [], "view": None, "answer": []},
        {"sensitivity": None, "outside": [], "view": None, "answer": []},
        {"sensitivity": 2, "outside": [7], "view": None, "answer": []},
        {"sensitivity": 2, "outside": [["src"]], "view": None, "answer": []},
        {"sensitivity": 2, "outside": [["src", 7]], "view": None, "answer": []},
        {"sensitivity": 2, "outside": [[7, [1, 2, 3, 4]]], "view": None, "answer": []},
        {"sensitivity": 2, "outside": [["\0", [1, 2, 3, 4]]], "view": None, "answer": []},
        {"sensitivity": 2, "outside": 7, "view": None, "answer": []},
        {"sensitivity": 2, "outside": [], "view": 7, "answer": []},
        {"sensitivity": 2, "outside": [], "view": None, "answer": {"Unheard": []}},
        {"sensitivity": 2, "outside": [], "view": None, "answer": {"a": 1, "b": 2}},
        {"sensitivity": 2, "outside": [], "view": None, "answer": {}},
    ],
)
def test_a_memo_of_another_shape_is_none(root: Path, memo: Any) -> None:
    warm(root, "survey")
    lines = Lines(str(root))
    lines.put_large("survey", memo)
    lines.save()
    assert [asked(root, "survey") for _ in range(2)] == [True, False]
