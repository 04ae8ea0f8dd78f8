"""Drafts a graph for each of some directories, and prints one row of a table for each.

    python benchmarks/draft.py DIR .. [--tree]

Each directory is copied first, so nothing is written to it. The columns: source files of the code,
nodes, relations, relations that were left out because of cycles, seconds of the processor for
`yg draft`, and the median size of a context package in tokens. `--tree` prints the nodes as well. A
draft with an error in `yg validate` ends the run.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

IGNORED = shutil.ignore_patterns(".git", ".yggdrasil")


def answer(directory: str, *argv: str) -> Any:
    command = [sys.executable, "-m", "yg", *argv, "-C", directory, "--json"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    if not found.stdout:
        sys.exit(f"{' '.join(argv)}: {found.stderr}")
    return json.loads(found.stdout)


def processor_time() -> float:
    """Return the seconds that ended child processes have used."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(directory: str) -> tuple[list[str], str]:
    """Draft a copy of a directory; return the row of the table and the tree."""
    with tempfile.TemporaryDirectory() as place:
        copy = str(Path(place) / Path(directory).resolve().name)
        shutil.copytree(directory, copy, symlinks=True, ignore=IGNORED)
        start = processor_time()
        nodes = answer(copy, "draft")["nodes"]
        seconds = processor_time() - start
        verdict = answer(copy, "validate")
        errors = [issue for issue in verdict["issues"] if issue["severity"] == "error"]
        if errors:
            sys.exit(f"{directory}: {errors[0]}")
        tokens = [
            answer(copy, "build-context", node["path"])["tokens"]
            for node in nodes
            if not node["blackbox"]
        ]
        files = sum(node["files"] for node in nodes if not node["blackbox"])
        tree = subprocess.run(
            [sys.executable, "-m", "yg", "tree", "-C", copy],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    relations = [relation for node in nodes for relation in node["relations"]]
    left_out = [relation for node in nodes for relation in node["left_out"]]
    row = [Path(directory).resolve().name, files, len(nodes), len(relations), len(left_out)]
    return [*map(str, row), f"{seconds:.1f}", f"{median(tokens):.0f}"], tree


def main() -> None:
    parser = argparse.ArgumentParser(description="Draft graphs, and measure them.")
    parser.add_argument("directories", nargs="+", metavar="DIR")
    parser.add_argument("--tree", action="store_true", help="print the nodes, too")
    args = parser.parse_args()
    print("| project | files | nodes | relations | left out | seconds | median package |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for directory in args.directories:
        row, tree = measured(directory)
        print(f"| {' | '.join(row)} |", flush=True)
        if args.tree:
            print(tree)


if __name__ == "__main__":
    main()
