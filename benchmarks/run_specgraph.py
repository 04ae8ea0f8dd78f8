"""Measures yg on Spec Graphs of four shapes, all in one run: read the ratios, not the times.

    python benchmarks/run_specgraph.py [--nodes 10000] [--repeat 3]

For each shape: how long `validate` takes and how many times the flat graph that is, and how long
the context of the first behavior takes at depth 2 and at full depth. The times are the fastest of
several runs, in milliseconds, with the peak memory in MB.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from generate_specgraph import generate
from run import fastest

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
    return [fastest([program, *command], folder, repeat) for command in COMMANDS]


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
