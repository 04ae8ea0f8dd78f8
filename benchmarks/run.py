"""Measures yg against what the machine allows, all in one run: read the ratios, not the times.

    python benchmarks/run.py [--nodes 1000,10000] [--repeat 5] [--json FILE] [--against 'CMD']

Floors come first: a Python that does nothing, walks over the files, reading them. For each command:
the fastest of several runs in milliseconds, the peak memory in MB, and how many times its floor
that is; then the limit for that ratio, and how much the time grows with the graph. A command is
warm when it has run before and nothing has changed, cold when the index is gone. CMD is another
command line to run in the same repositories; `{node}` and `{file}` stand for a node and a file.
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
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from generate import commit, generate

WALK = """
import os
stack = ['.yggdrasil', {sources}]
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
SHORT = 100  # milliseconds, of which a few more or less make a large difference
START, GRAPH, TEXTS, ALL = "python -c pass", "walk the graph", "read the graph", "walk all"
FLOORS = {
    START: "pass",
    GRAPH: WALK.format(sources=""),
    TEXTS: READ.format(sources=""),
    ALL: WALK.format(sources="'src'"),
}


class Row(NamedTuple):
    """A command, the floor it is held against, and how many times that it may take."""

    command: str
    floor: str
    limit: float
    is_cold: bool = False

    @property
    def name(self) -> str:
        return f"yg {self.command}" + (" (cold)" if self.is_cold else "")


ROWS = (
    Row("--version", START, 2),
    Row("build-context --lenient {node}", START, 6),
    Row("build-context {node}", GRAPH, 1.5),
    Row("build-context {node}", TEXTS, 8, is_cold=True),
    Row("validate", GRAPH, 3),
    Row("validate", TEXTS, 0, is_cold=True),
    Row("status", GRAPH, 3),
    Row("tree", GRAPH, 3),
    Row("owner {file}", GRAPH, 3),
    Row("deps {node}", GRAPH, 3),
    Row("plan", GRAPH, 3),
    Row("impact {hub}", GRAPH, 3),
    Row("drift", ALL, 3),
    Row("drift", TEXTS, 0, is_cold=True),
    Row("status", TEXTS, 0, is_cold=True),
    Row("coverage", ALL, 0),
    Row("preflight", ALL, 0),
    Row("drift-sync --all", ALL, 0),
    Row("find ledger", GRAPH, 0),
    Row("aspects", GRAPH, 0),
    Row("flows", GRAPH, 0),
    Row("export --format dot", GRAPH, 0),
)


def once(argv: list[str], folder: Path) -> tuple[float, int]:
    """Run a command: its time in milliseconds, its peak memory in MB."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    process = subprocess.Popen(
        argv, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    return 1000 * (time.perf_counter() - start), usage.ru_maxrss // 1024


def fastest(argv: list[str], folder: Path, repeat: int, *, is_cold: bool) -> tuple[float, int]:
    """Run a command several times, a short one more often: the best time, the highest peak."""
    cache = folder / ".yggdrasil" / ".cache"
    runs: list[tuple[float, int]] = []
    while len(runs) < repeat or (len(runs) < 5 * repeat and min(runs)[0] < SHORT):
        if is_cold:
            shutil.rmtree(cache, ignore_errors=True)
        runs.append(once(argv, folder))
    return best(runs)


def best(runs: list[tuple[float, int]]) -> tuple[float, int]:
    """Return the best time and the highest peak of several runs."""
    return min(runs)[0], max(memory for _, memory in runs)


def in_turn(
    commands: dict[str, list[str]], folder: Path, repeat: int
) -> dict[str, tuple[float, int]]:
    """Run short commands one after the other, so that a slow moment of the machine meets all."""
    runs: dict[str, list[tuple[float, int]]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, argv in commands.items():
            runs[name].append(once(argv, folder))
    return {name: best(each) for name, each in runs.items()}


def measure(
    folder: Path, facts: dict[str, str], repeat: int, against: str
) -> dict[str, tuple[float, int]]:
    """Measure floors and commands in one repository."""
    names = {"node": facts["top"], "hub": facts["hub"], "file": facts["file"]}
    program = str(Path(sys.executable).with_name("yg"))
    subprocess.run([program, "drift-sync", "--all"], cwd=folder, check=True, capture_output=True)
    time.sleep(2.5)  # what is younger than that is not trusted by any index
    found: dict[str, tuple[float, int]] = {}
    for name in (GRAPH, TEXTS, ALL):
        argv = [sys.executable, "-c", FLOORS[name]]
        found[name] = fastest(argv, folder, repeat, is_cold=False)
    others = [row for row in ROWS if row.floor != START]
    for row in sorted(others, key=lambda each: not each.is_cold):
        argv = [program, *row.command.format(**names).split()]
        if not row.is_cold:
            for _ in range(2):
                once(argv, folder)
        times = min(repeat, 2) if row.is_cold else repeat
        found[row.name] = fastest(argv, folder, times, is_cold=row.is_cold)
        if row.is_cold:
            time.sleep(2.5)  # the folder of the index is new again
    found |= in_turn(
        {START: [sys.executable, "-c", FLOORS[START]]}
        | {
            row.name: [program, *row.command.format(**names).split()]
            for row in ROWS
            if row.floor == START
        },
        folder,
        5 * repeat,
    )
    if against:
        found[against] = once(shlex.split(against.format(**names)), folder)
    return found


def table(results: dict[int, dict[str, tuple[float, int]]]) -> str:
    """Write the figures: time, memory, ratio to the floor, growth from size to size."""
    sizes = sorted(results)
    head = " | ".join(f"{size}: ms, MB, x floor" for size in sizes)
    lines = [f"| command | floor | limit | {head} | growth |"]
    lines.append("| --- | --- | ---: |" + " ---: |" * (len(sizes) + 1))
    rows = {row.name: row for row in ROWS}
    order = [*FLOORS, *rows, *(name for name in results[sizes[0]] if name not in {*FLOORS, *rows})]
    for name in order:
        row = rows.get(name)
        floor = row.floor if row else GRAPH
        cells = []
        for size in sizes:
            best, peak = results[size][name]
            cells.append(f"{best:.0f}, {peak}, {best / results[size][floor][0]:.1f}")
        times = [results[size][name][0] for size in sizes]
        growth = ", ".join(f"{later / time:.1f}" for time, later in pairwise(times))
        limit = f"{row.limit:g}" if row and row.limit else ""
        lines.append(f"| `{name}` | {floor} | {limit} | {' | '.join(cells)} | {growth} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", default="1000,10000")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=Path, default=Path("benchmarks/last.json"))
    parser.add_argument("--against", default="")
    args = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, args.nodes.split(",")):
            root = Path(folder) / str(size)
            facts = generate(root, size)
            commit(root)
            results[size] = measure(root, facts, args.repeat, args.against)
            shutil.rmtree(root)
    print(table(results))
    args.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
