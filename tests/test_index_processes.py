"""Several processes with one index, processes that end too early, and disks that take nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from yg.disk.lines import NAME, Lines

from damage import CACHE, INDEX
from edits import START, edit_a_node, edit_a_text, edit_as_editors_do
from support import run, write
from yg.cli.main import BUG
from yg.cli.outcome import Outcome

COMMANDS = (
    ("validate",),
    ("build-context", "a/b"),
    ("tree", "--json"),
    ("drift",),
    ("owner", "src/b.py"),
    ("plan",),
)
# Runs the commands as many processes do: one after the other, from any one on.
PROCESS = """
import sys
import yg.disk.memory
from yg.cli.main import answer
from yg.cli.outcome import Terminal
yg.disk.memory.SETTLED_NS = int(sys.argv[2])
for words in sys.argv[3:]:
    outcome = answer([*words.split(" "), "-C", sys.argv[1]], Terminal(lambda: ()))
    sys.stdout.write(f"{outcome.code}\\n{outcome.text}{outcome.notes}\\0")
"""
# Ends at once, in the middle of writing an index.
KILLED = """
import os, signal, sys
import yg.disk.lines, yg.disk.memory
from yg.cli.main import answer
from yg.cli.outcome import Terminal
yg.disk.memory.SETTLED_NS = -(1 << 62)

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

class HalfWritten:
    def __init__(self, handle, _):
        self.handle = handle
    def __enter__(self):
        return self
    def __exit__(self, *_):
        os.close(self.handle)
    def writelines(self, pieces):
        data = b"".join(pieces)
        os.write(self.handle, data[: len(data) // 2])
        die()

if sys.argv[2] == "write":
    yg.disk.lines.open = HalfWritten
else:
    os.replace = die
answer(["validate", "-C", sys.argv[1]], Terminal(lambda: ()))
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write(tmp_path / "root", START)


@pytest.fixture
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.memory.SETTLED_NS", -(1 << 62))


def say(root: Path, *argv: str) -> Outcome:
    return run(*argv, "-C", str(root))


def without_index(root: Path) -> list[Outcome]:
    return [say(root, *argv, "--no-cache") for argv in COMMANDS]


def started(root: Path, settled_ns: int, number: int) -> subprocess.Popen[str]:
    """Start a process that asks everything, beginning with another question than the others."""
    at = number % len(COMMANDS)
    words = [" ".join(argv) for argv in (*COMMANDS[at:], *COMMANDS[:at])]
    argv = [sys.executable, "-c", PROCESS, str(root), str(settled_ns), *words]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def answers(process: subprocess.Popen[str], number: int) -> list[str]:
    """Return what a process said, in the order of the questions."""
    out, _ = process.communicate()
    assert process.returncode == 0
    said = out.split("\0")[:-1]
    at = -number % len(COMMANDS)
    return [*said[at:], *said[:at]]


def test_many_processes_at_once_say_what_each_says_alone(root: Path) -> None:
    run("drift-sync", "--all", "-C", str(root))
    alone = [f"{each.code}\n{each.text}{each.notes}" for each in without_index(root)]
    processes = [started(root, -(1 << 62), number) for number in range(8)]
    for number, process in enumerate(processes):
        assert answers(process, number) == alone
    assert sorted(os.listdir(root / CACHE)) == [".gitignore", NAME, "lock", "seal"]
    assert Lines(str(root)).is_whole


def test_edits_while_processes_run_are_not_overlooked_afterwards(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_while = 30_000_000
    monkeypatch.setattr("yg.disk.memory.SETTLED_NS", a_while)
    rng = Random(1)  # noqa: S311
    processes = [started(root, a_while, number) for number in range(3)]
    while any(process.poll() is None for process in processes):
        rng.choice((edit_a_node, edit_a_text, edit_as_editors_do))(root, rng)
        say(root, *rng.choice(COMMANDS))
        time.sleep(rng.choice((0, 0.01, 0.05)))
    for number, process in enumerate(processes):
        assert not any(each.startswith(f"{BUG}\n") for each in answers(process, number))
    time.sleep(1.5 * a_while / 1e9)
    for _ in range(3):
        assert [say(root, *argv) for argv in COMMANDS] == without_index(root)


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("step", ["write", "replace"])
@pytest.mark.parametrize("is_first", [True, False], ids=["first", "later"])
def test_a_process_that_is_killed_while_it_writes_leaves_what_was_there(
    root: Path, step: str, *, is_first: bool
) -> None:
    if not is_first:
        say(root, "tree")
    before = (root / INDEX).read_bytes() if not is_first else b""
    ended = subprocess.run([sys.executable, "-c", KILLED, str(root), step], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert ((root / INDEX).read_bytes() if not is_first else b"") == before
    assert (root / INDEX).exists() is not is_first
    for _ in range(2):
        assert [say(root, *argv) for argv in COMMANDS] == without_index(root)
    assert Lines(str(root)).large_keys  # what is found out is written again


def failing(name: str, error: OSError) -> Any:
    """Make a function of the machine that fails for whatever lies in the cache."""
    function = getattr(os, name)

    def fails(path: Any, *rest: Any, **options: Any) -> Any:
        if "/.cache" in os.fspath(path):
            raise error
        return function(path, *rest, **options)

    return fails


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize(
    "error",
    [
        PermissionError(13, "Permission denied"),
        OSError(28, "No space left on device"),
    ],
    ids=lambda error: str(error.strerror),
)
@pytest.mark.parametrize("name", ["makedirs", "open", "replace", "lstat", "unlink"])
@pytest.mark.parametrize("is_warm", [True, False], ids=["warm", "cold"])
def test_whatever_the_disk_refuses_the_answer_is_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: OSError, *, is_warm: bool
) -> None:
    expected = [say(root, *argv, "--no-cache") for argv in COMMANDS[:2]]
    if is_warm:
        say(root, "build-context", "a/b")
    monkeypatch.setattr(os, name, failing(name, error))
    assert [say(root, *argv) for argv in COMMANDS[:2]] == expected


@pytest.mark.usefixtures("_later")
def test_an_index_that_cannot_be_read_in_the_middle_of_it_is_lost(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = without_index(root)
    for _ in range(2):
        say(root, "validate")
    read, count = os.read, iter(range(10_000))

    def fails(handle: int, length: int) -> bytes:
        if os.readlink(f"/proc/self/fd/{handle}").endswith(NAME) and next(count) % 3 == 1:
            raise OSError(5, "Input/output error")
        return read(handle, length)

    if not os.path.exists("/proc/self/fd"):
        pytest.skip("nobody tells which file a handle is of")
    monkeypatch.setattr(os, "read", fails)
    assert [say(root, *argv) for argv in COMMANDS] == expected
