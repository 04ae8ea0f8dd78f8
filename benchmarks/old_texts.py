"""Measures `yg drift` where baselines have no facts, so that the old texts are searched in git.

    python benchmarks/old_texts.py [--files N] [--commits N] [--directory DIR]

Writes a repository with one node of N changed files (or takes a copy of the Python files of DIR),
each with its recorded text some commits ago, then runs `yg drift` cold and warm, and with an
index that knows nothing but the old texts. Prints seconds of the clock and how many files got a
class.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

NODE = "name: App\ntype: service\nmapping: {paths: [src]}\n"
STATE = ".yggdrasil/.drift-state/app.json"
LINES = 120  # of a generated file
USER = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")


def git(root: Path, *arguments: str) -> None:
    """Run git."""
    subprocess.run(["git", *USER, *arguments], cwd=root, check=True, stdout=subprocess.DEVNULL)


def yg(root: Path, *arguments: str) -> str:
    """Run a command, and return what it prints."""
    command = [sys.executable, "-m", "yg", *arguments]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout


def texts(count: int, directory: str | None) -> dict[str, str]:
    """Return source texts by path."""
    if directory is None:
        functions = "".join(f"def f{n}(a):\n    return a + {n}\n\n\n" for n in range(LINES // 4))
        return {f"src/m{n}.py": f"N = {n}\n\n\n{functions}" for n in range(count)}
    files = sorted(Path(directory).rglob("*.py"))[:count]
    found = (
        (n, file.read_text(encoding="utf-8", errors="replace")) for n, file in enumerate(files)
    )
    return {f"src/m{n}.py": text for n, text in found}


def write(root: Path, files: dict[str, str]) -> None:
    """Write files below a directory."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def repository(root: Path, sources: dict[str, str], commits: int) -> None:
    """Write a repository whose baseline is some commits old and has no facts."""
    git(root, "init", "-q")
    yg(root, "init", "--kind", "yggdrasil")
    shutil.rmtree(root / ".yggdrasil/model", ignore_errors=True)
    write(root, {".yggdrasil/model/app/yg-node.yaml": NODE})
    write(root, {".yggdrasil/model/app/responsibility.md": "All of it.\n", **sources})
    yg(root, "drift-sync", "app")
    baseline = json.loads((root / STATE).read_text(encoding="utf-8"))
    del baseline["code"]
    (root / STATE).write_text(json.dumps(baseline), encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "baseline")
    for number in range(commits):
        changed = {path: f"{text}\n\ndef later(): {number}\n" for path, text in sources.items()}
        write(root, changed)
        git(root, "commit", "-q", "-a", "-m", str(number))


def measured(root: Path, name: str) -> None:
    """Run `yg drift`, and print how long it took."""
    started = time.perf_counter()
    document = json.loads(yg(root, "drift", "--json"))
    seconds = time.perf_counter() - started
    changes = document["nodes"][0]["source"]
    known = sum(change["class"] != "unknown" for change in changes)
    print(f"{name:<34}{seconds:6.2f} s   {known} of {len(changes)} files have a class")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--commits", type=int, default=5)
    parser.add_argument("--directory")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place, "repository")
        root.mkdir()
        os.environ["XDG_CACHE_HOME"] = str(Path(place, "cache"))
        sources = texts(options.files, options.directory)
        repository(root, sources, options.commits)
        shutil.rmtree(os.environ["XDG_CACHE_HOME"], ignore_errors=True)
        measured(root, "cold")
        measured(root, "warm")
        write(root, {path: f"{text}\n\ndef now(): ...\n" for path, text in sources.items()})
        measured(root, "all files edited, old texts known")


if __name__ == "__main__":
    main()
