"""Measures yg against what the machine allows, all in one run: read the ratios, not the times.

    python benchmarks/run.py [--nodes 1000,10000] [--repeat 5] [--json FILE] [--only drift,review]
                             [--against 'CMD']

Floors come first: a Python that does nothing, walks over the files, reading them. For each command:
the processor time of the fastest of several runs in milliseconds, with that of git, the peak memory
in MB, the kB written to disk, and how many times its floor the time is; then the limit for that
ratio, and how much the time grows with the graph. A command is warm when it has run before and
nothing has changed, cold when the index is gone; some rows edit a file of the node before each run.
In a row with one drifted node, the source of that node was edited before the first run.
CMD is another command line to run in the same repositories; `{node}` and `{file}` stand for a node
and a file.
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
SETTLED = 2.1  # seconds: no index trusts the time of a younger change
START, GRAPH, TEXTS, ALL = "python -c pass", "walk the graph", "read the graph", "walk all"
FLOORS = {
    START: "pass",
    GRAPH: WALK.format(sources=""),
    TEXTS: READ.format(sources=""),
    ALL: WALK.format(sources="'src'"),
}


class Edit(NamedTuple):
    """A change to a file of the node that is asked about: one passage becomes another and back."""

    file: str
    old: str
    new: str

    def carry_out(self, folder: Path) -> None:
        file = folder / self.file
        text = file.read_text(encoding="utf-8")
        swap = (self.new, self.old) if self.new in text else (self.old, self.new)
        file.write_text(text.replace(*swap, 1), encoding="utf-8", newline="\n")


TEXT = Edit("internals.md", "\n\n", "\n\nOne more sentence. ")
DECLARATION = Edit("yg-node.yaml", "name: ", "name: Another ")
SOURCE = Edit("file0.py", "\n", "\nCHANGED = 12345\n")


def own_cache(folder: str) -> None:
    """Keep all indexes in a directory of this run."""
    os.environ["XDG_CACHE_HOME"] = str(Path(folder) / "cache")


def forget() -> None:
    """Remove all indexes."""
    shutil.rmtree(Path(os.environ["XDG_CACHE_HOME"]) / "yg", ignore_errors=True)


class State(Enum):
    """The state of the repository when a command starts, as its row says it."""

    WARM = ""  # the command has run before and nothing has changed
    COLD = "cold"  # the index is gone
    TEXT = "text edited"  # just before
    SETTLED_TEXT = "text edited, settled"  # so long before that its time of change is trusted
    DECLARATION = "declaration edited"
    SETTLED_DECLARATION = "declaration edited, settled"
    SOURCE = "source edited, settled"
    DRIFTED = "one node drifted"  # its source was edited before the command has run at all

    @property
    def edit(self) -> Edit | None:
        """The edit before each run."""
        if self in (State.WARM, State.COLD, State.DRIFTED):
            return None
        if self is State.SOURCE:
            return SOURCE
        return TEXT if self in (State.TEXT, State.SETTLED_TEXT) else DECLARATION

    def bring_about(self, folder: Path, node: str) -> None:
        """Prepare the repository for the next run."""
        if self is State.COLD:
            forget()
        if self.edit:
            place = "src" if self is State.SOURCE else ".yggdrasil/model"
            self.edit.carry_out(folder / place / node)
        if self in (State.SETTLED_TEXT, State.SETTLED_DECLARATION, State.SOURCE):
            time.sleep(SETTLED)


class Event(NamedTuple):
    """What a harness sends on standard input."""

    note: str
    name: str
    tool: str = ""
    is_new: bool = False  # whether each run is a session of its own
    is_read: bool = False  # whether the file was read before in that session
    is_quoted: bool = False  # whether a text of the node quotes the file

    @property
    def is_edit(self) -> bool:
        """Whether the source is edited just before the event."""
        return self.tool == "Edit"

    def payload(self, folder: Path, file: str, number: int, session: int) -> bytes:
        edit = {"file_path": str(folder / file), "new_string": str(number)}
        tool = {"tool_name": self.tool, "tool_input": edit}
        given = {
            "session_id": f"{os.getpid()} {self.note} {session if self.is_new else 0}",
            "cwd": str(folder),
            "hook_event_name": self.name,
            **(tool if self.tool else {"source": "startup"}),
        }
        return json.dumps(given).encode()


class Row(NamedTuple):
    """A command, the floor it is held against, and how many times that it may take."""

    command: str
    floor: str
    limit: float
    state: State = State.WARM
    event: Event | None = None

    @property
    def name(self) -> str:
        notes = [note for note in (self.state.value, self.event and self.event.note) if note]
        return f"yg {self.command}" + (f" ({', '.join(notes)})" if notes else "")


class Run(NamedTuple):
    """Measurements of one run, or the best time and the highest of the rest of several."""

    ms: float
    memory: int  # MB, peak
    written: int  # kB
    floor: float = 0  # ms, the best of the floor in the same minutes


ROWS = (
    Row("--version", START, 2),
    Row("build-context --lenient {node}", START, 6),
    Row("build-context {node}", GRAPH, 1.3),
    Row("build-context {node}", GRAPH, 1.6, State.DRIFTED),
    Row("build-context {node}", GRAPH, 1.6, State.TEXT),
    Row("build-context {node}", GRAPH, 1.6, State.SETTLED_TEXT),
    Row("build-context {node}", GRAPH, 4, State.DECLARATION),
    Row("build-context {node}", GRAPH, 4, State.SETTLED_DECLARATION),
    Row("build-context {node}", TEXTS, 6, State.COLD),
    Row("brief {file}", GRAPH, 0),
    Row("overview", ALL, 0),
    Row("hook claude session-start", START, 12, event=Event("speaks", "SessionStart", is_new=True)),
    Row(
        "hook claude post-tool",
        START,
        12,
        event=Event("speaks", "PostToolUse", "Read", is_new=True),
    ),
    Row("hook claude post-tool", START, 6, event=Event("silent", "PostToolUse", "Read")),
    Row(
        "hook claude post-tool",
        START,
        6,
        event=Event("first edit, silent", "PostToolUse", "Edit", is_new=True, is_read=True),
    ),
    Row("hook claude post-tool", START, 6, event=Event("edit, silent", "PostToolUse", "Edit")),
    Row(
        "hook claude post-tool",
        START,
        6,
        event=Event("edit of a quoted file, silent", "PostToolUse", "Edit", is_quoted=True),
    ),
    Row("validate", GRAPH, 1.3),
    Row("validate", TEXTS, 0, State.COLD),
    Row("validate --since HEAD", GRAPH, 2.6),  # at most twice the plain command
    Row("validate --since HEAD", TEXTS, 0, State.COLD),
    Row("status", GRAPH, 2.5),
    Row("tree", GRAPH, 1.7),
    Row("owner {file}", GRAPH, 1.7),
    Row("deps {node}", GRAPH, 1.7),
    Row("plan", ALL, 1.7),  # it shows which nodes have drifted
    Row("impact {hub}", GRAPH, 2),
    Row("find ledger", GRAPH, 1.7),
    Row("uses {part}", ALL, 2),
    Row("uses {part}", TEXTS, 0, State.COLD),
    Row("drift", ALL, 3),
    Row("drift", TEXTS, 0, State.COLD),
    Row("drift --since HEAD", ALL, 6),
    Row("drift", ALL, 0, State.SOURCE),
    Row("review", ALL, 3),
    Row("review", ALL, 3, State.SOURCE),
    Row("status", TEXTS, 0, State.COLD),
    Row("coverage", ALL, 0),
    Row("coverage --since HEAD", ALL, 0),
    Row("preflight", ALL, 0),
    Row("drift-sync --all", ALL, 0),
    Row("aspects", GRAPH, 0),
    Row("flows", GRAPH, 0),
    Row("export --format dot", GRAPH, 0),
)


def once(argv: list[str], folder: Path, given: bytes = b"") -> Run:
    """Run a command."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        argv,
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin  # noqa: S101
    with process.stdin:
        process.stdin.write(given)
    _, _, usage = os.wait4(process.pid, 0)
    process.returncode = 0
    spent = 1000 * (usage.ru_utime + usage.ru_stime)
    return Run(spent, usage.ru_maxrss // 1024, usage.ru_oublock // 2)


def best(runs: list[Run], floor: float = 0) -> Run:
    """Return the best time, the highest peak and the most written of several runs."""
    return Run(
        min(run.ms for run in runs),
        max(run.memory for run in runs),
        max(run.written for run in runs),
        floor,
    )


class Bench:
    """A repository in which commands and their floors are measured."""

    def __init__(self, folder: Path, node: str, file: str, repeat: int) -> None:
        self._folder = folder
        self._node = node
        self._file = file
        self._number = 0  # of events
        self._session = 0
        self._repeat = repeat
        self._floors: dict[str, list[Run]] = {}

    @property
    def floors(self) -> dict[str, Run]:
        """The best of all runs of each floor."""
        return {name: best(runs) for name, runs in self._floors.items()}

    def measure(self, row: Row, argv: list[str]) -> Run:
        """Run a command and its floor in turn, so that a slow moment of the machine meets both."""
        self._toggle(row)
        for _ in range(0 if row.state is State.COLD else 2):
            self._once(row, argv)
        runs, floors = [], []
        for _ in range(self._times(row)):
            floors.append(once([sys.executable, "-c", FLOORS[row.floor]], self._folder))
            row.state.bring_about(self._folder, self._node)
            runs.append(self._once(row, argv))
        self._toggle(row)
        if row.state is not State.WARM or (row.event and row.event.is_edit):
            time.sleep(SETTLED)  # what was edited, and the folder of a new index, is young
        self._floors.setdefault(row.floor, []).extend(floors)
        return best(runs, best(floors).ms)

    def _once(self, row: Row, argv: list[str]) -> Run:
        """Run a command, with an event just after the edit that it is about."""
        self._session += 1
        if row.event is None:
            return once(argv, self._folder)
        if row.event.is_read:
            once(argv, self._folder, self._given(row.event._replace(tool="Read")))
        if not row.event.is_edit:
            return once(argv, self._folder, self._given(row.event))
        source = self._folder / "src" / self._node
        SOURCE.carry_out(source)
        run = once(argv, self._folder, self._given(row.event))
        SOURCE.carry_out(source)
        return run

    def _given(self, event: Event) -> bytes:
        """Return the input of the next event."""
        self._number += 1
        return event.payload(self._folder, self._file, self._number, self._session)

    def _toggle(self, row: Row) -> None:
        """Edit the source or a text of the node, or undo that, for a row that needs it."""
        if row.state is State.DRIFTED:
            SOURCE.carry_out(self._folder / "src" / self._node)
            time.sleep(SETTLED)
        if row.event and row.event.is_quoted:
            quoting = f"\n\nIt calls `run_{self._node.rpartition('/')[2]}`. "
            edit = Edit("internals.md", "\n\n", quoting)
            edit.carry_out(self._folder / ".yggdrasil/model" / self._node)
            time.sleep(SETTLED)

    def _times(self, row: Row) -> int:
        if row.state is State.COLD:
            return min(self._repeat, 2)
        if row.floor == START:
            return 5 * self._repeat
        is_edited = row.state.edit is not None
        return self._repeat + self._repeat % 2 * is_edited  # an even number undoes the edits


def measure(
    folder: Path, facts: dict[str, str], repeat: int, rows: list[Row], against: str
) -> dict[str, Run]:
    """Measure floors and commands in one repository."""
    names = {"node": facts["top"], **{name: facts[name] for name in ("hub", "file", "part")}}
    program = str(Path(sys.executable).with_name("yg"))
    start = time.perf_counter()
    subprocess.run([program, "drift-sync", "--all"], cwd=folder, check=True, capture_output=True)
    clock = time.perf_counter() - start
    print(f"{folder.name} nodes: the first drift-sync --all took {clock:.1f} s by the clock")
    time.sleep(SETTLED)
    bench = Bench(folder, names["node"], names["file"], repeat)
    found = {
        row.name: bench.measure(row, [program, *row.command.format(**names).split()])
        for row in sorted(rows, key=lambda row: row.state is not State.COLD)
    }
    if against:
        found[against] = once(shlex.split(against.format(**names)), folder)
    return bench.floors | found


def table(results: dict[int, dict[str, Run]]) -> str:
    """Write the figures: time, memory, kB written, ratio to the floor, growth between sizes."""
    sizes = sorted(results)
    head = " | ".join(f"{size}: ms, MB, kB, x floor" for size in sizes)
    lines = [f"| command | floor | limit | {head} | growth |"]
    lines.append("| --- | --- | ---: |" + " ---: |" * (len(sizes) + 1))
    rows = {row.name: row for row in ROWS}
    found = results[sizes[0]]
    order = dict.fromkeys((*FLOORS, *rows, *found))
    for name in filter(found.__contains__, order):
        row = rows.get(name)
        floor = row.floor if row else GRAPH if GRAPH in found else name
        cells = []
        for size in sizes:
            run = results[size][name]
            # Only the floors of the rows that were asked for have been measured.
            ratio = run.ms / (run.floor or results[size].get(floor, run).ms)
            cells.append(f"{run.ms:.0f}, {run.memory}, {run.written}, {ratio:.1f}")
        times = [results[size][name].ms for size in sizes]
        growth = ", ".join(f"{later / time:.1f}" for time, later in pairwise(times))
        limit = f"{row.limit:g}" if row and row.limit else ""
        lines.append(f"| `{name}` | {floor} | {limit} | {' | '.join(cells)} | {growth} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", default="1000,10000")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=Path, default=Path("benchmarks/last.json"))
    parser.add_argument("--only", default="", help="commands to measure, without options")
    parser.add_argument("--against", default="")
    args = parser.parse_args()
    only = args.only.split(",") if args.only else [row.command.split()[0] for row in ROWS]
    rows = [row for row in ROWS if row.command.split()[0] in only]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        own_cache(folder)
        for size in map(int, args.nodes.split(",")):
            root = Path(folder) / str(size)
            facts = generate(root, size)
            commit(root)
            results[size] = measure(root, facts, args.repeat, rows, args.against)
            shutil.rmtree(root)
    print(table(results))
    args.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
