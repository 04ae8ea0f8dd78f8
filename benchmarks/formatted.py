"""Classify what a formatter changed: compares the files of a directory with those of a copy.

    python benchmarks/formatted.py BEFORE AFTER

Copy a directory, run a formatter over the copy, and name both. Prints how many files have changes
of each class, and those whose changes are not cosmetic.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from yg_old.code.change_class import ChangeClass, compare
from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import read_facts


def main() -> None:
    before, after = map(Path, sys.argv[1:3])
    counts: Counter[str] = Counter()
    for file in sorted(before.rglob("*")):
        name = file.relative_to(before).as_posix()
        if not file.is_file() or ending(name) not in ENDINGS:
            continue
        then, now = file.read_bytes(), (after / name).read_bytes()
        if then == now:
            counts["equal"] += 1
            continue
        change = compare(read_facts(name, then), read_facts(name, now))
        counts[change.kind] += 1
        if change.kind is not ChangeClass.COSMETIC:
            parts = ", ".join(part.name for part in change.parts[:3])
            print(f"{change.kind}: {name} ({parts})")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))


if __name__ == "__main__":
    main()
