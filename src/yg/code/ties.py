"""Imports between groups of files, and those of them that form no cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from yg.code.languages import ENDINGS, ending
from yg.kernel import paths
from yg.kernel.digraph import gathered

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from yg.code.resolve import ImportEdge

Pair: TypeAlias = tuple[str, str]  # a node that imports, and the node that it imports
TESTS_OF_PACKAGE = "_test.go"  # nobody imports these


class Targets:
    """The files that imports lead to, and their owners."""

    def __init__(self, owners: Mapping[str, str], files: Iterable[str]) -> None:
        self._owners = owners
        self._folders: dict[tuple[str, str], list[str]] = {}  # by directory and language
        for file in files:
            language = ENDINGS.get(ending(file))
            if language and not file.endswith(TESTS_OF_PACKAGE):
                self._folders.setdefault((paths.parent(file), language), []).append(file)

    def files(self, edge: ImportEdge) -> Sequence[str]:
        """Return the imported files."""
        if not edge.is_folder:
            return (edge.target,)
        return self._folders.get((edge.target, ENDINGS.get(ending(edge.file), "")), ())

    def owner(self, edge: ImportEdge) -> str:
        """Return the node that owns what is imported; empty if it is not exactly one."""
        owners = {self._owners.get(file, "") for file in self.files(edge)}
        return owners.pop() if len(owners) == 1 else ""


def imports_between(
    edges: Iterable[ImportEdge],
    owners: Mapping[str, str],
    targets: Targets,
    is_counted: Callable[[ImportEdge], bool],
) -> dict[Pair, list[ImportEdge]]:
    """Return the imports of each node by each other one, without those along the hierarchy."""
    found: dict[Pair, list[ImportEdge]] = {}
    for edge in edges:
        source = owners.get(edge.file, "")
        if not source or not is_counted(edge):
            continue
        target = targets.owner(edge)
        if target and not paths.is_inside(source, target) and not paths.is_inside(target, source):
            found.setdefault((source, target), []).append(edge)
    return dict(sorted(found.items()))


def acyclic(weights: Mapping[Pair, int], known: Mapping[str, Sequence[str]]) -> frozenset[Pair]:
    """Return the pairs that form no cycle, with one another and with known relations.

    Of a cycle the lightest pair is left out, of equal ones the first.
    """
    ids = dict.fromkeys((*known, *(node for pair in sorted(weights) for node in pair)))
    bits = {node: 1 << at for at, node in enumerate(ids)}
    reach = gathered({node: known.get(node, ()) for node in ids}, bits)  # with the node itself
    sources: dict[str, None] = dict.fromkeys(ids)
    kept = []
    for pair in sorted(weights, key=lambda pair: (weights[pair], pair), reverse=True):
        source, target = pair
        if reach[target] & bits[source]:
            continue
        kept.append(pair)
        if not reach[source] & bits[target]:
            for node in sources:
                if reach[node] & bits[source]:
                    reach[node] |= reach[target]
    return frozenset(kept)


def reaching(targets: Mapping[str, Sequence[str]], pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Return the pairs whose second node reaches the first, so that a relation closes a cycle."""
    wanted = sorted(pairs)
    bits = {source: 1 << at for at, source in enumerate(dict.fromkeys(one for one, _ in wanted))}
    reached = gathered(targets, bits)
    return frozenset(
        (source, target) for source, target in wanted if reached.get(target, 0) & bits[source]
    )


def is_declared(targets: Mapping[str, Collection[str]], source: str, target: str) -> bool:
    """Return whether a node, or one above it, has a relation to another, or to one above that."""
    wanted = frozenset(with_ancestors(target))
    return any(not wanted.isdisjoint(targets.get(node, ())) for node in with_ancestors(source))


def with_ancestors(path: str) -> tuple[str, ...]:
    """Return a node and the nodes above it."""
    return (path, *paths.lineage(path)[1:])


def uses_between(
    edges: Iterable[ImportEdge], owners: Mapping[str, str], targets: Targets
) -> list[tuple[ImportEdge, str]]:
    """Return the imports of files by other nodes, each with an imported file."""
    return [
        (edge, file)
        for edge in edges
        if edge.file in owners
        for file in targets.files(edge)
        if owners.get(file) not in (None, owners[edge.file])
    ]


def by_source(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    """Return the targets of each source."""
    found: dict[str, list[str]] = {}
    for source, target in pairs:
        found.setdefault(source, []).append(target)
    return found
