"""One writer at a time: others wait, and nobody is kept out by a writer that died."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from yg.disk.apply import ApplyError
from yg.disk.lock import writing

HOLD = """\
import sys, time
from yg.disk.lock import writing
with writing(sys.argv[1], ".yggdrasil"):
    print("held", flush=True)
    time.sleep(600)
"""
COUNT = """\
import sys
from yg.disk.lock import writing
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
    assert sorted(os.listdir(f"{root}/.yggdrasil/.cache")) == [".gitignore", "lock"]


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
    monkeypatch.setattr("yg.disk.lock.PATIENCE", 0.01)
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


@pytest.mark.parametrize("kind", ["link", "broken link", "file"])
def test_without_a_cache_there_is_no_lock_and_no_writing(
    root: str, tmp_path: Path, kind: str
) -> None:
    cache = tmp_path / ".yggdrasil" / ".cache"
    (tmp_path / "elsewhere").mkdir()
    if kind == "file":
        cache.touch()
    else:
        cache.symlink_to(tmp_path / ("elsewhere" if kind == "link" else "nowhere"))
    error = refusal(root)
    assert error.message == "cannot write to .yggdrasil/.cache/"
    assert error.hint == "It must be a writable directory, not a link."
    assert (os.listdir(tmp_path / "elsewhere"), (tmp_path / "nowhere").exists()) == ([], False)


@pytest.mark.parametrize("target", ["elsewhere", "nowhere"])
def test_a_lock_that_is_a_link_is_not_followed(root: str, tmp_path: Path, target: str) -> None:
    (tmp_path / ".yggdrasil" / ".cache").mkdir()
    (tmp_path / "elsewhere").write_bytes(b"precious")
    (tmp_path / ".yggdrasil" / ".cache" / "lock").symlink_to(tmp_path / target)
    assert refusal(root).hint == "Remove it; links are not followed."
    assert (tmp_path / "elsewhere").read_bytes() == b"precious"
    assert not (tmp_path / "nowhere").exists()


def test_two_repositories_do_not_wait_for_each_other(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / ".yggdrasil").mkdir(parents=True)
    with writing(str(tmp_path / "a"), ".yggdrasil"), writing(str(tmp_path / "b"), ".yggdrasil"):
        pass
