"""One writer at a time: others wait, and nobody is kept out by a writer that died."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from support import private_folder
from yg.disk.files.apply import ApplyError
from yg.disk.index.private import cache_folder
from yg.disk.writing.lock import writing

HOLD = """\
import sys, time
from yg.disk.writing.lock import writing
with writing(sys.argv[1], ".yggdrasil"):
    print("held", flush=True)
    time.sleep(600)
"""
COUNT = """\
import sys
from yg.disk.writing.lock import writing
for _ in range(20):
    with writing(sys.argv[1], ".yggdrasil"):
        with open(sys.argv[2]) as file:
            number = int(file.read())
        with open(sys.argv[2], "w") as file:
            file.write(str(number + 1))
"""


@pytest.fixture
def root(tmp_path: Path) -> str:
    (tmp_path / ".yggdrasil").mkdir()
    return str(tmp_path)


def refusal(root: str) -> ApplyError:
    with pytest.raises(ApplyError) as caught, writing(root, ".yggdrasil"):
        pass
    return caught.value


@contextmanager
def a_writer(root: str) -> Iterator[None]:
    """Let another process write, until it is killed."""
    with subprocess.Popen([sys.executable, "-c", HOLD, root], stdout=subprocess.PIPE) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"held\n"
            yield
        finally:
            writer.kill()


def test_a_writer_leaves_the_lock_open_for_the_next(root: str) -> None:
    for _ in range(2):
        with writing(root, ".yggdrasil"):
            pass
    folder = private_folder(Path(root))
    assert sorted(os.listdir(folder)) == ["lock", "root"]
    assert stat.S_IMODE((folder / "lock").stat().st_mode) == 0o600
    assert os.listdir(f"{root}/.yggdrasil") == []


def test_a_second_writer_waits_for_the_first(root: str) -> None:
    story: list[str] = []

    def second() -> None:
        with writing(root, ".yggdrasil"):
            story.append("second")

    thread = Thread(target=second)
    with writing(root, ".yggdrasil"):
        thread.start()
        story.append("first")
    thread.join()
    assert story == ["first", "second"]


def test_a_writer_that_waits_too_long_says_for_what(
    root: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.writing.lock.PATIENCE", 0.01)
    with a_writer(root):
        error = refusal(root)
    assert error.message == "another process is writing to the graph"
    assert error.hint == "Wait for the other yg command to finish, then try again."
    assert (error.code, error.exit_code) == ("cannot-write", 1)


def test_a_writer_that_was_killed_keeps_nobody_out(root: str) -> None:
    with a_writer(root):
        pass
    with writing(root, ".yggdrasil"):
        pass


def test_a_writer_that_failed_keeps_nobody_out(root: str) -> None:
    with pytest.raises(ZeroDivisionError), writing(root, ".yggdrasil"):
        _ = 1 // 0
    with writing(root, ".yggdrasil"):
        pass


def test_no_update_is_lost(root: str, tmp_path: Path) -> None:
    (tmp_path / "number").write_text("0", encoding="utf-8")
    argv = [sys.executable, "-c", COUNT, root, str(tmp_path / "number")]
    writers = [subprocess.Popen(argv) for _ in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    assert (tmp_path / "number").read_text(encoding="utf-8") == "60"


def unusable(folder: Path, kind: str) -> None:
    """Put something in the place of a private folder that is none."""
    match kind:
        case "link":
            folder.symlink_to(folder.parent)
        case "broken link":
            folder.symlink_to("nowhere")
        case "file":
            folder.touch()
        case "open to others":
            folder.mkdir(mode=0o755)


@pytest.mark.parametrize("kind", ["link", "broken link", "file", "open to others"])
def test_without_a_cache_directory_the_lock_is_in_the_temporary_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    for name in ("XDG_CACHE_HOME", "TMPDIR"):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    root = str(tmp_path / "root")
    unusable(tmp_path / "XDG_CACHE_HOME/yg", kind)
    monkeypatch.setattr("yg.disk.writing.lock.PATIENCE", 0.01)
    with a_writer(root):
        assert refusal(root).message == "another process is writing to the graph"
    (own,) = (tmp_path / "TMPDIR").iterdir()
    assert own.name == f"yg-{os.geteuid()}"
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


@pytest.mark.parametrize("kind", ["link", "broken link", "file", "open to others"])
def test_without_any_place_for_a_lock_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    for name, folder in (("XDG_CACHE_HOME", "yg"), ("TMPDIR", f"yg-{os.geteuid()}")):
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
        unusable(tmp_path / name / folder, kind)
    error = refusal(str(tmp_path / "root"))
    assert error.message == "there is no place for a lock"
    assert error.hint.startswith("Set XDG_CACHE_HOME or TMPDIR to a directory of yours")
    assert not list(tmp_path.rglob("lock"))


@pytest.mark.parametrize("kind", ["link", "broken link", "fifo", "open to others"])
def test_something_else_in_place_of_the_lock_is_removed(
    root: str, tmp_path: Path, kind: str
) -> None:
    lock = Path(cache_folder(root, ".yggdrasil"), "lock")
    (tmp_path / "elsewhere").write_bytes(b"precious")
    match kind:
        case "link":
            lock.symlink_to(tmp_path / "elsewhere")
        case "broken link":
            lock.symlink_to(tmp_path / "nowhere")
        case "fifo":
            os.mkfifo(lock)
        case _:
            lock.touch()
            lock.chmod(0o666)
    with writing(root, ".yggdrasil"):
        assert stat.S_IMODE(lock.lstat().st_mode) == 0o600
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert not (tmp_path / "nowhere").exists()


def test_two_repositories_do_not_wait_for_each_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / ".yggdrasil").mkdir(parents=True)
    with writing(str(tmp_path / "a"), ".yggdrasil"), writing(str(tmp_path / "b"), ".yggdrasil"):
        pass
