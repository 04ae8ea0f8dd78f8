"""Compares the size of packages with what somebody would read instead, in two real projects.

    python benchmarks/why.py [--nodes] [--write benchmarks/README.md]

The projects are this repository with its own graph, and a package that we did not write, fetched
with pip into a temporary directory, with the graph in benchmarks/graphs/. All sizes are tokens as
yg counts them: characters divided by four. `--nodes` adds a table of all nodes, `--write` replaces
the figures in a page, between its two marks.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

import yg

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parent.parent
GRAPHS = Path(__file__).parent / "graphs"
MARKS = ("<!-- figures -->\n", "<!-- end of figures -->\n")
OTHERS = {"httpx": ("0.28.1", "d909fcccc110f8c7faf814ca82a9a4d816bc5a6dbfea25d6591d6985b8ba59ad")}
ROWS = (
    "its package",
    "its source files",
    "its package and its source files",
    "its source files and those of the nodes it depends on",
    "the source files of its directories",
    "a signature map of all source files",
    "all source files",
)
NEAR = len(ROWS) - 2  # rows that differ from node to node


class Node(NamedTuple):
    """A node with source files, and the tokens of each row."""

    path: str
    sizes: tuple[int, ...]


class Project(NamedTuple):
    """What was measured in one project."""

    title: str
    sources: dict[str, str]
    described: int  # tokens of all texts of the graph
    nodes: tuple[Node, ...]


def tokens(*texts: str) -> int:
    """Return the size of texts that are read one after the other."""
    return -(-sum(map(len, texts)) // 4)


def signatures(source: str) -> Iterator[str]:
    """Yield the classes and functions of a module, one line each, without bodies and docstrings."""
    stack = [(0, node) for node in reversed(ast.parse(source).body)]
    while stack:
        level, node = stack.pop()
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(map(ast.unparse, [*node.bases, *node.keywords]))
            yield f"{'    ' * level}class {node.name}{f'({bases})' if bases else ''}"
            stack += [(level + 1, child) for child in reversed(node.body)]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            start = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
            result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
            yield f"{'    ' * level}{start} {node.name}({ast.unparse(node.args)}){result}"


def signature_map(sources: dict[str, str]) -> str:
    """Return a map of a project: every file with its classes and functions."""
    return "\n".join(
        line for path, text in sources.items() for line in (path, *signatures(text), "")
    )


def measure(title: str, root: Path, folder: str) -> Project:
    """Measure a project whose Python files are below a folder; all of them must have an owner."""
    workspace = yg.open_workspace(root)
    if errors := [issue for issue in workspace.issues() if issue.severity == "error"]:
        sys.exit(f"{title}: {errors}")
    owned: dict[str, list[str]] = defaultdict(list)
    sources: dict[str, str] = {}
    for file in sorted((root / folder).rglob("*.py")):
        path, owner = file.relative_to(root).as_posix(), workspace.owner(file)
        if owner is None:
            sys.exit(f"{title}: {path} has no owner")
        sources[path] = file.read_text(encoding="utf-8")
        owned[owner].append(path)
    whole = tokens(signature_map(sources)), tokens(*sources.values())
    nodes = []
    for node in sorted(owned):
        package, near = workspace.package(node).tokens, compared(node, workspace, owned, sources)
        nodes.append(Node(node, (package, near[0], package + near[0], *near[1:], *whole)))
    graph = [file for file in (root / ".yggdrasil").rglob("*") if file.suffix in {".md", ".yaml"}]
    texts = [file.read_text(encoding="utf-8") for file in graph if "schemas" not in file.parts]
    return Project(title, sources, tokens(*texts), tuple(nodes))


def compared(
    node: str, workspace: yg.Workspace, owned: dict[str, list[str]], sources: dict[str, str]
) -> tuple[int, int, int]:
    """Return the sizes of what belongs to a node, from near to far."""
    own = owned[node]
    near = {dependency.path for dependency in workspace.deps(node, depth=1)} - {node}
    related = [path for other in sorted(near) for path in owned.get(other, ())]
    folders = {str(Path(path).parent) for path in own}
    beside = [path for path in sources if str(Path(path).parent) in folders]
    own_size, related_size, beside_size = (
        tokens(*(sources[path] for path in paths)) for paths in (own, [*own, *related], beside)
    )
    return own_size, related_size, beside_size


def fetched(name: str, place: Path) -> Path:
    """Fetch a package and put its graph beside it."""
    version, digest = OTHERS[name]
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    subprocess.run([*pip, "--dest", str(place), f"{name}=={version}"], check=True)
    (wheel,) = place.glob("*.whl")
    if hashlib.sha256(wheel.read_bytes()).hexdigest() != digest:
        sys.exit(f"{wheel.name} is not the file that the graph describes")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place / name)
    shutil.copytree(GRAPHS / name, place / name / ".yggdrasil")
    return place / name


def table(project: Project) -> Iterator[str]:
    """Yield the figures of a project."""
    lines = sum(text.count("\n") for text in project.sources.values())
    yield f"**{project.title}**: {len(project.sources)} Python files, {lines:,} lines."
    yield f"{len(project.nodes)} nodes have source files. The graph: {project.described:,} tokens."
    yield ""
    yield "| to work on one node, read | tokens, median | range | more than its package for |"
    yield "| --- | ---: | ---: | ---: |"
    for number, row in enumerate(ROWS):
        sizes = [node.sizes[number] for node in project.nodes]
        low, high = min(sizes), max(sizes)
        extent = f"{low:,}" if low == high else f"{low:,} to {high:,}"
        more = sum(node.sizes[number] > node.sizes[0] for node in project.nodes)
        share = f"{more} of {len(sizes)} nodes" if number else ""
        yield f"| {row} | {round(median(sizes)):,} | {extent} | {share} |"
    yield ""
    larger = [node for node in project.nodes if node.sizes[0] >= node.sizes[1]]
    yield "Nodes whose package is larger than their source files (tokens of both):"
    yield (
        ", ".join(f"`{node.path}` ({node.sizes[0]:,}, {node.sizes[1]:,})" for node in larger)
        or "none"
    )
    yield ""


def listed(project: Project) -> Iterator[str]:
    """Yield the figures of every node."""
    yield f"| {project.title} | {' | '.join(ROWS[:NEAR])} |"
    yield f"| --- |{' ---: |' * NEAR}"
    for node in project.nodes:
        yield f"| `{node.path}` | {' | '.join(f'{size:,}' for size in node.sizes[:NEAR])} |"
    yield ""


def page(projects: Sequence[Project], *, with_nodes: bool) -> str:
    """Return all figures as Markdown."""
    version = ".".join(map(str, sys.version_info[:3]))
    lines = [f"Measured {datetime.now(UTC):%Y-%m-%d}, yg {yg.__version__}, Python {version}.", ""]
    for project in projects:
        lines += table(project)
    for project in projects if with_nodes else ():
        lines += listed(project)
    return "\n".join([*lines, ""])


def main() -> None:
    """Measure, print, and write the page if asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--nodes", action="store_true", help="list all nodes as well")
    parser.add_argument("--write", metavar="PAGE", type=Path, help="replace the figures in a page")
    options = parser.parse_args()
    projects = [measure(f"yg {yg.__version__}", ROOT, "src/yg")]
    with tempfile.TemporaryDirectory() as place:
        for name, (version, _) in OTHERS.items():
            projects.append(measure(f"{name} {version}", fetched(name, Path(place)), name))
    print(page(projects, with_nodes=options.nodes))
    if options.write:
        before, _, rest = options.write.read_text(encoding="utf-8").partition(MARKS[0])
        _, _, after = rest.partition(MARKS[1])
        figures = page(projects, with_nodes=False)
        options.write.write_text(f"{before}{MARKS[0]}{figures}{MARKS[1]}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
