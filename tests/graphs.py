"""Graphs from dicts of texts, in memory or in a folder; paths of PARTS are those of the graph."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from yg.kernel.errors import UnreadableError
from yg.kernel.snapshot import DictSnapshot, Kind
from yg.yggdrasil.graph import Graph
from yg.yggdrasil.model import FOLDER
from yg.yggdrasil.package import Assembler, Document, Package
from yg.yggdrasil.read import read_graph
from yg.yggdrasil.texts import facts_of, read_text

Content = str | bytes | Kind | UnreadableError

PARTS = ("model", "aspects", "flows", "schemas", "yg-config.yaml", "yg-architecture.yaml")
CONFIG = """\
name: test
node_types: {module: {description: M}, service: {description: S}}
artifacts:
  responsibility.md: {included_in_relations: true}
  interface.md: {included_in_relations: true}
  internals.md: {}
"""
NODE = "name: N\ntype: service\n"
SCHEMAS = {f"schemas/yg-{kind}.yaml": "" for kind in ("node", "aspect", "flow")}


def placed(path: str) -> str:
    """Return where a file of a graph is in the repository."""
    return f"{FOLDER}/{path}" if path.partition("/")[0] in PARTS else path


def snapshot_from(files: Mapping[str, Content]) -> DictSnapshot:
    """Return a repository in memory; without a configuration, it gets one."""
    every = {"yg-config.yaml": CONFIG, **files}
    return DictSnapshot({placed(path): text for path, text in every.items()})


def graph_from(files: Mapping[str, Content]) -> Graph:
    """Read a graph."""
    return read_graph(snapshot_from(files))


def package_from(files: Mapping[str, Content], path: str) -> Package:
    """Assemble the package of a node, with its texts."""
    snapshot = snapshot_from(files)
    graph = read_graph(snapshot)
    package = Assembler(graph, partial(facts_of, snapshot)).package(graph.nodes[path])

    def completed(document: Document) -> Document:
        text = "" if document.binary else read_text(snapshot, document.path)
        return replace(document, text=text)

    blocks = (
        replace(block, documents=tuple(map(completed, block.documents))) for block in package.blocks
    )
    return replace(package, blocks=tuple(blocks))


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """Write a repository into a folder."""
    for path, text in files.items():
        file = os.path.join(os.fsencode(root), os.fsencode(placed(path)))
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "wb") as stream:
            stream.write(text if isinstance(text, bytes) else text.encode())
    return root


def git(root: Path, *words: str) -> str:
    """Run git and return what it prints, without its last line break."""
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True)
    return done.stdout.decode().rstrip("\n")
