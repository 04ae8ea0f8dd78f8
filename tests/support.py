"""Graphs as dicts of texts, and commands run without a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from yg.disk.index.private import _digest
from yg.kernel.document import document_text
from yg.kernel.snapshot import DictSnapshot
from yg.surfaces.cli.main import answer
from yg.surfaces.cli.outcome import Outcome, Terminal
from yg.yggdrasil.places import FOLDER
from yg.yggdrasil.read.v2 import read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import ModuleType

    from yg.kernel.document import Document
    from yg.kernel.errors import UnreadableError
    from yg.kernel.snapshot import Kind
    from yg.yggdrasil.graph import Graph

    Content = str | bytes | Kind | UnreadableError

REPOSITORY = Path(__file__).parent.parent
SHOP_ROOT = REPOSITORY / "examples" / "shop"

CONFIG = """\
version: "2.2.0"
name: test
node_types:
  module: {description: "A domain"}
  service: {description: "A component"}
artifacts:
  responsibility.md: {required: always, description: "What it does", included_in_relations: true}
  interface.md:
    required: {when: has_incoming_relations}
    description: "What it offers"
    included_in_relations: true
  internals.md: {required: never, description: "How it works"}
"""
NODE = "name: N\ntype: service\n"


def snapshot_from(
    files: Mapping[str, Content], sources: Mapping[str, Content] = {}
) -> DictSnapshot:
    """Make a repository of graph files (relative to .yggdrasil/) and source files."""
    graph = {"yg-config.yaml": CONFIG, **files}
    return DictSnapshot({**{f"{FOLDER}/{path}": text for path, text in graph.items()}, **sources})


def graph_from(files: Mapping[str, Content], sources: Mapping[str, Content] = {}) -> Graph:
    """Read a graph from files relative to .yggdrasil/; a small configuration is provided."""
    return read(snapshot_from(files, sources))


def node_owning(*paths: str) -> str:
    """Return the declaration of a node with a mapping."""
    return f"{NODE}mapping: {{paths: [{', '.join(paths)}]}}\n"


def git(root: Path, *arguments: str) -> str:
    """Run git in a directory, and return what it prints without the last line break."""
    command = ["git", "-c", "init.defaultBranch=main", "-C", str(root), *arguments]
    done = subprocess.run(command, check=True, capture_output=True, encoding="utf-8")
    return done.stdout.strip()


def private_folder(root: Path, graph: str = FOLDER) -> Path:
    """Return where the files are that yg keeps for itself about a graph."""
    return Path(os.environ["XDG_CACHE_HOME"], "yg", _digest(os.path.realpath(root), graph))


def files_below(root: Path) -> dict[str, str]:
    """Return every file below a directory as text, by its path."""
    return {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file() and "__pycache__" not in path.parts
    }


def shop_files() -> dict[str, str]:
    """Return graph and sources of the example repository."""
    return {
        f"{folder}/{path}": text
        for folder in (FOLDER, "src")
        for path, text in files_below(SHOP_ROOT / folder).items()
    }


def run(*argv: str, stdin: Iterable[str] = ()) -> Outcome:
    """Run a command in this process, without colour."""

    def read_bytes(most: int) -> bytes:
        return "".join(f"{line}\n" for line in stdin).encode("utf-8", "surrogateescape")[:most]

    return answer(
        [os.fspath(word) for word in argv], Terminal(lambda: stdin, read_bytes=read_bytes)
    )


def run_shop(*argv: str, stdin: Iterable[str] = ()) -> Outcome:
    """Run a command in the example repository."""
    command, *rest = argv
    return run(command, "-C", str(SHOP_ROOT), *rest, stdin=stdin)


def json_of(document: Document) -> Any:
    """Return a document as its JSON is read again."""
    return json.loads(document_text(document))


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files below a directory, and the directories they need."""
    made = set()
    for path, content in files.items():
        file = os.path.join(root, path)
        if (folder := os.path.dirname(file)) not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        with open(file, "wb") as stream:
            stream.write(content if isinstance(content, bytes) else content.encode())
    return root


def write_graph(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write files relative to .yggdrasil/; a small configuration is provided."""
    graph = {"yg-config.yaml": CONFIG, **files}
    return write(root, {f"{FOLDER}/{path}": content for path, content in graph.items()})


def benchmark(name: str) -> ModuleType:
    """Import a script from benchmarks/."""
    spec = spec_from_file_location(name, REPOSITORY / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def a_dead_process() -> int:
    """Return the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        return process.pid
