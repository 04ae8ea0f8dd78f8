"""The cache is a folder of its own that git never sees and nobody needs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from yg.disk.cache import cache_folder

CACHE = ".yggdrasil/.cache"


def made(root: Path) -> str | None:
    """Ask for the cache of a repository; only the graph's folder is there before."""
    (root / ".yggdrasil").mkdir(exist_ok=True)
    return cache_folder(str(root), ".yggdrasil")


def mark(file: Path) -> tuple[int, ...]:
    """Return what changes whenever a file is written, and not when it is read."""
    status = os.stat(file)
    return status.st_ino, status.st_mtime_ns, status.st_ctime_ns, status.st_size


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


def test_the_cache_is_made_with_a_gitignore_of_its_own(tmp_path: Path) -> None:
    assert made(tmp_path) == str(tmp_path / CACHE)
    assert {each.name: each.read_bytes() for each in (tmp_path / CACHE).iterdir()} == {
        ".gitignore": b"*\n"
    }


def test_git_never_sees_the_cache(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / CACHE / "index").touch()
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    argv = ["git", "-C", str(tmp_path), "status", "--porcelain", "--untracked-files=all"]
    assert subprocess.run(argv, capture_output=True, check=True).stdout == b""


def test_asking_again_changes_nothing(tmp_path: Path) -> None:
    made(tmp_path)
    before = mark(tmp_path / CACHE / ".gitignore")
    assert made(tmp_path) == str(tmp_path / CACHE)
    assert mark(tmp_path / CACHE / ".gitignore") == before


def test_a_gitignore_that_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / CACHE).mkdir(parents=True)
    (tmp_path / CACHE / ".gitignore").write_bytes(b"# mine\n")
    assert made(tmp_path) == str(tmp_path / CACHE)
    assert (tmp_path / CACHE / ".gitignore").read_bytes() == b"# mine\n"


def test_a_linked_gitignore_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / CACHE).mkdir(parents=True)
    (tmp_path / CACHE / ".gitignore").symlink_to(tmp_path / "elsewhere")
    assert made(tmp_path) == str(tmp_path / CACHE)
    assert not (tmp_path / "elsewhere").exists()


def test_a_cache_that_is_a_link_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / ".yggdrasil").mkdir()
    (tmp_path / CACHE).symlink_to(tmp_path / "elsewhere")
    assert made(tmp_path) is None
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_broken_link_is_no_cache_and_is_not_mended(tmp_path: Path) -> None:
    (tmp_path / ".yggdrasil").mkdir()
    (tmp_path / CACHE).symlink_to(tmp_path / "elsewhere")
    assert made(tmp_path) is None
    assert not (tmp_path / "elsewhere").exists()


def test_a_file_is_no_cache_and_stays(tmp_path: Path) -> None:
    (tmp_path / ".yggdrasil").mkdir()
    (tmp_path / CACHE).write_bytes(b"mine")
    assert made(tmp_path) is None
    assert (tmp_path / CACHE).read_bytes() == b"mine"


@pytest.mark.parametrize("call", ["makedirs", "lstat"])
def test_without_permission_there_is_no_cache(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    (tmp_path / ".yggdrasil").mkdir()
    monkeypatch.setattr(os, call, refuse)
    assert cache_folder(str(tmp_path), ".yggdrasil") is None


def test_another_process_that_was_faster_is_no_trouble(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(tmp_path)
    monkeypatch.setattr(os.path, "lexists", lambda _: False)
    assert cache_folder(str(tmp_path), ".yggdrasil") == str(tmp_path / CACHE)
    assert (tmp_path / CACHE / ".gitignore").read_bytes() == b"*\n"


def test_the_cache_of_a_linked_graph_is_beside_that_graph(tmp_path: Path) -> None:
    (tmp_path / "graph").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / ".yggdrasil").symlink_to(tmp_path / "graph")
    assert cache_folder(str(tmp_path / "root"), ".yggdrasil") == str(tmp_path / "root" / CACHE)
    assert (tmp_path / "graph" / ".cache" / ".gitignore").exists()
