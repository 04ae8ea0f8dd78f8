"""A directory that is swapped for a link while files are written leads no write outside."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from support import CONFIG, NODE, a_dead_process, files_below, run, write
from yg.disk.files import folders as folders_module
from yg.disk.files.apply import Applier, ApplyError, cleared_applier
from yg.disk.files.folders import Folders
from yg.disk.files.graph_folder import graph_place
from yg.disk.files.temporary import PREFIX
from yg.kernel.edit import Copy, Delete, Edit, MakeDirectory, Rename, Write
from yg.kernel.errors import YgError

PRECIOUS = {"b": "precious", "deep/c": "precious"}
# A call of the machine that an edit makes, as the moment of the swap.
CALLS = ("open", "mkdir", "replace", "rename", "unlink", "rmdir", "stat", "scandir", "listdir")
EDITS: tuple[tuple[Edit, ...], ...] = (
    (Write("g/a/b", b"new"),),
    (Write("g/a/deep/c", b"new"), Write("g/a/deep/d", b"new")),
    (Write("g/a/new/c", b"new"),),
    (Delete("g/a/b"),),
    (Delete("g/a/deep/c"),),
    (Rename("g/a/b", "g/a/deep/b"),),
    (Rename("g/a/deep", "g/other"),),
    (Rename("g/free", "g/a/free"),),
    (Copy("g/free", "g/a/deep/free"),),
    (MakeDirectory("g/a/made/below"),),
)


@pytest.fixture
def top(tmp_path: Path) -> Path:
    """Make a tree beside a directory with the same names, which nobody may touch."""
    write(tmp_path / "outside", PRECIOUS)
    write(tmp_path / "root/g", {"free": "free", "a/b": "b", "a/deep/c": "c"})
    return tmp_path


def assert_untouched(top: Path) -> None:
    outside = top / "outside"
    assert files_below(outside) == PRECIOUS
    assert {path.name for path in outside.rglob("*")} == {"b", "deep", "c"}


@contextmanager
def at_call(
    monkeypatch: pytest.MonkeyPatch, call: str, at: int, act: Callable[[], None]
) -> Iterator[None]:
    """Do something just before a call of the machine."""
    real: Callable[..., object] = getattr(os, call)
    calls = iter(range(1, 1000))

    def acting(*arguments: object, **named: object) -> object:
        if next(calls) == at:
            act()
        return real(*arguments, **named)

    with monkeypatch.context() as patch:
        patch.setattr(os, call, acting)
        yield


def swap(top: Path, path: str) -> Callable[[], None]:
    """Return a function that puts a link to the outside in the place of a directory, once."""

    def act() -> None:
        place = top / "root" / path
        if not place.is_symlink() and place.is_dir():
            rename(place, top / "root" / "moved")
            symlink(top / "outside" / path.partition("a/")[2], place)

    rename, symlink = os.rename, os.symlink
    return act


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    "edits", EDITS, ids=lambda edits: f"{type(edits[0]).__name__} {edits[0].path}"
)
def test_a_swap_at_any_step_leads_no_edit_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, edits: tuple[Edit, ...]
) -> None:
    for at in range(1, 9):
        for path in ("g/a", "g/a/deep"):
            top = tmp_path / f"{at}-{path.count('/')}"
            write(top / "outside", PRECIOUS)
            write(top / "root/g", {"free": "free", "a/b": "b", "a/deep/c": "c"})
            with at_call(monkeypatch, call, at, swap(top, path)), suppress(ApplyError):
                Applier(str(top / "root"), "g").apply(edits)
            assert_untouched(top)


def test_a_directory_swapped_between_two_files_of_a_batch_is_an_error(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folders_module, "MOST", 2)  # so that directories are opened again
    edits = [Write(f"g/{name}/x", b"new") for name in ("a/deep", "one", "two", "a/late")]
    with at_call(monkeypatch, "replace", 1, swap(top, "g/a")), pytest.raises(ApplyError) as caught:
        Applier(str(top / "root"), "g").apply(edits)
    assert caught.value.message == "'g/a' is a link or a file, but must be a directory"
    assert_untouched(top)


def test_a_graph_behind_a_link_is_written_where_the_link_led_at_first(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = top / "root"
    (root / "graph").symlink_to("g")

    def relink() -> None:
        (root / "graph").unlink()
        (root / "graph").symlink_to(top / "outside")

    with at_call(monkeypatch, "fsync", 1, relink):
        Applier(str(root), "graph").apply([Write("graph/b", b"1"), Write("graph/a/b", b"2")])
    assert files_below(root / "g") == {"free": "free", "a/b": "2", "a/deep/c": "c", "b": "1"}
    assert_untouched(top)
    with pytest.raises(YgError, match="outside this work tree"):
        Applier(str(root), "graph").apply([Write("graph/b", b"1")])


def test_the_target_of_a_linked_graph_that_becomes_a_link_is_not_followed(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = top / "root"
    (root / "graph").symlink_to("g/a")

    def late(root: str, folder: str) -> object:
        found = graph_place(root, folder)
        swap(top, "g/a")()
        return found

    monkeypatch.setattr(folders_module, "graph_place", late)
    with pytest.raises(ApplyError, match="is a link or a file"):
        Applier(str(root), "graph").apply([Write("graph/b", b"new")])
    assert_untouched(top)


def test_leftovers_outside_are_not_removed_when_a_directory_is_swapped(
    top: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = f"{PREFIX}{a_dead_process()}-0"
    write(top, {f"outside/{left}": "left", f"root/g/a/{left}": "left"})
    for call in ("scandir", "listdir", "stat", "unlink", "open"):
        for at in range(1, 6):
            with at_call(monkeypatch, call, at, swap(top, "g/a")):
                cleared_applier(str(top / "root"), "g")
            assert (top / "outside" / left).exists()
            if (top / "root/moved").exists():
                (top / "root/g/a").unlink()
                (top / "root/moved").rename(top / "root/g/a")
            write(top, {f"root/g/a/{left}": "left"})


def test_a_thread_that_swaps_all_the_time_leads_nothing_outside(top: Path) -> None:
    root, is_over = top / "root", threading.Event()

    def swap_and_back() -> None:
        place, away = root / "g/a", root / "moved"
        while not is_over.is_set():
            with suppress(OSError):
                place.rename(away)
                place.symlink_to(top / "outside")
            with suppress(OSError):
                place.unlink()
                away.rename(place)

    thread = threading.Thread(target=swap_and_back)
    thread.start()
    try:
        for number in range(300):
            with suppress(ApplyError):
                Applier(str(root), "g").apply([Write(f"g/a/deep/{number}", b"new")])
            with suppress(ApplyError):
                Applier(str(root), "g").apply([Delete("g/a/b"), Write("g/a/b", b"again")])
    finally:
        is_over.set()
        thread.join()
    assert_untouched(top)


def test_descriptors_are_few_and_all_closed(top: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = set(os.listdir("/dev/fd"))
    edits = [Write(f"g/{number}/{number}/x", b"new") for number in range(300)]
    most = 0
    real = Folders.open

    def counted(self: Folders, directory: str, *, make: bool = False) -> int:
        nonlocal most
        handle = real(self, directory, make=make)
        most = max(most, len(os.listdir("/dev/fd")))
        return handle

    monkeypatch.setattr(Folders, "open", counted)
    Applier(str(top / "root"), "g").apply(edits)
    with pytest.raises(ApplyError):
        Applier(str(top / "root"), "g").apply([Write("g/free/x", b"new")])
    assert set(os.listdir("/dev/fd")) == opened
    assert most <= len(opened) + folders_module.MOST + 2


def test_a_path_deeper_than_the_number_of_descriptors_is_written(top: Path) -> None:
    path = "g/" + "d/" * (2 * folders_module.MOST) + "x"
    Applier(str(top / "root"), "g").apply([Write(path, b"new"), Copy(path, f"{path}-copy")])
    Applier(str(top / "root"), "g").apply([Rename(path, "g/x"), Delete(f"{path}-copy")])
    assert (top / "root/g/x").read_bytes() == b"new"
    assert not (top / "root/g/d").exists()


@pytest.mark.parametrize("mode", [0o775, 0o777, 0o1777])
def test_folders_that_others_can_write_are_used_as_usual(tmp_path: Path, mode: int) -> None:
    node = f"{NODE}mapping: {{paths: [src]}}\n"
    files = {"yg-config.yaml": CONFIG, "model/a/yg-node.yaml": node}
    write(tmp_path, {f".yggdrasil/{path}": text for path, text in files.items()})
    write(tmp_path, {"src/a.py": "a = 1\n"})
    for directory in (tmp_path, *(path for path in tmp_path.rglob("*") if path.is_dir())):
        directory.chmod(mode)
    assert run("drift-sync", "--all", "-C", str(tmp_path)).code == 0
    for directory in tmp_path.rglob("*"):
        if directory.is_dir() and ".cache" not in directory.parts:
            directory.chmod(mode)
    write(tmp_path, {"src/a.py": "a = 2\n"})
    assert run("drift", "-C", str(tmp_path)).code == 1
    assert run("drift-sync", "--all", "-C", str(tmp_path)).code == 0
    assert run("drift", "-C", str(tmp_path)).code == 0
    assert run("init", "--upgrade", "-C", str(tmp_path)).code == 0
