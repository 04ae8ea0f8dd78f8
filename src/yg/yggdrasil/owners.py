"""Mappings: validation of mapped paths, their files, and the owner of a file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.kernel.snapshot import Kind
from yg.kernel.sources import GIT, Owner, is_source
from yg.text import paths
from yg.yggdrasil.places import mapped_path, spelling_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg.kernel.issue import Located
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.model import Node


def mapping_fault(sources: Sources, text: str) -> str:
    """Return why a mapped path is not a usable file or directory; empty if it is."""
    return spelling_fault(text) or wrong_kind(sources, mapped_path(text) or "")


def wrong_kind(sources: Sources, path: str) -> str:
    """Return why a path is not a file or directory; empty if it is one, or is missing."""
    if sources.kind(path) in (Kind.FILE, Kind.DIRECTORY):
        return ""  # the parents are directories too, since links are not followed
    for part in (*paths.lineage(path), path):
        kind = sources.kind(part)
        if kind is Kind.LINK:
            return "is a link" if part == path else f"passes through the link '{part}'"
        if kind is Kind.OTHER:
            return "is not a plain file or directory"
        if kind is None:
            break  # missing, so its children are missing too
    return ""


class Mapped(Struct, frozen=True):
    """One path of a node's mapping."""

    node: Node
    entry: Located
    path: str  # normalised; empty if it is outside the repository
    fault: str  # why it is not usable; empty if it is


def mappings(sources: Sources, node: Node) -> Iterator[Mapped]:
    """Yield the paths of a node's mapping, in order."""
    for entry in node.mapping:
        path = mapped_path(entry.text) or ""
        fault = spelling_fault(entry.text) or wrong_kind(sources, path)
        yield Mapped(node, entry, path, fault)


def is_overlap(one: tuple[str, str], two: tuple[str, str]) -> bool:
    """Tell whether two mappings, each a node and a path, claim the same files.

    A node may map a path inside one that its ancestor or descendant maps, but not the same path.
    """
    (node, path), (other, other_path) = one, two
    if node == other:
        return False
    if path == other_path:
        return True
    is_within = paths.is_inside(path, other_path) or paths.is_inside(other_path, path)
    return is_within and not paths.is_inside(node, other) and not paths.is_inside(other, node)


def sound_paths(sources: Sources, node: Node) -> tuple[str, ...]:
    """Return the valid mapped paths of a node, without duplicates."""
    sound = (mapped.path for mapped in mappings(sources, node) if not mapped.fault)
    return tuple(dict.fromkeys(sound))


def mapped_paths(nodes: Iterable[Node]) -> dict[str, str]:
    """Return the nodes by mapped path; the first one of those that map the same path."""
    found: dict[str, str] = {}
    for node in nodes:
        for entry in node.mapping:
            path = mapped_path(entry.text)
            if path is not None and not spelling_fault(entry.text):
                found.setdefault(path, node.path)
    return found


class Ownership:
    """The owners of files, from the mappings of a graph.

    Files of a git repository inside this one belong to nobody, unless they are mapped themselves.
    `added` are mappings of nodes that the graph does not have yet: a path and a node.
    """

    def __init__(
        self,
        graph: Graph,
        sources: Sources,
        added: Iterable[tuple[str, str]] = (),
        nodes: Iterable[Node] | None = None,
    ) -> None:
        """Take the nodes that can own the files that are asked for; None for all."""
        self._all_nodes = graph.nodes if nodes is None else nodes
        self._sources = sources
        self._added = added

    @cached_property
    def _nodes(self) -> dict[str, str]:
        """The nodes by mapped path."""
        found = dict(self._added)
        for path, node in mapped_paths(self._all_nodes).items():
            found.setdefault(path, node)
        return found

    def get(self, file: str) -> Owner | None:
        """Return the owner of a file; None if no mapping covers it, or if it is not a source."""
        owner = self.get_listed(file) if is_source(file) else None
        if owner is None or owner.mapping == file or not self._is_in_nested_repository(file):
            return owner
        is_listed = file in self._sources.files(paths.parent(file))
        return owner if is_listed else None

    def get_listed(self, file: str) -> Owner | None:
        """Return the owner of a file that the sources list: these are of this repository."""
        for path in (file, *reversed(paths.lineage(file))):
            if path in self._nodes:
                return Owner(self._nodes[path], path)
        return None

    def _is_in_nested_repository(self, file: str) -> bool:
        places = (*paths.lineage(file)[1:], file)
        return any(self._sources.kind(f"{place}/{GIT}") is not None for place in places)


def own_files(sources: Sources, ownership: Ownership, node: Node) -> tuple[str, ...]:
    """Return the files that a node owns, sorted; files with a longer mapping are excluded."""
    files = (file for path in sound_paths(sources, node) for file in sources.files(path))
    return owned(ownership, node, files)


def owned(ownership: Ownership, node: Node, files: Iterable[str]) -> tuple[str, ...]:
    """Return the files that a node owns among listed ones, sorted, without duplicates."""
    owners = ((file, ownership.get_listed(file)) for file in sorted(set(files)))
    return tuple(file for file, owner in owners if owner is not None and owner.node == node.path)
