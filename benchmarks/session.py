"""Measure what a reader is shown who needs the context of ten nodes, one after the other.

    python benchmarks/session.py

Three ways to ask: for each node alone; for each node with `--have` of all nodes before it; for all
nodes in one package. The last column is what cannot be saved: each document of these packages
once, without tags and relations. The nodes are fixed, in the order of their paths: ten of one
folder of our own graph, and all of the example that are not blackboxes.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

REPOSITORY = Path(__file__).parent.parent
PARTS = "package drafting drift queries code model owners questions read rules"
OWN = [f"yggdrasil/{name}" for name in PARTS.split()]
SHOP = (
    "email-service inventory inventory/inventory-service orders orders/order-service "
    "orders/pricing payments payments/payment-service shared shared/money"
).split()
GRAPHS = {"yg": (REPOSITORY, OWN), "examples/shop": (REPOSITORY / "examples" / "shop", SHOP)}


def package(root: Path, *arguments: str) -> str:
    """Return what `yg build-context` prints."""
    command = [sys.executable, "-m", "yg", "build-context", *arguments]
    settings = {**os.environ, "PYTHONUTF8": "1"}
    done = subprocess.run(
        command, cwd=root, env=settings, capture_output=True, check=True, encoding="utf-8"
    )
    return done.stdout


def measure(root: Path, nodes: Sequence[str]) -> tuple[int, ...]:
    """Return the characters shown in the three ways, and those of all documents."""
    alone = sum(len(package(root, node)) for node in nodes)
    known = 0
    for number, node in enumerate(nodes):
        have = [word for earlier in nodes[:number] for word in ("--have", earlier)]
        known += len(package(root, node, *have))
    return alone, known, len(package(root, *nodes)), documents(root, nodes)


def documents(root: Path, nodes: Sequence[str]) -> int:
    """Return the characters of all documents in the packages of some nodes, each counted once."""
    blocks = [
        block for node in nodes for block in json.loads(package(root, node, "--json"))["blocks"]
    ]
    texts = {item["path"]: item["text"] for block in blocks for item in block["documents"]}
    return sum(map(len, texts.values()))


def main() -> None:
    """Print the table."""
    print("| graph | each alone | with `--have` | all at once | each document once |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for name, (root, nodes) in GRAPHS.items():
        alone, *others = measure(root, nodes)
        cells = (f"{size:,} ({100 * size / alone:.0f} %)" for size in others)
        print(f"| {name} | {alone:,} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
