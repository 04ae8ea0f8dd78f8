"""Compares yg with an earlier version and with a walk of the same files, all in one run.

    python benchmarks/run.py [--nodes 1000,10000] [--repeat 5] [--only validate,tree]
                             [--against 'COMMAND'] [--json FILE]

Read the ratios, not the times. Each program has a copy of the repository and a cache of its own.
A row runs a walk of graph and sources, yg and the other program in turn, so that a slow minute
slows all of them, and shows the processor time of the fastest of several runs in milliseconds, with
that of git. Rows above their limit are marked; the exit code does not depend on them.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from generate import commit, generate

WALK = """
import os
stack = [{folders}]
while stack:
    with os.scandir(stack.pop()) as entries:
        for entry in entries:
            entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                stack.append(entry.path)
"""
READ = WALK.replace(
    "            if entry",
    "            if entry.is_file():\n"
    "                handle = os.open(entry.path, os.O_RDONLY)\n"
    "                os.read(handle, 1 << 20)\n"
    "                os.close(handle)\n"
    "            if entry",
)
WALK_GRAPH = WALK.format(folders="'.yggdrasil'")
WALK_ALL = WALK.format(folders="'.yggdrasil', 'src'")
FLOORS = {
    "python -c pass": "pass",
    "walk the graph": WALK_GRAPH,
    "walk graph and sources": WALK_ALL,
    "read the graph": READ.format(folders="'.yggdrasil'"),
}
SETTLED = 2.1  # seconds: no cache trusts the time of a younger change
LARGE = 10_000  # nodes from which on limits in walks and megabytes hold
MOST_COLD = 3  # cold runs of a row, which take long
YG = f"{shlex.quote(sys.executable)} -m yg"


class State(Enum):
    """What happens to the repository before each run of a row."""

    WARM = ""  # nothing, and the command has run before
    TEXT = "text edited"  # in place
    REPLACED_TEXT = "text replaced"  # by a new file, as editors do
    DECLARATION = "declaration edited"
    COLD = "cold"  # the cache is removed


class Limit(NamedTuple):
    """The most that a row may take; 0 is no limit."""

    ratio: float = 0  # to the other program
    walks: float = 0  # of graph and sources, from LARGE on
    memory: int = 0  # MB, from LARGE on

    def at(self, nodes: int) -> Limit:
        """Return the limits that hold for a graph of some size."""
        return self if nodes >= LARGE else Limit(self.ratio)

    def __str__(self) -> str:
        parts = (
            (self.ratio, f"ratio {self.ratio}"),
            (self.walks, f"{self.walks} walks"),
            (self.memory, f"{self.memory} MB"),
        )
        return ", ".join([text for value, text in parts if value])


class Row(NamedTuple):
    """A command in one state of the repository."""

    command: str
    limit: Limit
    state: State = State.WARM
    is_settled: bool = False  # whether the edit is so old that its time is trusted

    @property
    def name(self) -> str:
        """The command and the state, as the table shows them."""
        notes = [self.state.value, "settled" if self.is_settled else ""]
        return " ".join([f"`{self.command}`", ", ".join(filter(None, notes))]).rstrip()


CONTEXT, LENIENT, OWNER = "build-context NODE", "build-context --lenient NODE", "owner FILE"
NO_SLOWER, ONE_WALK, COLD = Limit(ratio=1.0), Limit(walks=1.0), Limit(ratio=1.2)
EDITS = (
    (State.TEXT, False),
    (State.TEXT, True),
    (State.REPLACED_TEXT, False),
    (State.REPLACED_TEXT, True),
    (State.DECLARATION, False),
    (State.DECLARATION, True),
)
ROWS = (
    Row("--version", NO_SLOWER),
    Row("explain E004", NO_SLOWER),
    Row(CONTEXT, Limit(ratio=1.0, memory=200)),
    Row(LENIENT, ONE_WALK),
    Row("tree", NO_SLOWER),
    Row("aspects", ONE_WALK),
    Row("flows", ONE_WALK),
    Row("validate", NO_SLOWER),
    Row(OWNER, NO_SLOWER),
    Row("coverage", NO_SLOWER),
    *[
        Row(CONTEXT, Limit(walks=2.5 if state is State.DECLARATION else 1.5), state, is_settled)
        for state, is_settled in EDITS
    ],
    *[Row("validate", Limit(walks=3.0), state, is_settled) for state, is_settled in EDITS],
    *[Row("tree", Limit(), State.DECLARATION, is_settled) for is_settled in (False, True)],
    *[
        Row(command, COLD, State.COLD)
        for command in (CONTEXT, LENIENT, "tree", "aspects", "validate", OWNER, "coverage")
    ],
)


class Run(NamedTuple):
    """What one run took, or the best time and the highest peak of several."""

    ms: float
    memory: int  # MB, peak

    @staticmethod
    def best(runs: list[Run]) -> Run:
        """Return the best time and the highest peak of some runs."""
        return Run(min(run.ms for run in runs), max(run.memory for run in runs))


class Program:
    """A program, with a copy of the repository and a cache of its own."""

    def __init__(self, command: str, place: Path, nodes: int) -> None:
        self._command = shlex.split(command)
        self._root = place / "repository"
        self._cache = place / "cache"
        self._facts = generate(self._root, nodes)
        commit(self._root)
        self._home = place / "home"
        for folder in (self._cache, self._home):
            folder.mkdir()

    def run(self, words: str) -> Run:
        """Run a command of the program."""
        named = words.replace("NODE", self._facts["top"]).replace("FILE", self._facts["file"])
        return self._once([*self._command, *named.split()])

    def python(self, code: str) -> Run:
        """Run Python code in the repository."""
        return self._once([sys.executable, "-c", code])

    def _once(self, argv: list[str]) -> Run:
        environment = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": str(self._home),
            "XDG_CACHE_HOME": str(self._cache),
        }
        process = subprocess.Popen(
            argv,
            cwd=self._root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        _, status, usage = os.wait4(process.pid, 0)  # with the processes that it waited for
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            sys.exit(f"{shlex.join(argv)} ended with exit code {process.returncode}")
        return Run(1000 * (usage.ru_utime + usage.ru_stime), usage.ru_maxrss // 1024)

    def prepare(self, state: State) -> None:
        """Bring the repository or the cache into a state."""
        folder = self._root / ".yggdrasil/model" / self._facts["top"]
        match state:
            case State.TEXT | State.REPLACED_TEXT:
                is_replaced = state is State.REPLACED_TEXT
                toggle(folder / "internals.md", "\n\n", "\n\nMore. ", is_replaced=is_replaced)
            case State.DECLARATION:
                toggle(folder / "yg-node.yaml", "name: ", "name: Another ", is_replaced=False)
            case State.COLD:
                shutil.rmtree(self._cache)
                self._cache.mkdir()


def toggle(file: Path, old: str, new: str, *, is_replaced: bool) -> None:
    """Change one passage of a file, or change it back."""
    text = file.read_text(encoding="utf-8")
    swap = (new, old) if new in text else (old, new)
    written = file.with_name("draft.md~") if is_replaced else file
    written.write_text(text.replace(*swap, 1), encoding="utf-8")
    written.replace(file)


class Figures(NamedTuple):
    """What a row measured."""

    walk: Run
    new: Run
    other: Run


def measure(row: Row, new: Program, other: Program, repeat: int) -> Figures:
    """Run a walk and both programs in turn."""
    programs = (new, other)
    if row.state is not State.COLD:
        time.sleep(SETTLED if row.state is not State.WARM else 0)  # since the edits of other rows
        for program in programs:
            program.run(row.command)
    walks, runs = [], {program: [] for program in programs}
    for _ in range(min(repeat, MOST_COLD) if row.state is State.COLD else repeat):
        walks.append(new.python(WALK_ALL))
        for program in programs:
            program.prepare(row.state)
            time.sleep(SETTLED if row.is_settled else 0)
            runs[program].append(program.run(row.command))
    return Figures(*map(Run.best, (walks, *runs.values())))


def line(row: Row, figures: Figures, nodes: int) -> str:
    """Write a row of the table."""
    walk, new, other = figures
    ratio, walks, limit = new.ms / other.ms, new.ms / walk.ms, row.limit.at(nodes)
    pairs = ((ratio, limit.ratio), (walks, limit.walks), (new.memory, limit.memory))
    is_above = any(allowed and found > allowed for found, allowed in pairs)
    cells = (
        *(row.name, f"{walks:.2f}", f"{new.ms:.0f}", f"{other.ms:.0f}", f"{ratio:.2f}"),
        *(str(new.memory), f"{limit}{' **above**' if is_above else ''}"),
    )
    return f"| {' | '.join(cells)} |"


def compare(
    place: Path, nodes: int, repeat: int, rows: list[Row], against: str
) -> dict[str, object]:
    """Measure rows in a graph of some size, and print them as a table."""
    new, other = Program(YG, place / "new", nodes), Program(against, place / "other", nodes)
    time.sleep(SETTLED)
    print(f"\n{nodes} nodes\n")
    print("| command | walks | ms | ms of other | ratio | MB | limit |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | --- |")
    found: dict[str, object] = {}
    for name, code in FLOORS.items():
        floor = Run.best([new.python(code) for _ in range(repeat)])
        walk = Run.best([new.python(WALK_ALL) for _ in range(repeat)])
        found[name] = floor._asdict()
        print(f"| {name} | {floor.ms / walk.ms:.2f} | {floor.ms:.0f} | | | {floor.memory} | |")
    for row in rows:
        figures = measure(row, new, other, repeat)
        found[row.name] = {name: run._asdict() for name, run in figures._asdict().items()}
        print(line(row, figures, nodes), flush=True)
    return found


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", default="1000,10000", help="sizes of graphs")
    parser.add_argument("--repeat", type=int, default=5, help="runs of each row")
    parser.add_argument("--only", default="", help="commands to measure, without options")
    parser.add_argument("--against", default=f"{YG}_old", help="command line of the other program")
    parser.add_argument("--json", type=Path, help="file for the figures")
    args = parser.parse_args(argv)
    only = args.only.split(",") if args.only else [row.command.split()[0] for row in ROWS]
    rows = [row for row in ROWS if row.command.split()[0] in only]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for nodes in map(int, args.nodes.split(",")):
            place = Path(folder) / str(nodes)
            results[nodes] = compare(place, nodes, args.repeat, rows, args.against)
            shutil.rmtree(place)
    if args.json:
        args.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
