"""Measures how long it takes to read source files into facts.

    python benchmarks/facts.py DIRECTORY... [--most N]

For each language: the number of files, their size, how many cannot be read, and the processor
time, for all of them and for 6 MB. Files are read from the disk before the clock starts.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from pathlib import Path

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import read_facts

ROUND = 6  # MB


def sources(directories: list[Path], most: int) -> dict[str, list[tuple[str, bytes]]]:
    """Read the source files below some directories, at most a number of each language."""
    found: dict[str, list[tuple[str, bytes]]] = defaultdict(list)
    for directory in directories:
        for file in sorted(directory.rglob("*")):
            language = ENDINGS.get(ending(file.name))
            if language is not None and file.is_file() and len(found[language]) < most:
                found[language].append((file.name, file.read_bytes()))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directories", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=10_000)
    args = parser.parse_args()
    print(f"| language | files | MB | unreadable | seconds | seconds for {ROUND} MB |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for language, files in sorted(sources(args.directories, args.most).items()):
        start = time.process_time()
        unreadable = sum(read_facts(name, data) is None for name, data in files)
        spent = time.process_time() - start
        size = sum(len(data) for _, data in files) / 1e6
        figures = f"{len(files)} | {size:.1f} | {unreadable} | {spent:.2f}"
        print(f"| {language} | {figures} | {spent * ROUND / size:.2f} |")


if __name__ == "__main__":
    main()
