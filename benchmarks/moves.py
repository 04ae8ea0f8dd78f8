"""Compares the moves that yg finds with the renames of git, on our own sources with random edits.

    python benchmarks/moves.py [--runs N]

In each run twelve files move, and a share of the lines of each is replaced: all in one place, or
each by itself. Seeds are fixed.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from yg_old.kernel.snapshot import DictSnapshot
from yg_old.kernel.sources import SnapshotSources
from yg_old.yggdrasil.questions.moved_sources import moved_sources

SOURCES = Path(__file__).parents[1] / "src/yg"
FILES = 12  # that move in one run
SHARES = (0.0, 0.02, 0.05, 0.1, 0.3)
WAYS = ("in one place", "in many places")
STATEMENT = re.compile(r" *(return|yield|raise|assert|[\w.]+ =) .*[^:,\\]")
Texts = dict[str, str]


def git(root: Path, *argv: str) -> str:
    command = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", str(root), *argv]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def real_files(draw: random.Random) -> Texts:
    """Return some of our own sources, all of them with code."""
    paths = sorted(SOURCES.rglob("*.py"))
    texts = [(str(path.relative_to(SOURCES)), path.read_text("utf-8")) for path in paths]
    return dict(draw.sample([(path, text) for path, text in texts if len(text) > 1000], FILES))


def is_statement(line: str) -> bool:
    """Tell whether a line is a whole statement, so that the text is still Python without it."""
    is_balanced = all(line.count(one) == line.count(two) for one, two in ("()", "[]", "{}"))
    return STATEMENT.fullmatch(line) is not None and is_balanced and line.count('"') % 2 == 0


def edited(text: str, share: float, way: str, draw: random.Random) -> str:
    """Return a text with a share of its lines replaced, or all statements if they are fewer."""
    lines = text.splitlines()
    statements = [number for number, line in enumerate(lines) if is_statement(line)]
    count = min(round(len(lines) * share), len(statements))
    places = draw.sample(statements, count)
    if way == "in one place":
        first = draw.randrange(len(statements) - count + 1)
        places = statements[first : first + count]
    for place in places:
        indent = len(lines[place]) - len(lines[place].lstrip())
        lines[place] = f"{' ' * indent}x{draw.randrange(10**9)} = {draw.randrange(10**9)}"
    return "".join(f"{line}\n" for line in lines)


def moved(share: float, way: str, draw: random.Random) -> tuple[Texts, Texts, dict[str, str]]:
    """Return files before and after they moved, and their new paths."""
    before = real_files(draw)
    places = {path: f"moved/{number}/{Path(path).name}" for number, path in enumerate(before)}
    after = {places[path]: edited(text, share, way, draw) for path, text in before.items()}
    return before, after, places


def renames(root: Path, before: Texts, after: Texts) -> dict[str, str]:
    """Return the renames that git finds, with its own limit."""
    git(root, "init", "-q")
    for texts in (before, after):
        git(root, "rm", "-rq", "--ignore-unmatch", ".")
        for path, text in texts.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        git(root, "add", "-A")
        git(root, "commit", "-qm", "x")
    found = git(root, "diff", "--find-renames", "--name-status", "HEAD~1", "HEAD")
    rows = (line.split("\t") for line in found.splitlines())
    return {row[1]: row[2] for row in rows if row[0].startswith("R")}


def moves(before: Texts, after: Texts) -> dict[str, str]:
    """Return the moves that yg finds."""
    then, now = (
        SnapshotSources(DictSnapshot({path: text.encode() for path, text in texts.items()}))
        for texts in (before, after)
    )
    return moved_sources(then, now, sorted({*before, *after}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    args = parser.parse_args()
    print(f"{args.runs * FILES} files each; right and wrong ones of git, and of yg")
    print("| lines replaced | git | yg |")
    print("| --- | ---: | ---: |")
    for way in WAYS:
        for share in SHARES:
            counts = [0, 0, 0, 0]
            for seed in range(args.runs):
                before, after, true = moved(share, way, random.Random(seed))
                with TemporaryDirectory() as folder:
                    found = (renames(Path(folder), before, after), moves(before, after))
                for at, pairs in enumerate(found):
                    right = sum(true[old] == new for old, new in pairs.items())
                    counts[2 * at] += right
                    counts[2 * at + 1] += len(pairs) - right
            print(f"| {share:.0%} {way} | {counts[0]}, {counts[1]} | {counts[2]}, {counts[3]} |")


if __name__ == "__main__":
    main()
