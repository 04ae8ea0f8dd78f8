"""Imports between groups of files, and those of them that form no cycle."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from yg_old.code.draft.imported import EVERYTHING
from yg_old.code.languages import ENDINGS, ending
from yg_old.kernel.digraph import gathered
from yg_old.text import paths

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from yg_old.code.resolve import ImportEdge

Pair: TypeAlias = tuple[str, str]  # a node that imports, and the node that it imports
TESTS_OF_PACKAGE = "_test.go"  # nobody imports these


class Target(NamedTuple):
    """What imports lead to: a file, or the files of a language in a directory."""

    path: str
    language: str  # empty: a file


class Targets:
    """The files that imports lead to, and their owners."""

    def __init__(self, owners: Mapping[str, str], files: Iterable[str]) -> None:
        self._owners = owners
        # The files in a directory by their owner, empty for none.
        self._folders: dict[Target, dict[str, list[str]]] = {}
        for file in files:
            language = ENDINGS.get(ending(file))
            if language and not file.endswith(TESTS_OF_PACKAGE):
                folder = self._folders.setdefault(Target(paths.parent(file), language), {})
                folder.setdefault(owners.get(file, ""), []).append(file)

    def by_owner(self, target: Target) -> Mapping[str, Sequence[str]]:
        """Return the files of a target by their owner, empty for those without one."""
        if not target.language:
            return {self._owners.get(target.path, ""): (target.path,)}
        return self._folders.get(target, {})

    def owner(self, edge: ImportEdge) -> str:
        """Return the node that owns what is imported; empty if it is not exactly one."""
        owners = self.by_owner(target_of(edge))
        return next(iter(owners)) if len(owners) == 1 else ""


def target_of(edge: ImportEdge) -> Target:
    """Return what an import leads to."""
    return Target(edge.target, ENDINGS.get(ending(edge.file), "") if edge.is_folder else "")


class Uses:
    """The imports of files by other nodes, each target once for each node that imports it."""

    def __init__(
        self, edges: Iterable[ImportEdge], owners: Mapping[str, str], targets: Targets
    ) -> None:
        self._targets = targets
        self._names: dict[Target, dict[str, set[str]]] = {}  # imported, by the node that imports
        for edge in edges:
            if edge.file in owners:
                by_node = self._names.setdefault(target_of(edge), {})
                names = by_node.setdefault(owners[edge.file], set())
                names.update(edge.names or (EVERYTHING,))

    @cached_property
    def names(self) -> dict[str, set[str]]:
        """The names that other nodes import from each file."""
        found: dict[str, set[str]] = {}
        for target, by_node in self._names.items():
            counts = Counter(name for names in by_node.values() for name in names)
            for owner, files in self._targets.by_owner(target).items():
                own = by_node.get(owner, ())
                others = [name for name in counts if counts[name] > (name in own)]
                for file in files if owner and others else ():
                    found.setdefault(file, set()).update(others)
        return found

    def users(self, nodes: Collection[str]) -> dict[str, list[str]]:
        """Return the nodes that import each of some nodes, sorted."""
        pairs = {
            (owner, user)
            for target, by_node in self._names.items()
            for owner in self._targets.by_owner(target)
            if owner in nodes
            for user in by_node
            if user != owner
        }
        return by_source(sorted(pairs))


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
    nodes = dict.fromkeys(node for pair in sorted(weights) for node in pair)
    bits = {source: 1 << at for at, source in enumerate(dict.fromkeys(one for one, _ in weights))}
    reach = gathered({**dict.fromkeys(nodes, ()), **known}, bits)  # the sources that each reaches
    kept = []
    for pair in sorted(weights, key=lambda pair: (weights[pair], pair), reverse=True):
        source, target = pair
        if reach[target] & bits[source]:
            continue
        kept.append(pair)
        if reach[target] & ~reach[source]:  # at most once for each two sources
            for node in nodes:
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


def by_source(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    """Return the targets of each source."""
    found: dict[str, list[str]] = {}
    for source, target in pairs:
        found.setdefault(source, []).append(target)
    return found
