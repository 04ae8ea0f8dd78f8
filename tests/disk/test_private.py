"""Private folders: one for each graph, in the user's cache directory, for nobody else."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from disk.trees import give_away
from yg.disk import private
from yg.disk.private import (
    ROOT,
    cache_folder,
    is_private_file,
    make_private,
    remove_private,
    state_folder,
)

GRAPH = ".yggdrasil"


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a cache directory and a temporary directory of this test alone."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    for name in ("cache", "temporary"):
        (tmp_path / name).mkdir(mode=0o700)
    return tmp_path / "cache"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


def made(root: Path, graph: str = GRAPH) -> Path:
    folder = cache_folder(str(root), graph)
    assert folder
    return Path(folder)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_a_folder_is_private_and_knows_its_root(base: Path, root: Path) -> None:
    folder = made(root)
    assert folder.parent == base / "yg"
    assert (mode(folder.parent), mode(folder), mode(folder / ROOT)) == (0o700, 0o700, 0o600)
    assert (folder / ROOT).read_bytes() == os.fsencode(root)
    assert os.listdir(folder) == [ROOT]
    assert os.listdir(root) == []
    assert made(root) == folder


def test_each_root_and_each_graph_has_a_folder_of_its_own(base: Path, tmp_path: Path) -> None:
    roots = [tmp_path / name for name in ("a", "b", os.fsdecode(b"\xff"))]
    for root in roots:
        root.mkdir()
    folders = {made(root, graph) for root in roots for graph in (GRAPH, "specgraph")}
    assert len(folders) == 6


def test_without_a_home_there_is_no_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("HOME", "")
    monkeypatch.chdir(root)
    assert cache_folder(str(root), GRAPH) == ""
    assert os.listdir(root) == []


def test_the_folder_is_the_same_by_whatever_name_the_root_is_called(base: Path, root: Path) -> None:
    link = root.with_name("link")
    link.symlink_to(root)
    assert made(link) == made(root / ".." / "root") == made(root)


def test_the_cache_directory_may_be_a_link(
    base: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = root.with_name("link")
    link.symlink_to(base)
    monkeypatch.setenv("XDG_CACHE_HOME", str(link))
    assert made(root).parent == base / "yg"


def test_a_cache_directory_that_is_missing_is_made(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new/cache"))
    assert made(root).parent == tmp_path / "new/cache/yg"
    assert mode(tmp_path / "new/cache") == 0o700


@pytest.mark.parametrize("named", ["", "relative/path"])
def test_without_a_valid_name_it_is_in_the_home(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", named)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    usual = "Library/Caches" if sys.platform == "darwin" else ".cache"
    assert made(root).parent == tmp_path / "home" / usual / "yg"


WRONG = ("link", "broken link", "file", "readable by others", "of another user")


def spoil(folder: Path, how: str) -> None:
    """Make something of a private folder that is none."""
    away = folder.with_name("away")
    match how:
        case "link":
            folder.rename(away)
            folder.symlink_to(away)
        case "broken link":
            folder.rename(away)
            folder.symlink_to("nowhere")
        case "file":
            folder.rename(away)
            folder.touch(mode=0o600)
        case "readable by others":
            folder.chmod(0o755)
        case _:
            give_away(folder)


@pytest.mark.parametrize("how", WRONG)
@pytest.mark.parametrize("is_top", [False, True])
def test_a_folder_that_is_not_private_is_neither_used_nor_changed(
    base: Path, root: Path, how: str, *, is_top: bool
) -> None:
    folder = made(root)
    spoiled = folder.parent if is_top else folder
    spoil(spoiled, how)
    before = spoiled.lstat()
    assert cache_folder(str(root), GRAPH) == ""
    assert spoiled.lstat() == before
    assert Path(state_folder(str(root), GRAPH)).parent.parent == base.parent / "temporary"


def test_a_cache_directory_that_anybody_can_write_is_used_only_if_it_is_sticky(
    base: Path, root: Path
) -> None:
    base.chmod(0o777)
    assert cache_folder(str(root), GRAPH) == ""
    assert os.listdir(base) == []
    base.chmod(0o1777)
    assert cache_folder(str(root), GRAPH)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_cache_directory_of_another_user_is_not_used(base: Path, root: Path) -> None:
    os.chown(base, 65534, -1)
    assert cache_folder(str(root), GRAPH) == ""
    assert os.listdir(base) == []


@pytest.mark.parametrize("place", ["root", "root/deep/cache", "root/.git/cache", ""])
@pytest.mark.parametrize("is_linked", [False, True])
def test_a_cache_directory_inside_the_work_tree_is_not_used(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch, place: str, *, is_linked: bool
) -> None:
    subprocess.run(["git", "init", "-q", tmp_path / ("root" if place else ".")], check=True)
    inside = tmp_path / (place or "beside")  # the graph may be in a directory of the work tree
    inside.mkdir(parents=True, exist_ok=True)
    named = inside
    if is_linked:
        named = root.with_name("link")
        named.symlink_to(inside)
    monkeypatch.setenv("XDG_CACHE_HOME", str(named))
    before = sorted(os.listdir(inside))
    assert cache_folder(str(root), GRAPH) == ""
    assert sorted(os.listdir(inside)) == before


@pytest.mark.parametrize("call", ["mkdir", "lstat", "makedirs", "open"])
def test_without_permission_there_is_no_folder(
    base: Path, root: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, call, refuse)
        assert cache_folder(str(root), GRAPH) == ""
        assert state_folder(str(root), GRAPH) == ""


def test_a_folder_that_cannot_be_written_is_not_used(
    base: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(root)
    monkeypatch.setattr(os, "access", lambda *_, **__: False)  # as on a read-only disk
    assert cache_folder(str(root), GRAPH) == ""


# Files.


def test_a_file_is_made_once_and_for_the_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    make_private(str(path), b"one")
    assert (path.read_bytes(), mode(path)) == (b"one", 0o600)
    with pytest.raises(FileExistsError):
        make_private(str(path), b"two")
    for _ in range(2):
        remove_private(str(path))
        assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("how", ["missing", "link", "directory", "fifo", "mode", "owner", "large"])
def test_a_file_that_is_not_private_is_none(tmp_path: Path, how: str) -> None:
    path, other = tmp_path / "file", tmp_path / "other"
    make_private(str(other), b"content")
    match how:
        case "link":
            path.symlink_to("other")
        case "directory":
            path.mkdir()
        case "fifo":
            os.mkfifo(path, 0o600)
        case "mode":
            make_private(str(path), b"content")
            path.chmod(0o640)
        case "owner":
            make_private(str(path), b"content")
            give_away(path)
        case "large":
            make_private(str(path), b"more content")
    assert is_private_file(str(other), 7)
    assert not is_private_file(str(path), 7)


# Folders of roots that are gone.


def roots_in(base: Path) -> set[str]:
    return {(folder / ROOT).read_text() for folder in (base / "yg").iterdir()}


def test_folders_of_roots_that_are_gone_are_removed_by_the_next_new_one(
    base: Path, tmp_path: Path
) -> None:
    roots = [tmp_path / name for name in "abcd"]
    for root in roots[:3]:
        root.mkdir()
        make_private(str(made(root) / "index.db"), b"x")
    shutil.rmtree(roots[0])
    shutil.rmtree(roots[1])
    roots[1].touch()  # a file is not a root
    made(roots[2])
    assert roots_in(base) == {str(root) for root in roots[:3]}  # no new folder, no removal
    roots[3].mkdir()
    made(roots[3])
    assert roots_in(base) == {str(root) for root in roots[2:]}


def test_only_some_folders_are_removed_at_once(
    base: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "MOST_REMOVED", 3)
    for number in range(8):
        made(tmp_path / f"gone-{number}")  # whose roots were never there
    counts = [len(os.listdir(base / "yg"))]
    for number in range(8):
        (tmp_path / str(number)).mkdir()
        made(tmp_path / str(number))
        counts.append(len(os.listdir(base / "yg")))
    assert all(after >= before - 2 for before, after in pairwise(counts))
    assert roots_in(base) == {str(tmp_path / str(number)) for number in range(8)}


@pytest.mark.parametrize("how", [*WRONG, "other name", "no root", "linked root", "with a folder"])
def test_what_is_not_a_folder_of_ours_is_not_removed(
    base: Path, tmp_path: Path, root: Path, how: str
) -> None:
    folder = made(tmp_path / "gone")
    make_private(str(folder / "file"), b"precious")
    kept = folder
    match how:
        case "other name":
            kept = folder.rename(folder.with_name("x" * 31))
        case "no root":
            (folder / ROOT).unlink()  # it is being made
        case "linked root":
            (folder / ROOT).rename(folder / "target")
            (folder / ROOT).symlink_to("target")
        case "with a folder":
            (folder / "folder").mkdir()
        case _:
            spoil(folder, how)
            away = folder.with_name("away")
            kept = away if away.exists() else folder
    made(root)
    if how == "with a folder":
        assert (folder / "folder").is_dir()
    else:
        assert (kept / "file").read_bytes() == b"precious"


def test_what_a_killed_process_left_without_a_root_is_removed_later(
    base: Path, tmp_path: Path, root: Path
) -> None:
    folder = made(tmp_path / "gone")
    (folder / ROOT).unlink()
    os.utime(folder, (0, 0))
    made(root)
    assert not folder.exists()
