"""Temporary files of processes that are gone are removed, and nothing else is."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import a_dead_process
from yg.disk.files.folders import Folders
from yg.disk.files.temporary import (
    A_DAY,
    PREFIX,
    clear_abandoned,
    clear_abandoned_below,
    temporary_path,
)

MADE = "0123abcd"  # the rest of a name


@pytest.fixture(scope="module")
def dead() -> int:
    return a_dead_process()


@pytest.fixture
def alive() -> Iterator[int]:
    """Run a process that does nothing."""
    waiting = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with subprocess.Popen(waiting, stdin=subprocess.PIPE) as process:
        yield process.pid
        process.kill()


def here() -> str:
    """Return what the names of this machine begin with."""
    name, _, _ = os.path.basename(temporary_path("")).rpartition(f"{os.getpid()}-")
    return name


def elsewhere() -> str:
    return f"{PREFIX}{'0' * 8}-"


def put(folder: Path, *names: str, age: float = 0) -> None:
    for name in names:
        (folder / name).write_bytes(b"left")
        os.utime(folder / name, (time.time() - age,) * 2)


def test_two_names_are_never_the_same() -> None:
    assert len({temporary_path("x") for _ in range(100)}) == 100
    assert os.path.dirname(temporary_path("x/y")) == "x/y"


def test_what_a_process_left_is_removed_when_it_is_gone(tmp_path: Path, dead: int) -> None:
    # The second is how earlier versions named them, the last no number that a process can have.
    put(tmp_path, f"{here()}{dead}-{MADE}", f"{PREFIX}{dead}-0", f"{here()}9999999999-{MADE}")
    put(tmp_path, "a.json")
    assert clear_abandoned(str(tmp_path))
    assert os.listdir(tmp_path) == ["a.json"]
    assert not clear_abandoned(str(tmp_path))


def test_what_a_live_process_writes_stays_however_old_it_is(tmp_path: Path, alive: int) -> None:
    put(tmp_path, f"{here()}{alive}-{MADE}", f"{here()}1-{MADE}", age=2 * A_DAY)
    assert not clear_abandoned(str(tmp_path))
    assert sorted(os.listdir(tmp_path)) == sorted([f"{here()}{alive}-{MADE}", f"{here()}1-{MADE}"])


def test_what_this_process_writes_stays(tmp_path: Path) -> None:
    name = os.path.basename(temporary_path(""))
    put(tmp_path, name)
    assert not clear_abandoned(str(tmp_path))
    assert os.listdir(tmp_path) == [name]


def test_what_cannot_be_reported_stays_for_a_day(tmp_path: Path, dead: int) -> None:
    name, own = f"{elsewhere()}{dead}-{MADE}", os.path.basename(temporary_path(""))
    put(tmp_path, name, own, age=A_DAY - 60)
    assert not clear_abandoned(str(tmp_path))
    put(tmp_path, name, own, age=A_DAY + 60)
    assert clear_abandoned(str(tmp_path))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "name",
    [
        "{prefix}",
        "{prefix}notes",
        "{prefix}{dead}",
        "{prefix}{dead}-",
        "{prefix}{dead}-0.bak",
        "{prefix}{dead}-notes",
        "{prefix}0-0",
        "{prefix}0{dead}-0",
        "{prefix}x{host}{dead}-0",
        "x{prefix}{dead}-0",
        "{prefix}{dead}-0\n",
        "yg-tmp-{dead}-0",
        ".tmp-{dead}-0",
    ],
)
def test_any_other_name_is_not_ours(tmp_path: Path, dead: int, name: str) -> None:
    host = here().removeprefix(PREFIX)
    name = name.format(prefix=PREFIX, dead=dead, host=host)
    put(tmp_path, name, age=2 * A_DAY)
    assert not clear_abandoned(str(tmp_path))
    assert os.listdir(tmp_path) == [name]


def test_only_regular_files_are_removed(tmp_path: Path, dead: int) -> None:
    folder, victim = tmp_path / "folder", tmp_path / "victim"
    folder.mkdir()
    victim.write_bytes(b"precious")
    names = [f"{PREFIX}{dead}-{number}" for number in range(3)]
    (folder / names[0]).symlink_to(victim)
    (folder / names[1]).mkdir()
    os.mkfifo(folder / names[2])
    assert not clear_abandoned(str(folder))
    assert sorted(os.listdir(folder)) == names
    assert victim.read_bytes() == b"precious"


def test_a_file_of_another_user_stays(
    tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, f"{PREFIX}{dead}-0")
    user = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: user + 1)
    assert not clear_abandoned(str(tmp_path))
    assert os.listdir(tmp_path) == [f"{PREFIX}{dead}-0"]


def test_a_process_of_another_user_is_alive(
    tmp_path: Path, dead: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_process: int, _signal: int) -> None:
        raise PermissionError

    put(tmp_path, f"{PREFIX}{dead}-0")
    monkeypatch.setattr(os, "kill", refuse)
    assert not clear_abandoned(str(tmp_path))


def test_a_missing_folder_and_a_file_have_nothing_to_clear(tmp_path: Path) -> None:
    put(tmp_path, "file")
    for name in ("gone", "file"):
        assert not clear_abandoned(str(tmp_path / name))
        with Folders(str(tmp_path), "") as folders:
            clear_abandoned_below(folders, name)
    assert os.listdir(tmp_path) == ["file"]


def test_all_folders_below_are_cleared_but_none_behind_a_link(tmp_path: Path, dead: int) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    name = f"{PREFIX}{dead}-0"
    for folder in (root, root / "a", root / "a/b", root / "a/c", root / "d", outside):
        folder.mkdir()
        put(folder, name)
    put(root / "a/b", "kept.json")
    (root / "e").mkdir()
    (root / "link").symlink_to(outside)
    with Folders(str(tmp_path), "") as folders:
        clear_abandoned_below(folders, "root")
    found = sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))
    assert found == ["a", "a/b", "a/b/kept.json", "e", "link"]  # one that was empty before stays
    assert os.listdir(outside) == [name]
