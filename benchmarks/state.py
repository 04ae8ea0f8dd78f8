"""Measures the baselines of a generated project: their size, and how often git cannot merge them.

    python benchmarks/state.py [--nodes N] [--files N] [--merges N]

Each merge is that of two branches, decided by `git merge-file`: both change a file of one node, or
both add one, at places that are drawn with a fixed seed.
"""

from __future__ import annotations

import argparse
import random
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from yg_old.code.read import read_facts
from yg_old.kernel.digest import file_digest
from yg_old.yggdrasil.drift.baseline import Baseline, baseline_of
from yg_old.yggdrasil.drift.baseline_parts import Review, facts_data, reviews_data
from yg_old.yggdrasil.drift.keys import CODE, REVIEWS
from yg_old.yggdrasil.drift.layout import baseline_text

if TYPE_CHECKING:
    from collections.abc import Callable

Files = dict[str, str]


def source(name: str, value: int) -> str:
    """Return a module with ten functions."""
    functions = (
        f"def {name}_{each}(a: int) -> int:\n    return a + {value}\n" for each in range(10)
    )
    return "\n\n".join(functions)


def baseline(files: Files, *, stores_hash: bool, reason: str = "") -> Baseline:
    """Return the baseline of a node with these sources, and with fifteen graph files."""
    graph = {f".yggdrasil/model/n/{each:02}/responsibility.md": str(each) for each in range(15)}
    digests = {
        path: file_digest([text.encode()]) for path, text in sorted({**graph, **files}.items())
    }
    read = {path: read_facts(path, text.encode()) for path, text in files.items()}
    rest = {CODE: facts_data({path: facts for path, facts in read.items() if facts})}
    if reason:
        rest[REVIEWS] = reviews_data((Review(reason, None),))
    return baseline_of(digests, rest, stores_hash=stores_hash)


def changed(files: Files, draw: random.Random) -> tuple[Files, Files]:
    """Return a node after two branches have changed two files of it."""
    one, two = draw.sample(sorted(files), 2)
    return {**files, one: source("x", 7)}, {**files, two: source("x", 8)}


def added(files: Files, draw: random.Random) -> tuple[Files, Files]:
    """Return a node after two branches have added a file to it."""
    one, two = draw.sample(range(len(files) * 10), 2)
    return (
        {**files, f"src/n/m{one:04}_.py": source("x", 7)},
        {**files, f"src/n/m{two:04}_.py": source("x", 8)},
    )


def conflicts(folder: Path, texts: tuple[str, str, str]) -> bool:
    """Tell whether git cannot merge ours and theirs; the base is between them."""
    names = []
    for number, text in enumerate(texts):
        (folder / str(number)).write_text(text)
        names.append(str(folder / str(number)))
    command = ["git", "merge-file", "-p", "-q", *names]
    return subprocess.run(command, capture_output=True, check=False).returncode != 0


def rate(
    kind: Callable[[Files, random.Random], tuple[Files, Files]],
    files: Files,
    merges: int,
    *,
    stores_hash: bool,
    has_reasons: bool = False,
) -> float:
    """Return the share of merges with a conflict."""
    draw = random.Random(1)
    found = 0
    with TemporaryDirectory() as folder:
        for _ in range(merges):
            sides = (kind(files, draw), ("ours", "theirs"))
            ours, theirs = (
                baseline_text(
                    baseline(side, stores_hash=stores_hash, reason=why if has_reasons else "")
                )
                for side, why in zip(*sides, strict=True)
            )
            base = baseline_text(baseline(files, stores_hash=stores_hash))
            found += conflicts(Path(folder), (ours, base, theirs))
    return found / merges


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nodes", type=int, default=26)
    parser.add_argument("--files", type=int, default=13, help="of each node")
    parser.add_argument("--merges", type=int, default=100)
    args = parser.parse_args()
    files = {f"src/n/m{each * 10:04}.py": source("f", each) for each in range(args.files)}
    size = len(baseline_text(baseline(files, stores_hash=False)).encode())
    bare = baseline_of(baseline(files, stores_hash=False).files, stores_hash=False)
    print(f"{args.nodes} nodes of {args.files} files with 10 functions each")
    print(f"bytes: {args.nodes * size:,}; without facts: ", end="")
    print(f"{args.nodes * len(baseline_text(bare).encode()):,}")
    print("| both branches | hash: derived | hash: stored |")
    print("| --- | ---: | ---: |")
    for what, kind, has_reasons in (
        ("change a file of one node", changed, False),
        ("add a file to one node", added, False),
        ("change a file and give a reason", changed, True),
    ):
        shares = [
            rate(kind, files, args.merges, stores_hash=stores, has_reasons=has_reasons)
            for stores in (False, True)
        ]
        print(f"| {what} | {shares[0]:.0%} | {shares[1]:.0%} |")


if __name__ == "__main__":
    main()
