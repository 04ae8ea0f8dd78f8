"""Measures yg on Spec Graphs of four shapes, all in one run: read the ratios, not the times.

    python benchmarks/run_specgraph.py [--nodes 10000] [--repeat 3]

For each shape: what `validate` costs and how many times the flat graph that is, and what the
context of the first behavior costs at depth 2 and at full depth. Each cost is the lowest of several
runs, in milliseconds of processor time, with the peak memory in MB.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from generate_specgraph import generate

SHAPES = ("flat", "layers", "crowded", "chain")
FIRST = "B-000000"
COMMANDS = (
    ("validate",),
    ("build-context", FIRST),
    ("build-context", FIRST, "--depth", "full"),
)


def measure(folder: Path, repeat: int) -> list[tuple[float, int]]:
    """Measure every command in one repository."""
    program = str(Path(sys.executable).with_name("yg"))
    return [cheapest([program, *command], folder, repeat) for command in COMMANDS]


def cheapest(argv: list[str], folder: Path, repeat: int) -> tuple[float, int]:
    """Run a command several times: the lowest processor time, the peak memory."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    best, peak = float("inf"), 0
    for _ in range(repeat):
        process = subprocess.Popen(
            argv, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
        best = min(best, 1000 * (usage.ru_utime + usage.ru_stime))
        peak = max(peak, usage.ru_maxrss // 1024)
    return best, peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        for shape in SHAPES:
            root = Path(folder) / shape
            generate(root, shape, args.nodes)
            results[shape] = measure(root, args.repeat)
    headings = [" ".join(command) for command in COMMANDS]
    print("| shape | " + " | ".join(f"`{each}`: ms, MB" for each in headings) + " | x flat |")
    print("| --- |" + " ---: |" * (len(COMMANDS) + 1))
    for shape, figures in results.items():
        cells = " | ".join(f"{best:.0f}, {peak}" for best, peak in figures)
        print(f"| {shape} | {cells} | {figures[0][0] / results['flat'][0][0]:.1f} |")


if __name__ == "__main__":
    main()
