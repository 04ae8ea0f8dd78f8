"""Whatever is done to a repository between two runs, an answer with the index is the one without.

A script is a row of edits, each followed by some commands, with and without the index. What it does
follows from its number alone.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from damage import DAMAGES, INDEX
from edits import EDITS, IDS, START
from support import run, write
from yg.cli.main import BUG
from yg.disk.memory import SETTLED_NS
from yg.kernel.errors import YgError
from yg.workspace import Workspace, open_workspace

STEPS = 16
FILES = ("src/a/one.py", "src/b.py", "src/later.py", "top.py")
COMMANDS: tuple[Callable[[str], tuple[str, ...]], ...] = (
    *[lambda _: ("validate",)] * 3,
    *[lambda node: ("build-context", node)] * 3,
    lambda _: ("validate", "--json"),
    lambda node: ("validate", "--scope", node),
    lambda node: ("build-context", node, "--lenient"),
    lambda _: ("build-context", "--file", "src/b.py"),
    lambda _: ("tree",),
    lambda node: ("tree", node, "--json"),
    lambda _: ("status",),
    lambda _: ("preflight",),
    lambda _: ("drift",),
    lambda _: ("owner", *FILES),
    lambda node: ("deps", node),
    lambda node: ("impact", node),
    lambda _: ("impact", "--aspect", "x"),
    lambda _: ("impact", "--flow", "f"),
    lambda _: ("plan",),
    lambda _: ("coverage",),
    lambda _: ("aspects",),
    lambda _: ("flows",),
)
QUESTIONS: tuple[Callable[[Workspace], object], ...] = (
    lambda workspace: workspace.verdict(),
    lambda workspace: workspace.errors(),
    lambda workspace: list(workspace.graph.nodes),
    lambda workspace: workspace.graph.nodes.get("a"),
)


class Script:
    """One repository, what happens to it, and a record of that."""

    def __init__(self, number: int, place: Path) -> None:
        self.rng = Random(number)  # noqa: S311
        self.root = write(place / "root", START)
        self.record: list[object] = [number]
        self._probe = place / "probe"
        self._open: list[Workspace] = []
        if number % 2:
            self._git("init", "--quiet", "--initial-branch=branch-0")
            self._git("add", ".")
            self._git("commit", "--quiet", "--message=first")

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", self.root, *arguments], check=True)

    def edit(self, most: int = 2) -> None:
        for edit in self.rng.choices(EDITS, k=self.rng.randint(0, most)):
            self.record.append(edit.__name__)
            with suppress(OSError):  # the files are not as it expects them
                edit(self.root, self.rng)

    def damage(self) -> None:
        if (self.root / INDEX).is_file():
            damage = self.rng.choice(DAMAGES[:8])
            self.record.append(damage.__name__)
            damage(self.root, self.rng)

    def synchronize(self) -> None:
        self.record.append("drift-sync")
        assert run("drift-sync", "--all", "-C", str(self.root)).code != BUG

    def begin(self) -> None:
        """Let another process start, which writes its index at some later time."""
        with suppress(YgError):
            workspace = open_workspace(str(self.root))
            self.record.append("begin")
            self._open.append(workspace)

    def go_on(self) -> None:
        """Let a process that has begun find something out."""
        for workspace in self._open:
            self.record.append("go on")
            with suppress(YgError):
                self.rng.choice(QUESTIONS)(workspace)

    def end(self) -> None:
        """Let a process that has begun write its index."""
        if self._open:
            self.record.append("end")
            self._open.pop(self.rng.randrange(len(self._open))).save()

    def compare(self) -> None:
        for command in self.rng.sample(COMMANDS, self.rng.choice((1, 2, 3))):
            argv = (*command(self.rng.choice(IDS[:5])), "-C", str(self.root))
            self.record.append(argv[0])
            answers = {}
            for more in self.rng.sample(((), ("--no-cache",)), 2):
                answers[more] = run(*argv, *more)
            assert answers[()] == answers["--no-cache",], (argv, self.record)
            assert answers[()].code != BUG, answers[()]

    def tick(self) -> None:
        """Wait until the clock of the file system has moved on."""
        self._probe.touch()
        before = self._probe.stat().st_ctime_ns
        while self._probe.stat().st_ctime_ns == before:
            self._probe.write_bytes(b"")


@pytest.fixture
def _later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every file be old enough to be trusted."""
    monkeypatch.setattr("yg.disk.memory.SETTLED_NS", -(1 << 62))


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("number", range(8))
def test_no_edit_is_overlooked(tmp_path: Path, number: int) -> None:
    script = Script(number, tmp_path)
    for _ in range(STEPS):
        script.compare()
        script.tick()
        script.edit()
        script.tick()


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("number", range(10, 14))
def test_no_edit_is_overlooked_whatever_happens_to_the_index(tmp_path: Path, number: int) -> None:
    script = Script(number, tmp_path)
    for step in range(STEPS):
        script.compare()
        script.damage()
        script.tick()
        script.edit()
        script.tick()
        if step % 5 == 1:
            script.synchronize()


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("number", range(20, 24))
def test_no_edit_is_overlooked_whoever_writes_the_index_last(tmp_path: Path, number: int) -> None:
    script = Script(number, tmp_path)
    for _ in range(STEPS):
        if script.rng.random() < 0.6:
            script.begin()
            script.go_on()  # before anything is edited: here all files count as old
        script.compare()
        script.tick()
        script.edit(most=1)
        script.tick()
        if script.rng.random() < 0.5:
            script.end()


@pytest.mark.parametrize("number", range(30, 34))
def test_no_edit_in_the_same_tick_is_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    a_while = 20_000_000  # longer than a tick, shorter than the tests have to wait in truth
    monkeypatch.setattr("yg.disk.memory.SETTLED_NS", a_while)
    script = Script(number, tmp_path)
    for _ in range(STEPS):
        if script.rng.random() < 0.3:
            script.begin()
        script.compare()
        script.edit()
        script.go_on()
        script.end()
        time.sleep(script.rng.choice((0, 0, 1.2 * a_while / 1e9)))


def test_no_edit_is_overlooked_by_the_clock_on_the_wall(tmp_path: Path) -> None:
    script = Script(40, tmp_path)
    time.sleep(SETTLED_NS / 1e9)  # so that what is never edited is old enough
    for _ in range(STEPS):
        script.compare()
        script.edit()
    assert os.path.lexists(script.root)
