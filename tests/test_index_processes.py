"""Several processes with one index, processes that end too early, and disks that take nothing."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from damage import cache_of, index_of
from edits import (
    SPEC_START,
    START,
    edit_a_node,
    edit_a_spec_node,
    edit_a_text,
    edit_as_editors_do,
    graph_of,
)
from forked import shared
from support import run, write
from yg.disk.index.database import NAME
from yg.surfaces.cli.main import BUG
from yg.surfaces.cli.outcome import Outcome

pytestmark = pytest.mark.slow

COMMANDS = (
    ("validate",),
    ("build-context", "a/b"),
    ("tree", "--json"),
    ("drift",),
    ("owner", "src/b.py"),
    ("show", "src/b.py", "--outline"),
    ("uses", "b"),
    ("plan",),
)
SPEC_COMMANDS = (
    ("validate",),
    ("build-context", "A"),
    ("tree", "--json"),
    ("status",),
    ("impact", "--node", "D"),
    ("plan",),
)
# Runs the commands as many processes do: one after the other, from any one on.
PROCESS = """
import sys
import yg.disk.files.stamps
from yg.surfaces.cli.main import answer
from yg.surfaces.cli.outcome import Terminal
yg.disk.files.stamps.SETTLED_NS = int(sys.argv[2])
for words in sys.argv[3:]:
    outcome = answer([*words.split(" "), "-C", sys.argv[1]], Terminal(lambda: ()))
    sys.stdout.write(f"{outcome.code}\\n{outcome.text}{outcome.notes}\\0")
"""
# Ends at once, in the middle of writing an index.
KILLED = """
import os, signal, sys
import yg.disk.files.stamps, yg.disk.index.database
from yg.surfaces.cli.main import answer
from yg.surfaces.cli.outcome import Terminal
yg.disk.files.stamps.SETTLED_NS = -(1 << 62)
left = int(sys.argv[2])

class Dying(yg.disk.index.database.sqlite3.Connection):
    def execute(self, *arguments):
        self.count()
        return super().execute(*arguments)
    def executemany(self, *arguments):
        self.count()
        return super().executemany(*arguments)
    def count(self):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)

