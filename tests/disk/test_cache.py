"""The cache of a work tree: what it remembers, what makes it forget, and that no answer differs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from disk.trees import (
    GRAPH,
    MODEL,
    SHOP,
    TEXT,
    cache_of,
    opened,
    recalled,
    seen,
    tick,
    trust_all_stamps,
    write,
)
from yg.disk import cache
from yg.disk.worktree import WorkTree
from yg.kernel.snapshot import Inputs, Kind, Recipe

A, B = f"{MODEL}/a", f"{MODEL}/a/b"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "cache").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    trust_all_stamps(monkeypatch)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", SHOP)


def lengths_made(root: Path) -> dict[str, int]:
    """Read all files of one kind in a run; return what was really made of a file in it."""
    work: dict[str, int] = {}

    def make(path: str, data: bytes) -> int:
        work[path] = len(data)
        return len(data)

    with opened(root) as tree:
        for path in SHOP:
            if tree.kind(path) is Kind.FILE:
                tree.made(path, Recipe("length", int, make))
    return work


# What is remembered.


def test_a_file_is_read_once_until_it_changes(root: Path) -> None:
    assert lengths_made(root) == {path: len(text) for path, text in SHOP.items()}
    assert lengths_made(root) == {}
    tick(root)
    write(root, {f"{A}/text.md": "More.\n", "src/a.py": "a = 10\n"})
    assert lengths_made(root) == {f"{A}/text.md": 6, "src/a.py": 7}
    assert lengths_made(root) == {}


def test_two_recipes_and_two_graphs_do_not_meet(root: Path) -> None:
    other: Recipe[int] = Recipe("other", int, lambda _, data: -len(data))
    path = f"{A}/text.md"
    with opened(root) as tree:
        assert tree.made(path, TEXT) == (path, SHOP[path])
        assert tree.made(path, other) == -len(SHOP[path])
    with opened(root) as tree:
        assert tree.made(path, TEXT) == (path, SHOP[path])
        assert tree.made(path, other) == -len(SHOP[path])
    second = WorkTree(str(root), "src")
    assert second.made(path, Recipe("other", int, lambda *_: 5)) == 5
    second.close()


def test_an_unchanged_graph_is_not_listed_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = seen(root)
    monkeypatch.setattr("yg.disk.worktree.look", None)
    with monkeypatch.context() as patch:
        patch.setattr("yg.disk.worktree._content", None)
        assert seen(root) == expected
    tick(root)
    write(root, {f"{A}/text.md": "Edited in place.\n"})
    assert seen(root)[0] == expected[0]


def test_after_a_file_was_replaced_only_its_directory_is_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen(root)
    tick(root)
    replace(root / B / "text.md", "Replaced.\n")
    write(root, {f"{B}/new.md": "New.\n"})
    read: list[str] = []
    scandir = os.scandir

    def noted(path: str) -> object:
        read.append(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", noted)
    expected = [(f"{B}/{name}", "file") for name in ("new.md", "text.md", "yg-node.yaml")]
    for _ in range(2):
        names = [found for found in seen(root)[0] if found[0].startswith(f"{B}/")]
        assert names == expected
    assert read == [f"{root}/{B}"]


def test_without_a_cache_nothing_is_stored(root: Path) -> None:
    seen(root, uses_cache=False)
    assert os.listdir(root.parent / "cache") == []


def test_a_run_that_learns_nothing_writes_nothing(root: Path) -> None:
    seen(root)
    before = cache_of(root).stat()
    seen(root)
    assert cache_of(root).stat() == before


# What makes it forget.

NOTHING: set[Inputs] = set()
FILES = {Inputs.FILES, Inputs.ALL}
PLACES = {Inputs.WATCHED, Inputs.PLACES, Inputs.ALL}
EVERYTHING = set(Inputs)


def replace(path: Path, text: str) -> None:
    """Write a file as most editors do."""
    path.with_name("draft").write_text(text, encoding="utf-8")
    path.with_name("draft").replace(path)


def restore_times(path: Path, text: str) -> None:
    """Write a text of the same length, and set the times back."""
    before = path.stat()
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def make_link(path: Path) -> None:
    """Move a directory away, and put a link to it in its place."""
    path.rename(path.parents[3] / "away")
    path.symlink_to(path.parents[3] / "away")


EDITS: dict[str, tuple[Callable[[Path], object], set[Inputs]]] = {
    "nothing": (lambda _: None, NOTHING),
    "a text": (lambda root: write(root, {f"{A}/text.md": "More.\n"}), FILES),
    "a text with its time and size": (
        lambda root: restore_times(root / A / "text.md", "What a DOES.\n"),
        FILES,
    ),
    "a replaced text": (lambda root: replace(root / A / "text.md", "What a DOES.\n"), FILES),
    "a declaration": (lambda root: write(root, {f"{A}/yg-node.yaml": "x\n"}), EVERYTHING),
    "a declaration with its time and size": (
        lambda root: restore_times(root / B / "yg-node.yaml", "src/deep/c.py\n"),
        EVERYTHING - {Inputs.WATCHED},  # the directory is the same
    ),
    "a new text": (lambda root: write(root, {f"{A}/new.md": ""}), EVERYTHING),
    "a new directory": (lambda root: (root / A / "new").mkdir(), EVERYTHING),
    "a deleted text": (lambda root: (root / A / "text.md").unlink(), EVERYTHING),
    "a deleted directory": (lambda root: shutil.rmtree(root / B), EVERYTHING),
    "a renamed directory": (lambda root: (root / B).rename(root / A / "c"), EVERYTHING),
    "a link in place of a directory": (lambda root: make_link(root / B), EVERYTHING),
    "a text and a directory that swap names": (
        lambda root: [
            (root / A / one).rename(root / A / other)
            for one, other in (("text.md", "x"), ("b", "text.md"), ("x", "b"))
        ],
        EVERYTHING,
    ),
    "a dot-file": (lambda root: write(root, {f"{A}/.hidden": "x"}), NOTHING),
    "a baseline": (lambda root: write(root, {f"{GRAPH}/.drift-state/b.json": ""}), NOTHING),
    "a source": (lambda root: write(root, {"src/a.py": "a = 2\n"}), NOTHING),
    "a watched source that appears": (lambda root: write(root, {"src/later.py": ""}), PLACES),
    "a watched source that goes": (lambda root: (root / "src/deep/b.py").unlink(), PLACES),
    "a directory of watched sources that goes": (
        lambda root: (root / "src/deep").rename(root / "away"),
        PLACES,
    ),
    "a watched file at the top that goes": (lambda root: (root / "top.py").unlink(), PLACES),
    "another file at the top": (lambda root: write(root, {"other.py": ""}), NOTHING),
}


@pytest.mark.parametrize("inputs", Inputs)
@pytest.mark.parametrize("name", EDITS)
def test_a_result_holds_until_something_it_depends_on_changes(
    root: Path, name: str, inputs: Inputs
) -> None:
    edit, affected = EDITS[name]
    assert [recalled(root, inputs, lambda: number) for number in (1, 2)] == [1, 1]  # noqa: B023
    tick(root)
    edit(root)
    expected = 3 if inputs in affected else 1
    assert recalled(root, inputs, lambda: 3) == expected
    assert recalled(root, inputs, lambda: 4) == expected


@pytest.mark.parametrize("name", EDITS)
def test_after_any_edit_a_reader_sees_what_it_sees_without_a_cache(root: Path, name: str) -> None:
    seen(root)
    tick(root)
    EDITS[name][0](root)
    for _ in range(2):
        assert seen(root) == seen(root, uses_cache=False)


@pytest.mark.parametrize("is_settled", [False, True])
def test_a_young_file_is_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch, *, is_settled: bool
) -> None:
    tick(root)
    write(root, {f"{A}/text.md": "Young.\n"})
    now = (root / A / "text.md").stat().st_ctime_ns
    monkeypatch.setattr("yg.disk.listing.SETTLED_NS", 2_000_000_000)
    monkeypatch.setattr("time.time_ns", lambda: now + 2_000_000_000 + is_settled)
    lengths_made(root)
    assert lengths_made(root) == ({} if is_settled else {f"{A}/text.md": 7})
    again = [recalled(root, Inputs.FILES, lambda: number) for number in (1, 2)]  # noqa: B023
    assert again == ([1, 1] if is_settled else [1, 2])


def test_a_file_that_changes_after_it_was_listed_is_not_stored(root: Path) -> None:
    path = f"{A}/text.md"
    with opened(root) as tree:
        assert tree.recall("first", Inputs.FILES, int, lambda: 0) == 0
        tick(root)
        write(root, {path: "Changed.\n"})
        assert tree.made(path, TEXT) == (path, "Changed.\n")
        assert tree.recall("number", Inputs.DECLARATIONS, int, lambda: 1) == 1
    assert recalled(root, Inputs.DECLARATIONS, lambda: 2) == 2
    assert seen(root) == seen(root, uses_cache=False)


def test_a_file_that_is_swapped_only_while_it_is_read_is_not_stored(root: Path) -> None:
    path = f"{A}/text.md"
    write(root, {f"{A}/other.md": "Other.\n"})
    with opened(root) as tree:
        assert tree.entries(A)
        (root / path).rename(root / "away")
        (root / A / "other.md").rename(root / path)
        assert tree.made(path, TEXT) == (path, "Other.\n")
        (root / path).rename(root / A / "other.md")
        (root / "away").rename(root / path)
    assert seen(root) == seen(root, uses_cache=False)


def test_a_result_without_its_watched_paths_is_a_bug(root: Path) -> None:
    with opened(root) as tree, pytest.raises(RuntimeError, match="must come before"):
        tree.recall("number", Inputs.PLACES, int, lambda: 1)


def test_watched_paths_are_asked_for_only_if_a_declaration_changed(root: Path) -> None:
    asked = count()

    def run() -> None:
        with opened(root) as tree:
            tree.watch(lambda: [f"src/{next(asked)}.py"])
            tree.recall("number", Inputs.ALL, int, lambda: 1)

    for _ in range(3):
        run()
    write(root, {f"{A}/text.md": "More.\n"})
    run()
    assert next(asked) == 1
    tick(root)
    write(root, {f"{A}/yg-node.yaml": "More.\n"})
    run()
    assert next(asked) == 3


@pytest.mark.parametrize("path", ["../out.py", "/etc/passwd", "./a.py", "a//b", ".", "x/" * 9000])
def test_a_watched_path_that_is_none_does_no_harm(root: Path, path: str) -> None:
    with opened(root) as tree:
        tree.watch(lambda: [path])
        assert tree.recall("number", Inputs.ALL, int, lambda: 1) == 1


# What is never stored.


def test_a_directory_that_cannot_be_read_leaves_no_result(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = seen(root, uses_cache=False)
    scandir = os.scandir

    def refuse(path: str) -> object:
        if path.endswith(B):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refuse)
        without = seen(root)
        assert (B, "permission denied") in without[0]
        assert seen(root) == without
    assert seen(root) == expected


def test_a_file_that_cannot_be_read_leaves_no_result(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = seen(root, uses_cache=False)
    with monkeypatch.context() as patch:
        open_file = os.open

        def refuse(path: str, *rest: int) -> int:
            if path.endswith(f"{B}/text.md"):
                raise OSError(5, "Input/output error")
            return open_file(path, *rest)

        patch.setattr(os, "open", refuse)
        assert (f"{B}/text.md", "error 5: Input/output error") in seen(root)[3]
    assert seen(root) == expected


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_a_closed_directory_is_noticed_and_read_when_it_is_open_again(root: Path) -> None:
    expected = seen(root)
    for path in (B, f"{B}/text.md"):
        tick(root)
        (root / path).chmod(0)
        assert seen(root) == seen(root, uses_cache=False) != expected
        (root / path).chmod(0o700)
        assert seen(root) == expected


@pytest.mark.parametrize("directory", [A, "src"])
def test_a_name_that_is_not_utf8_is_not_stored(root: Path, directory: str) -> None:
    path = f"{directory}/caf\udce9.md"
    Path(os.fsdecode(os.fsencode(root / path))).write_text("latin", encoding="utf-8")
    for _ in range(2):
        with opened(root) as tree:
            assert tree.made(path, TEXT) == (path, "latin")
        assert seen(root) == seen(root, uses_cache=False)


def test_a_value_that_cannot_be_encoded_is_made_each_time(root: Path) -> None:
    for number in (1, 2):
        with opened(root) as tree:
            for value in ("\udce9", 1 << 80):
                assert tree.recall("r", Inputs.FILES, type(value), lambda: value) == value  # noqa: B023
            assert tree.recall("n", Inputs.FILES, int, lambda: number) == 1  # noqa: B023


def test_a_time_that_no_stamp_can_hold_is_never_settled(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lstat = os.lstat

    class Late:
        def __init__(self, status: os.stat_result) -> None:
            self.st_mode, self.st_size, self.st_ino = status.st_mode, 1, 1
            self.st_mtime_ns = self.st_ctime_ns = 1 << 63

    monkeypatch.setattr(os, "lstat", lambda path: Late(lstat(path)))
    monkeypatch.setattr("yg.disk.private._folder", lambda *_: str(root.parent / "cache"))
    with opened(root) as tree:
        assert tree.made("src/a.py", TEXT) == ("src/a.py", "a = 1\n")
    with opened(root) as tree:
        changed: Recipe[tuple[str, str]] = Recipe("text", tuple[str, str], lambda *_: ("", ""))
        assert tree.made("src/a.py", changed) == ("", "")


# Rows of files that are gone, and of other programs.


def test_rows_of_deleted_files_go_when_something_is_stored(root: Path) -> None:
    lengths_made(root)
    size = len(SHOP)
    tick(root)
    shutil.rmtree(root / B)
    (root / "src/a.py").unlink()  # outside the graph, nobody looks for what is gone
    lengths_made(root)
    assert rows_in(root) == size
    write(root, {f"{A}/text.md": "More.\n"})
    lengths_made(root)
    assert rows_in(root) == size - 2


def rows_in(root: Path) -> int:
    connection = cache.connected(str(cache_of(root)), writes=False)
    found: int = connection.execute("SELECT count(*) FROM files").fetchone()[0]
    connection.close()
    return found


@pytest.mark.parametrize("part", ["__version__", "_PACKAGE"])
def test_what_another_program_stored_is_replaced(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    def result(number: int) -> int:
        lengths_made(root)
        return recalled(root, Inputs.FILES, lambda: number)

    assert (result(1), result(2)) == (1, 1)
    write(tmp_path / "other", {"rules.py": "x = 1\n"})
    monkeypatch.setattr(cache, part, str(tmp_path / "other"))
    cache.program.cache_clear()
    assert (len(lengths_made(root)), result(3), result(4)) == (len(SHOP), 3, 3)
    monkeypatch.undo()
    cache.program.cache_clear()


def test_a_program_is_known_by_the_stamps_of_its_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = write(tmp_path / "package", {"__init__.py": "", "rules/names.py": "x = 1\n"})
    monkeypatch.setattr(cache, "_PACKAGE", str(package))

    def program() -> bytes:
        cache.program.cache_clear()
        return cache.program()

    before = program()
    write(package, {"page.html": "<b>\n", "rules/__pycache__/names.pyc": ""})
    assert program() == before
    os.utime(package / "rules/names.py", ns=(1, 1))
    assert program() != before
    before = program()
    write(package, {"rules/more.py": ""})
    assert program() != before
    cache.program.cache_clear()


# Random edits.

PATHS = (A, B, f"{A}/text.md", f"{B}/yg-node.yaml", f"{MODEL}/c", "src", "src/a.py", "top.py")


def put_text(path: Path, number: int) -> None:
    if os.path.isfile(path) or not os.path.lexists(path):
        path.write_text(f"src/{number}.py top.py\n", encoding="utf-8")


def put_same_size(path: Path, number: int) -> None:
    if path.is_file():
        restore_times(path, f"{number}".zfill(path.stat().st_size))


def put_directory(path: Path, number: int) -> None:
    remove(path, number)
    path.mkdir()
    (path / f"{number}.md").write_text("", encoding="utf-8")


def put_link(path: Path, number: int) -> None:
    remove(path, number)
    path.symlink_to(path.parent / ("a" if number % 2 else "nowhere"))


def put_fifo(path: Path, number: int) -> None:
    remove(path, number)
    os.mkfifo(path)


def remove(path: Path, number: int) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def move(path: Path, number: int) -> None:
    if os.path.lexists(path):
        remove(path.with_name(f"moved-{number % 2}"), number)
        path.rename(path.with_name(f"moved-{number % 2}"))


def move_back(path: Path, number: int) -> None:
    moved = path.with_name(f"moved-{number % 2}")
    if os.path.lexists(moved) and not os.path.lexists(path):
        moved.rename(path)


STEPS = (put_text, put_same_size, put_directory, put_link, put_fifo, remove, move, move_back)
NUMBERS = count()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(STEPS), st.sampled_from(PATHS), st.integers(0, 3)),
        min_size=1,
        max_size=8,
    )
)
def test_whatever_is_edited_between_runs_no_answer_differs_with_the_cache(
    tmp_path: Path, steps: list[tuple[Callable[[Path, int], None], str, int]]
) -> None:
    root = write(tmp_path / f"random-{next(NUMBERS)}" / "root", SHOP)
    for edit, path, number in steps:
        assert seen(root) == seen(root, uses_cache=False)
        tick(root)
        if (root / path).parent.is_dir():
            edit(root / path, number)
    for _ in range(2):
        assert seen(root) == seen(root, uses_cache=False)
