"""Mappings: validation of mapped paths, their files, and the owner of a file."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from yg_old.kernel.snapshot import Kind
from yg_old.kernel.sources import GIT, Owner, is_source
from yg_old.text import paths
from yg_old.yggdrasil.places import mapped_path, spelling_fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.issue import Located
    from yg_old.kernel.sources import Sources
    from yg_old.text.patterns import Patterns
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import Node

Claim: TypeAlias = tuple[str, str, tuple[str, ...]]  # a path, its node, patterns of excluded files


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
    return paths.overlap(path, other_path) and not paths.overlap(node, other)


def excluded_files(node: Node) -> Patterns | None:
    """Return the patterns of files that a node's mapping leaves out; None if it has none."""
    return _compiled([entry.text for entry in node.excluded]) if node.excluded else None


def _compiled(lines: Iterable[str]) -> Patterns:
    from yg_old.text.patterns import Patterns

    return Patterns.from_lines(lines)


def has_shared_file(sources: Sources, path: str, exclusions: Iterable[Patterns | None]) -> bool:
    """Tell whether a path that some nodes map has a file that none of them excludes.

    A path without files counts as one, which may be written.
    """
    excluding = [patterns for patterns in exclusions if patterns is not None]
    if not excluding:
        return True
    files = sources.files(path) or (path,)
    return any(not any(patterns.excludes(file) for patterns in excluding) for file in files)


def sound_paths(sources: Sources, node: Node) -> tuple[str, ...]:
    """Return the valid mapped paths of a node, without duplicates."""
    sound = (mapped.path for mapped in mappings(sources, node) if not mapped.fault)
    return tuple(dict.fromkeys(sound))


def claims(nodes: Iterable[Node]) -> Iterator[Claim]:
    """Yield what nodes map, without paths that are not valid."""
    for node in nodes:
        excluded = tuple([entry.text for entry in node.excluded])
        for entry in node.mapping:
            path = mapped_path(entry.text)
            if path is not None and not spelling_fault(entry.text):
                yield path, node.path, excluded


def may_map(owner: Owner | None, node: str, gone: Iterable[str]) -> bool:
    """Tell whether a node may map a file with this owner instead of one of its paths that is gone.

    Another node gives way if it owns the file by a directory around the gone path: the longer
    path of the node wins, as it did before.
    """
    if owner is None:
        return True
    around = (path for path in gone if paths.is_inside(path, owner.mapping))
    return owner.node != node and any(path != owner.mapping for path in around)


class Ownership:
    """The owners of files, from the mappings of a graph.

    Files of a git repository inside this one belong to nobody, unless they are mapped themselves.
    `known` are mappings besides those of the nodes.
    """

    def __init__(
        self,
        graph: Graph,
        sources: Sources,
        known: Iterable[Claim] = (),
        nodes: Iterable[Node] | None = None,
    ) -> None:
        """Take the nodes that can own the files that are asked for; None for all."""
        self._all_nodes = graph.nodes if nodes is None else nodes
        self._sources = sources
        self._known = known

    @cached_property
    def _nodes(self) -> dict[str, list[tuple[str, Patterns | None]]]:
        """The nodes by mapped path, with the files that each excludes."""
        patterns: dict[tuple[str, ...], Patterns | None] = {(): None}
        found: dict[str, list[tuple[str, Patterns | None]]] = {}
        for path, node, excluded in chain(self._known, claims(self._all_nodes)):
            if excluded not in patterns:
                patterns[excluded] = _compiled(excluded)
            found.setdefault(path, []).append((node, patterns[excluded]))
        return found

    def get(self, file: str) -> Owner | None:
        """Return the owner of a file; None if no mapping covers it, or if it is not a source."""
        owner = self._owner(file, may_be_directory=True) if is_source(file) else None
        if owner is None or owner.mapping == file or not self._is_in_nested_repository(file):
            return owner
        is_listed = file in self._sources.files(paths.parent(file))
        return owner if is_listed else None

    def get_listed(self, file: str) -> Owner | None:
        """Return the owner of a file that the sources list: these are of this repository."""
        return self._owner(file)

    def _owner(self, file: str, *, may_be_directory: bool = False) -> Owner | None:
        for path in (file, *reversed(paths.lineage(file))):
            for node, excluded in self._nodes.get(path, ()):
                if excluded is None:
                    return Owner(node, path)
                is_directory = may_be_directory and self._sources.kind(file) is Kind.DIRECTORY
                if not excluded.excludes(f"{file}/" if is_directory else file):
                    return Owner(node, path)
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
