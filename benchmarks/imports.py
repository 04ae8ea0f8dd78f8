"""Compares the imports that we resolve with those that another program finds.

    python benchmarks/imports.py python DIRECTORY PACKAGE
    python benchmarks/imports.py typescript DIRECTORY FOLDER

Python is compared with grimp: DIRECTORY holds the package, as after unpacking a wheel. TypeScript
and JavaScript are compared with dependency-cruiser, which must be on the path as `depcruise`:
FOLDER holds the sources. Prints the numbers, and the edges that only one of the two has.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import read_facts
from yg_old.code.resolve import Resolution

Pairs = set[tuple[str, str]]
SKIPPED = {".git", ".venv", "__pycache__", "node_modules"}
MOST_SHOWN = 20


def resolved(root: Path, folder: str) -> Pairs:
    """Return the edges between files that we find, from the files below a folder."""
    files = [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*"))
        if path.is_file() and SKIPPED.isdisjoint(path.parts)
    ]
    started = time.perf_counter()
    facts = {
        file: read_facts(file, (root / file).read_bytes())
        for file in files
        if file.startswith(f"{folder}/") and ending(file) in ENDINGS
    }
    read = time.perf_counter()
    imports = {file: found.imported for file, found in facts.items() if found}
    found = Resolution(files, imports, lambda file: (root / file).read_text(errors="replace")).edges
    done = time.perf_counter()
    print(f"{len(imports)} files read in {read - started:.2f} s, resolved in {done - read:.2f} s")
    return {(edge.file, edge.target) for edge in found}


def of_grimp(root: Path, package: str) -> Pairs:
    """Return the edges that grimp finds in a package, as files."""
    import grimp

    sys.path.insert(0, str(root))
    graph = grimp.build_graph(package, cache_dir=None)

    def file(module: str) -> str:
        place = module.replace(".", "/")
        return f"{place}/__init__.py" if (root / place).is_dir() else f"{place}.py"

    return {
        (file(module), file(target))
        for module in graph.modules
        for target in graph.find_modules_directly_imported_by(module)
    }


def of_dependency_cruiser(root: Path, folder: str) -> Pairs:
    """Return the edges that dependency-cruiser finds in a folder."""
    command = ["depcruise", "--no-config", "--ts-pre-compilation-deps", "--output-type", "json"]
    if (root / "tsconfig.json").exists():
        command += ["--ts-config", "tsconfig.json"]
    output = subprocess.run([*command, folder], cwd=root, capture_output=True, check=True).stdout
    return {
        (module["source"], dependency["resolved"])
        for module in json.loads(output)["modules"]
        for dependency in module["dependencies"]
        if not dependency["couldNotResolve"]
        and not dependency["coreModule"]
        and "node_modules" not in dependency["resolved"]
        and module["source"] != dependency["resolved"]
    }


def main() -> None:
    language, directory, name = sys.argv[1:4]
    root = Path(directory).resolve()
    inside = name.replace(".", "/") if language == "python" else name
    ours = {pair for pair in resolved(root, inside) if pair[1].startswith(f"{inside}/")}
    theirs = of_grimp(root, name) if language == "python" else of_dependency_cruiser(root, name)
    print(f"ours: {len(ours)}, theirs: {len(theirs)}")
    for title, only in (("only ours", ours - theirs), ("only theirs", theirs - ours)):
        print(f"{title}: {len(only)}")
        for source, target in sorted(only)[:MOST_SHOWN]:
            print(f"  {source} -> {target}")


if __name__ == "__main__":
    main()
