"""Measures yg against what the machine allows, all in one run: read the ratios, not the times.

    python benchmarks/run.py [--nodes 1000,10000] [--repeat 5] [--json FILE] [--against 'CMD']

For each command: the fastest of several runs in milliseconds, how many times a plain walk over
the graph's files that is, and how much it grows when the graph grows tenfold. CMD is another
command line to run in the same repositories; `{node}` and `{file}` stand for a node and a file.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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
FLOORS = {
    "python -c pass": "pass",
    "walk the graph": WALK.format(sources=""),
    "read the graph": READ.format(sources=""),
    "walk graph and sources": WALK.format(sources="'src'"),
}
COMMANDS = (
    ("--version",),
    ("build-context", "{node}"),
    ("build-context", "--lenient", "{node}"),
    ("validate",),
    ("status",),
    ("tree",),
    ("owner", "{file}"),
    ("deps", "{node}"),
    ("impact", "{hub}"),
    ("plan",),
    ("coverage",),
    ("drift",),
)


def fastest(argv: list[str], folder: Path, repeat: int) -> tuple[float, int]:
    """Run a command several times: the best time in milliseconds, the peak memory in MB."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    best, peak = float("inf"), 0
    for _ in range(repeat):
        start = time.perf_counter()
        process = subprocess.Popen(
            argv, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        best = min(best, 1000 * (time.perf_counter() - start))
        peak = max(peak, usage.ru_maxrss // 1024)
    return best, peak


def measure(
    folder: Path, facts: dict[str, str], repeat: int, against: str
) -> dict[str, tuple[float, int]]:
    """Measure floors and commands in one repository."""
    names = {"node": facts["top"], "hub": facts["hub"], "file": facts["file"]}
    rows: dict[str, tuple[float, int]] = {}
    for name, code in FLOORS.items():
        rows[name] = fastest([sys.executable, "-c", code], folder, repeat)
    program = str(Path(sys.executable).with_name("yg"))
    subprocess.run([program, "drift-sync", "--all"], cwd=folder, check=True, capture_output=True)
    for command in COMMANDS:
        argv = [program, *(part.format(**names) for part in command)]
        rows["yg " + " ".join(command)] = fastest(argv, folder, repeat)
    if against:
        rows[against] = fastest(shlex.split(against.format(**names)), folder, 1)
    return rows


def table(results: dict[int, dict[str, tuple[float, int]]]) -> str:
    """Write the figures: time, memory, ratio to the walk, growth from size to size."""
    sizes = sorted(results)
    lines = [
        "| command | " + " | ".join(f"{n} nodes: ms, MB, x walk" for n in sizes) + " | growth |"
    ]
    lines.append("| --- |" + " ---: |" * (len(sizes) + 1))
    for name in results[sizes[0]]:
        cells = []
        for size in sizes:
            best, peak = results[size][name]
            cells.append(f"{best:.0f}, {peak}, {best / results[size]['walk the graph'][0]:.1f}")
        growth = results[sizes[-1]][name][0] / results[sizes[0]][name][0]
        lines.append(f"| `{name}` | {' | '.join(cells)} | {growth:.1f} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", default="1000,10000")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--against", default="")
    args = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in map(int, args.nodes.split(",")):
            root = Path(folder) / str(size)
            facts = generate(root, size)
            commit(root)
            time.sleep(2.5)  # files younger than that are not trusted by any index
            results[size] = measure(root, facts, args.repeat, args.against)
    print(table(results))
    if args.json:
        args.json.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