connect = yg.disk.index.database.sqlite3.connect
yg.disk.index.database.sqlite3.connect = lambda *a, **k: connect(*a, **k, factory=Dying)
answer(["validate", "-C", sys.argv[1]], Terminal(lambda: ()))
"""


@pytest.fixture(params=[START, SPEC_START], ids=["yggdrasil", "specgraph"])
def root(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return write(tmp_path / "root", request.param)


def commands_of(root: Path) -> tuple[tuple[str, ...], ...]:
    return SPEC_COMMANDS if graph_of(root) == "specgraph" else COMMANDS


def change_a_node(root: Path) -> None:
    """Write another text for a node."""
    if graph_of(root) == "specgraph":
        node = '{"id": "A", "type": "behavior", "title": "Something else than before"}\n'
        write(root, {"specgraph/nodes/A.json": node})
    else:
        text = "Something else than before, and longer.\n"
        write(root, {".yggdrasil/model/a/responsibility.md": text})


@pytest.fixture
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


def say(root: Path, *argv: str) -> Outcome:
    return run(*argv, "-C", str(root))


def without_index(root: Path) -> list[Outcome]:
    return [say(root, *argv, "--no-cache") for argv in commands_of(root)]


def started(root: Path, settled_ns: int, number: int) -> subprocess.Popen[str]:
    """Start a process that asks everything, beginning with another question than the others."""
    commands = commands_of(root)
    at = number % len(commands)
    words = [" ".join(argv) for argv in (*commands[at:], *commands[:at])]
    argv = [*shared().python(PROCESS), str(root), str(settled_ns), *words]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def answers(process: subprocess.Popen[str], number: int) -> list[str]:
    """Return what a process said, in the order of the questions."""
    out, _ = process.communicate()
    assert process.returncode == 0
    said = out.split("\0")[:-1]
    at = -number % len(said)
    return [*said[at:], *said[:at]]


def test_many_processes_at_once_say_what_each_says_alone(root: Path) -> None:
    run("drift-sync", "--all", "-C", str(root))
    alone = [f"{item.code}\n{item.text}{item.notes}" for item in without_index(root)]
    processes = [started(root, -(1 << 62), number) for number in range(8)]
    for number, process in enumerate(processes):
        assert answers(process, number) == alone
    names = {NAME, "root"} | ({"lock"} if graph_of(root) == ".yggdrasil" else set())
    assert set(os.listdir(cache_of(root))) - {f"{NAME}-wal", f"{NAME}-shm"} == names


def test_edits_while_processes_run_are_not_overlooked_afterwards(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_while = 30_000_000
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", a_while)
    rng = Random(1)  # noqa: S311
    edit = edit_a_spec_node if graph_of(root) == "specgraph" else edit_a_node
    processes = [started(root, a_while, number) for number in range(3)]
    while any(process.poll() is None for process in processes):
        rng.choice((edit, edit_a_text, edit_as_editors_do))(root, rng)
        say(root, *rng.choice(commands_of(root)))
        time.sleep(rng.choice((0, 0.01, 0.05)))
    for number, process in enumerate(processes):
        assert not any(answer.startswith(f"{BUG}\n") for answer in answers(process, number))
    time.sleep(1.5 * a_while / 1e9)
    for _ in range(3):
        assert [say(root, *argv) for argv in commands_of(root)] == without_index(root)


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("left", range(6, 24, 2))
@pytest.mark.parametrize("is_first", [True, False], ids=["first", "later"])
def test_a_process_that_is_killed_while_it_writes_leaves_an_index_that_is_right(
    root: Path, left: int, *, is_first: bool
) -> None:
    if not is_first:
        say(root, "tree")
    subprocess.run([*shared().python(KILLED), str(root), str(left)], check=False)
    change_a_node(root)
    for _ in range(2):
        assert [say(root, *argv) for argv in commands_of(root)] == without_index(root)


def failing(name: str, root: Path, error: OSError) -> Any:
    """Make a function of the machine that fails for whatever lies in the cache."""
    function, place = getattr(os, name), str(cache_of(root))

    def fails(path: Any, *rest: Any, **options: Any) -> Any:
        if place in os.fspath(path):
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
@pytest.mark.parametrize("name", ["mkdir", "lstat", "unlink"])
@pytest.mark.parametrize("is_warm", [True, False], ids=["warm", "cold"])
def test_whatever_the_disk_refuses_the_answer_is_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch, name: str, error: OSError, *, is_warm: bool
) -> None:
    expected = [say(root, *argv, "--no-cache") for argv in commands_of(root)[:2]]
    if is_warm:
        say(root, *commands_of(root)[1])
    monkeypatch.setattr(os, name, failing(name, root, error))
    assert [say(root, *argv) for argv in commands_of(root)[:2]] == expected


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("is_warm", [True, False], ids=["warm", "cold"])
@pytest.mark.parametrize("start", range(0, 12, 2))
def test_whatever_sqlite_refuses_the_answer_is_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch, start: int, *, is_warm: bool
) -> None:
    expected = without_index(root)
    if is_warm:
        for _ in range(2):
            say(root, "validate")
    count = iter(range(10**9))

    class Failing(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            if next(count) % 12 >= start:
                raise sqlite3.OperationalError("disk I/O error")
            return super().execute(*arguments)

    connect = sqlite3.connect
    monkeypatch.setattr(
        "yg.disk.index.database.sqlite3.connect",
        lambda *arguments, **options: connect(*arguments, **{**options, "factory": Failing}),
    )
    assert [say(root, *argv) for argv in commands_of(root)] == expected


@pytest.mark.usefixtures("_later")
def test_an_index_that_another_process_keeps_locked_is_read_and_not_written(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("yg.disk.index.database.PATIENCE", 0.05)
    for _ in range(2):
        say(root, "validate")
    with closing(sqlite3.connect(index_of(root), isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        change_a_node(root)
        assert [say(root, *argv) for argv in commands_of(root)] == without_index(root)
        other.execute("ROLLBACK")
    assert [say(root, *argv) for argv in commands_of(root)] == without_index(root)
