"""Measures yg on Spec Graphs of four shapes, all in one run: read the ratios, not the times.

    python benchmarks/run_specgraph.py [--nodes 10000] [--repeat 3]

The first table is without the index: the cost of `validate` for each shape, as a multiple of the
flat graph, and that of the context of the first behavior at depth 2 and at full depth. Each cost is
the lowest of several runs, in milliseconds of processor time, with the peak memory in MB.

The second table is with the index, in the graph with layers: the same, the kB written to disk, and
the time as a multiple of its floor. A command is warm if nothing has changed since it ran before,
cold if the index is gone.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from generate_specgraph import generate
from run import READ, SETTLED, WALK, Edit, Run, best, forget, once, own_cache

SHAPES = ("flat", "layers", "crowded", "chain")
INDEXED = "layers"  # the shape of the second table
FIRST = "B-000000"
COMMANDS = (
    ("validate",),
    ("build-context", FIRST),
    ("build-context", FIRST, "--depth", "full"),
)
GRAPH, TEXTS = "walk the graph", "read the graph"
FLOORS = {
    name: script.format(sources="").replace(".yggdrasil", "specgraph")
    for name, script in ((GRAPH, WALK), (TEXTS, READ))
}
NODE = Edit(f"specgraph/nodes/behavior/{FIRST}.json", '"title": "', '"title": "Another ')
PROGRAM = str(Path(sys.executable).with_name("yg"))


class State(Enum):
    """The state of the repository when a command starts."""

    COLD = "cold"  # the index is gone
    WARM = "warm"  # the command has run before and nothing has changed
    EDITED = "one node edited"  # just before
    SETTLED = "one node edited, settled"  # so long before that its time of change is trusted

    def bring_about(self, folder: Path) -> None:
        """Prepare the repository for the next run."""
        if self is State.COLD:
            forget()
        if self in (State.EDITED, State.SETTLED):
            NODE.carry_out(folder)
        if self is State.SETTLED:
            time.sleep(SETTLED)


class Row(NamedTuple):
    """A command in a state, and the floor it is compared with."""

    command: str
    state: State
    floor: str = GRAPH

    @property
    def name(self) -> str:
        return f"yg {self.command} ({self.state.value})"


ROWS = (
    Row("validate", State.COLD, TEXTS),
    Row(f"build-context {FIRST}", State.COLD, TEXTS),
    *(
        Row(command, state)
        for command in ("validate", f"build-context {FIRST}", "status", "tree")
        for state in (State.WARM, State.EDITED, State.SETTLED)
    ),
)


def measure(folder: Path, repeat: int) -> list[Run]:
    """Measure every command in one repository, without the index."""
    return [repeated([PROGRAM, *command, "--no-cache"], folder, repeat) for command in COMMANDS]


def repeated(argv: list[str], folder: Path, repeat: int) -> Run:
    """Run a command several times."""
    return best([once(argv, folder) for _ in range(repeat)])


def measure_index(folder: Path, repeat: int) -> dict[str, Run]:
    """Measure the floors, and commands with the index in several states."""
    time.sleep(SETTLED)  # the files of a new graph are young
    found = {
        name: repeated([sys.executable, "-c", script], folder, repeat)
        for name, script in FLOORS.items()
    }
    for row in ROWS:
        argv = [PROGRAM, *row.command.split()]
        if row.state is State.WARM:
            once(argv, folder)
            found[row.name] = repeated(argv, folder, repeat)
            continue
        runs = []
        for _ in range(repeat + repeat % 2):  # an even number of edits leaves the file as it was
            row.state.bring_about(folder)
            runs.append(once(argv, folder))
        found[row.name] = best(runs)
        time.sleep(SETTLED)
        once(argv, folder)  # so that the next row starts with a complete index
    return found


def shape_table(results: dict[str, list[Run]]) -> str:
    """Write the figures of all shapes."""
    headings = [" ".join(command) for command in COMMANDS]
    lines = ["| shape | " + " | ".join(f"`{name}`: ms, MB" for name in headings) + " | x flat |"]
    lines.append("| --- |" + " ---: |" * (len(COMMANDS) + 1))
    for shape, figures in results.items():
        cells = " | ".join(f"{run.ms:.0f}, {run.memory}" for run in figures)
        lines.append(f"| {shape} | {cells} | {figures[0].ms / results['flat'][0].ms:.1f} |")
    return "\n".join(lines) + "\n"


def index_table(found: dict[str, Run]) -> str:
    """Write the figures with the index."""
    floors = {row.name: row.floor for row in ROWS}
    lines = ["| command | floor | ms, MB, kB | x floor |", "| --- | --- | ---: | ---: |"]
    for name, run in found.items():
        floor = floors.get(name, name)
        ratio = run.ms / found[floor].ms
        cells = f"{run.ms:.0f}, {run.memory}, {run.written}"
        lines.append(f"| `{name}` | {floor} | {cells} | {ratio:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        own_cache(folder)
        for shape in SHAPES:
            root = Path(folder) / shape
            generate(root, shape, args.nodes)
            results[shape] = measure(root, args.repeat)
        found = measure_index(Path(folder) / INDEXED, args.repeat)
    print(shape_table(results))
    print(index_table(found))


if __name__ == "__main__":
    main()
