"""Whatever is done to a repository between two runs, an answer with the index is the one without.

A script is a row of edits, each followed by some commands, with and without the index. What it does
follows from its number alone; YG_INDEX_SEED is added to the number of every script.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from damage import DAMAGED_ALREADY, DAMAGES, FULLTEXT_DAMAGES, index_of
from edits import (
    EDITS,
    GRAPH,
    IDS,
    MODEL,
    SPEC_EDITS,
    SPEC_IDS,
    SPEC_START,
    START,
    STARTS,
    STRUCTURAL,
    Edit,
    edit_in_secret,
    restore_everything,
    spec_mark,
)
from support import CONFIG, NODE, run, write
from yg.disk.files.stamps import SETTLED_NS, pack
from yg.kernel.errors import YgError
from yg.surfaces.cli.main import BUG
from yg.surfaces.cli.outcome import Outcome
from yg.workspace import results
from yg.workspace.opened import OpenWorkspace
from yg.workspace.opening import open_workspace

pytestmark = pytest.mark.slow

# From each start and for each kind of graph; YG_INDEX_SCRIPTS=9 makes more than 10,000 comparisons.
SCRIPTS = int(os.environ.get("YG_INDEX_SCRIPTS", "1"))
SEED = int(os.environ.get("YG_INDEX_SEED", "0"))
EDITS_OF_A_SCRIPT = 18
FILES = ("src/a/one.py", "src/b.py", "src/later.py", "top.py")
Command = Callable[[str], tuple[str, ...]]
# These are answered from what is remembered of the whole graph.
WHOLE: tuple[Command, ...] = (
    lambda _: ("validate",),
    lambda _: ("validate", "--json"),
    lambda node: ("build-context", node),
    lambda _: ("build-context", "a/b"),
    lambda _: ("tree",),
    lambda _: ("drift", "--json"),
    lambda _: ("review", "--json"),
    lambda _: ("drift",),
    lambda _: ("status",),
    lambda _: ("find", "newcomer"),
    lambda _: ("find", "name"),
)
COMMANDS: tuple[Command, ...] = (
    lambda node: ("validate", "--scope", node),
    lambda node: ("build-context", node, "--lenient"),
    lambda _: ("build-context", "--file", "src/b.py"),
    lambda node: ("tree", node, "--json"),
    lambda _: ("preflight",),
    lambda _: ("drift", "--json"),
    lambda _: ("owner", *FILES),
    lambda _: ("show", "total", *FILES, "--outline"),
    lambda node: ("deps", node),
    lambda _: ("uses", "total"),
    lambda node: ("impact", node),
    lambda _: ("impact", "--aspect", "x"),
    lambda _: ("impact", "--flow", "f"),
    lambda _: ("impact", "billing::ledger"),
    lambda _: ("import", "list"),
    lambda _: ("inventory", "--contracts"),
    lambda _: ("plan",),
    lambda _: ("plan", "--all", "--lenient"),
    lambda _: ("explain", "W001"),
    lambda _: ("coverage",),
    lambda _: ("aspects",),
    lambda _: ("flows",),
    lambda _: ("decisions",),
    lambda _: ("advise", "--json"),
    lambda _: ("find", "-gone", "know"),
    lambda node: ("find", node, "--json"),
    lambda _: ("export",),
)
SPEC_WHOLE: tuple[Command, ...] = (
    lambda _: ("validate",),
    lambda _: ("validate", "--json"),
    lambda node: ("build-context", node),
    lambda _: ("build-context", "A"),
    lambda _: ("tree",),
    lambda _: ("status",),
    lambda _: ("find", "title"),
    lambda _: ("find", "newcomer"),
)
SPEC_COMMANDS: tuple[Command, ...] = (
    lambda node: ("validate", "--scope", node),
    lambda node: ("build-context", node, "--depth", "full", "--json"),
    lambda node: ("tree", node, "--json"),
    lambda node: ("deps", node),
    lambda node: ("impact", "--node", node),
    lambda _: ("plan",),
    lambda node: ("plan", "--node", node),
    lambda _: ("status", "--json"),
    lambda node: ("find", node, "--json"),
    lambda _: ("export",),
    lambda _: ("drift",),
)
Question = Callable[[OpenWorkspace], object]
SPEC_QUESTIONS: tuple[Question, ...] = (
    results.verdict,
    lambda workspace: workspace.queries.status(),
    lambda workspace: list(workspace.specs.nodes),
    lambda workspace: workspace.specs.get("A"),
)
QUESTIONS: tuple[Question, ...] = (
    results.verdict,
    results.errors,
    lambda workspace: list(workspace.graph.nodes),
    lambda workspace: workspace.graph.nodes.get("a"),
)


@dataclass(frozen=True)
class Suite:
    """The files, edits and commands for one kind of graph."""

    start: Mapping[str, str | bytes]
    ids: Sequence[str]
    edits: Sequence[Edit]
    whole: Sequence[Command]
    commands: Sequence[Command]
    questions: Sequence[Question]


YGGDRASIL = Suite(START, IDS[:5], EDITS, WHOLE, COMMANDS, QUESTIONS)
SPECGRAPH = Suite(SPEC_START, SPEC_IDS, SPEC_EDITS, SPEC_WHOLE, SPEC_COMMANDS, SPEC_QUESTIONS)


SUITES = pytest.mark.parametrize("suite", [YGGDRASIL, SPECGRAPH], ids=["yggdrasil", "specgraph"])


class Script:
    """One repository, what happens to it, and a record of that."""

    def __init__(self, number: int, place: Path, suite: Suite, start: Edit | None = None) -> None:
        number += SEED
        self.rng = Random(f"{number} {start.__name__ if start else ''}")  # noqa: S311
        self.suite = suite
        self.root = write(place / "root", suite.start)
        if suite is SPECGRAPH:
            spec_mark(self.root).touch()
        self.record: list[object] = [number]
        self._probe = place / "probe"
        self._open: list[OpenWorkspace] = []
        if number % 2:
            self._git("init", "--quiet", "--initial-branch=branch-0")
            self._git("add", ".")
            self._git("commit", "--quiet", "--message=first")
        if start is None:
            self.synchronize()
        else:
            self.carry_out(start)

    def _git(self, *arguments: str) -> None:
        subprocess.run(["git", "-C", self.root, *arguments], check=True)

    def edits(self, count: int) -> Iterator[Edit]:
        """Yield some edits, no two of them alike; now and then all is put back before."""
        for edit in self.rng.sample(self.suite.edits, count):
            if self.rng.random() < 0.4:
                self.record.append("restore")
                self.carry_out(restore_everything)
            yield edit

    def edit(self, edit: Edit) -> None:
        """Carry out an edit that no earlier one can be taken for."""
        self.tick()
        self.carry_out(edit)
        self.tick()

    def carry_out(self, edit: Edit) -> None:
        """Carry out an edit at once, perhaps in the same tick of the clock as another one."""
        self.record.append(edit.__name__)
        with suppress(OSError):  # the files are not as it expects them
            edit(self.root, self.rng)

    def damage(self) -> None:
        if index_of(self.root).is_file():
            damage = self.rng.choice((*DAMAGES[:9], *FULLTEXT_DAMAGES))
            self.record.append(damage.__name__)
            with suppress(*DAMAGED_ALREADY):  # and no command has opened it since
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
        for workspace in self._open[-1:]:
            self.record.append("go on")
            with suppress(YgError):
                self.rng.choice(self.suite.questions)(workspace)

    def end(self) -> None:
        """Let a process that has begun write its index."""
        if self._open:
            self.record.append("end")
            self._open.pop(self.rng.randrange(len(self._open))).save()

    def asked(self) -> tuple[tuple[str, ...], ...]:
        """Choose some commands, and let the index know the answers to them."""
        suite = self.suite
        chosen = (*self.rng.sample(suite.whole, 2), self.rng.choice(suite.commands))
        commands = tuple(command(self.rng.choice(suite.ids)) for command in chosen)
        for argv in commands[:2]:
            run(*argv, "-C", str(self.root))
        self.record.append(commands)
        return commands

    def compare(self, commands: tuple[tuple[str, ...], ...]) -> None:
        """Ask the same with and without the index, in any order."""
        for argv in self.rng.sample(commands, len(commands)):
            answers = {}
            for more in self.rng.sample(((), ("--no-cache",)), 2):
                answers[more] = run(*argv, "-C", str(self.root), *more)
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
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -(1 << 62))


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("number", range(8))
@SUITES
def test_no_edit_is_overlooked(tmp_path: Path, number: int, suite: Suite) -> None:
    script = Script(number, tmp_path, suite)
    for edit in script.edits(18):
        commands = script.asked()
        script.edit(edit)
        script.compare(commands)


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("number", range(SCRIPTS))
@pytest.mark.parametrize("start", STARTS, ids=lambda start: start.__name__.strip("_"))
@SUITES
def test_no_edit_is_overlooked_from_any_start(
    tmp_path: Path, number: int, start: Edit, suite: Suite
) -> None:
    script = Script(100 + number, tmp_path, suite, start)
    script.compare(script.asked())
    for _ in range(EDITS_OF_A_SCRIPT):
        commands = script.asked()
        script.edit(script.rng.choice((*STRUCTURAL * 4, *suite.edits)))
        script.compare(commands)


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("number", range(10, 13))
@SUITES
def test_no_edit_is_overlooked_whatever_happens_to_the_index(
    tmp_path: Path, number: int, suite: Suite
) -> None:
    script = Script(number, tmp_path, suite)
    for step, edit in enumerate(script.edits(12)):
        commands = script.asked()
        script.damage()
        script.edit(edit)
        script.compare(commands)
        if step % 5 == 1:
            script.synchronize()


@pytest.mark.usefixtures("_later")
@pytest.mark.parametrize("number", range(20, 23))
@SUITES
def test_no_edit_is_overlooked_whoever_writes_the_index_last(
    tmp_path: Path, number: int, suite: Suite
) -> None:
    script = Script(number, tmp_path, suite)
    for edit in script.edits(12):
        script.begin()
        script.go_on()  # before anything is edited: here all files count as old
        commands = script.asked()
        script.edit(edit)
        script.compare(commands)
        script.end()
        script.compare(commands)


class SlowClock:
    """A file system whose clock ticks so slowly that commands run between two ticks."""

    TICK = 60_000_000

    def pack(self, size: int, modified: int, changed: int, inode: int) -> bytes:
        rounded = (time // self.TICK * self.TICK for time in (modified, changed))
        return pack(size, *rounded, inode)


@pytest.mark.parametrize("number", range(30, 33))
@SUITES
def test_no_edit_in_the_same_tick_is_overlooked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, suite: Suite
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", SlowClock.TICK)
    monkeypatch.setattr("yg.disk.files.stamps.pack", SlowClock().pack)
    script = Script(number, tmp_path, suite)
    for edit in script.edits(10):
        script.begin()
        commands = script.asked()
        script.carry_out(edit_in_secret)
        script.carry_out(edit)
        script.go_on()
        script.end()
        script.compare(commands)
        time.sleep(script.rng.choice((0, 0, 1.5 * SlowClock.TICK / 1e9)))


@SUITES
def test_no_edit_is_overlooked_by_the_clock_on_the_wall(tmp_path: Path, suite: Suite) -> None:
    script = Script(40, tmp_path, suite)
    time.sleep(1.1 * SETTLED_NS / 1e9)  # so that what is never edited is old enough
    for edit in script.edits(12):
        commands = script.asked()
        script.edit(edit)
        script.compare(commands)


@pytest.mark.parametrize("level", ["error", "warning", "off"])
def test_a_changed_level_changes_every_stored_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, level: str
) -> None:
    monkeypatch.setattr("yg.disk.files.stamps.SETTLED_NS", -1)
    needs = "relations: [{target: c, type: calls}, {target: a, type: calls}]\n"
    root = write(tmp_path, {**START, f"{MODEL}/a/yg-node.yaml": NODE + needs})
    commands = (("validate",), ("preflight", "--quick"), ("build-context", "c"), ("plan",))

    def answers(*options: str) -> list[Outcome]:
        return [run(*command, *options, "-C", str(root)) for command in commands]

    before = answers()
    assert answers() == before
    config = f"{CONFIG}rules: {{W015: {level}, E010: {level}}}\n"
    write(root, {f"{GRAPH}/yg-config.yaml": config})
    after = answers()
    assert after == answers() == answers("--no-cache")
    assert after != before
    assert [outcome.code for outcome in after[2:]] == [int(level == "error")] * 2
