"""Owners: the node, by the mappings of a graph, that each file of the repository belongs to."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.text import paths
from yg.yggdrasil.model import FOLDER

if TYPE_CHECKING:
    from collections.abc import Collection

    from yg.yggdrasil.graph import Graph

GIT = ".git"


def mapped_path(text: str) -> str | None:
    """Return a mapped path, normalised; None if it is outside the repository."""
    return paths.normalise(text.replace("\\", "/"))


def spelling_fault(text: str) -> str:
    """Return why a text is not a valid mapped path; empty if it is valid."""
    is_usual = text[:1].isalnum() and text[1:2] != ":" and "/." not in text and "\\" not in text
    return "" if is_usual and len(text) <= paths.LONGEST else _unusual_fault(text)


def _unusual_fault(text: str) -> str:
    spelling = text.replace("\\", "/")
    if not text.strip():
        return "is empty"
    if len(text) > paths.LONGEST:
        return "is longer than a path can be"
    if spelling.startswith("/") or (spelling[1:3] == ":/" and spelling[:1].isalpha()):
        return "is absolute"
    path = paths.normalise(spelling)
    if path is None:
        return "leaves the repository"
    if not is_source(path):
        return "lies inside .git/" if GIT in path.split("/") else f"lies inside {FOLDER}/"
    return ""


def is_source(path: str) -> bool:
    """Return whether a path can be source: it is neither in the graph nor in git's directory."""
    if path[:1] != "." and "/.git" not in path:
        return True  # the usual case
    parts = path.split("/")
    return parts[0] != FOLDER and GIT not in parts


def mapped_paths(graph: Graph) -> tuple[str, ...]:
    """Return the valid mapped paths of all nodes, each once."""
    return tuple(Owners(graph).by_path)


class Owner(Struct, frozen=True):
    """The node that owns a file, and its mapped path that covers the file."""

    node: str
    mapping: str


class Owners:
    """The owners of files: the longest mapped path wins, and a child wins over its ancestor."""

    def __init__(self, graph: Graph) -> None:
        self.by_path: dict[str, str] = {}  # the node that owns each mapped path
        for node in graph.nodes.values():  # sorted, so ancestors come first
            for entry in node.mapped:
                path = mapped_path(entry.text)
                if spelling_fault(entry.text) or path is None:
                    continue
                other = self.by_path.setdefault(path, node.path)
                if other != node.path and paths.is_inside(node.path, other):
                    self.by_path[path] = node.path

    def get(self, file: str) -> Owner | None:
        """Return the owner of a file; None if no mapping covers it."""
        if not is_source(file):
            return None
        path = file
        while True:
            node = self.by_path.get(path)
            if node is not None:
                return Owner(node, path)
            if path == paths.ROOT:
                return None
            path = paths.parent(path)


class PartKind(StrEnum):
    """The kinds of parts of a graph."""

    NODE = "node"
    ASPECT = "aspect"
    FLOW = "flow"


class Part(Struct, frozen=True):
    """A node, an aspect or a flow."""

    kind: PartKind
    id: str


_TREES = {"model": PartKind.NODE, "aspects": PartKind.ASPECT, "flows": PartKind.FLOW}


def part_of(graph: Graph, file: str) -> Part | None:
    """Return the part with the nearest declaration above a file; None outside of all parts."""
    tree, _, path = file.removeprefix(f"{graph.folder}/").partition("/")
    if tree not in _TREES or not file.startswith(f"{graph.folder}/"):
        return None
    kind = _TREES[tree]
    trees: dict[PartKind, Collection[str]] = {
        PartKind.NODE: graph.nodes,
        PartKind.ASPECT: graph.aspects,
        PartKind.FLOW: graph.flows,
    }
    while path:
        if path in trees[kind] or has_bad_declaration(graph, tree, path):
            return Part(kind, path)
        path = "" if path == paths.ROOT else paths.parent(path)
    return None


def has_bad_declaration(graph: Graph, tree: str, path: str) -> bool:
    """Return whether a directory of a tree has a declaration that could not be read."""
    directory = directory_of(graph, tree, path)
    return directory in graph.unread and graph.unread[directory].file != directory


def directory_of(graph: Graph, tree: str, path: str) -> str:
    """Return the directory of a part, given its path in the tree."""
    top = f"{graph.folder}/{tree}"
    return top if path == paths.ROOT else f"{top}/{path}"
