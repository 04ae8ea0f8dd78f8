"""Imports between nodes: which files of a node import files of another, as the code says."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.code.languages import ENDINGS, ending
from yg.code.read import FACTS, WORDS
from yg.code.resolve import edges
from yg.kernel import paths
from yg.kernel.digraph import gathered
from yg.kernel.errors import UnreadableError
from yg.kernel.patterns import Patterns
from yg.yggdrasil.model import STANDARD_CODE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg.code.facts import FileFacts
    from yg.code.resolve import ImportEdge
    from yg.kernel.sources import Sources
    from yg.yggdrasil.graph import Graph
    from yg.yggdrasil.mapping import Ownership

TESTS_OF_PACKAGE = "_test.go"  # nobody imports these


class NodePair(Struct, frozen=True, order=True):
    """A node that imports another one."""

    source: str
    target: str


class NodeImports:
    """The imports between the nodes of a graph, and the facts that they come from.

    Only files with an owner are read.
    """

    def __init__(self, graph: Graph, sources: Sources, ownership: Ownership) -> None:
        self._graph = graph
        self._sources = sources
        self.settings = graph.config.code or STANDARD_CODE
        self.files = sources.files(paths.ROOT)
        self.owners = _owners(self.files, ownership)

    @cached_property
    def facts(self) -> dict[str, FileFacts]:
        """The facts of each source file that has an owner and can be read."""
        found = {}
        for file in self.owners:
            try:
                facts = self._sources.computed(file, FACTS)
            except UnreadableError:
                continue  # drift reports the file
            if facts is not None:
                found[file] = facts
        return found

    @cached_property
    def files_of(self) -> dict[str, list[str]]:
        """The source files of each node that can be read."""
        found: dict[str, list[str]] = {}
        for file in self.facts:
            found.setdefault(self.owners[file], []).append(file)
        return found

    def words(self, file: str) -> tuple[str, ...]:
        """Return the words in the tokens of a source file; none if it cannot be read."""
        try:
            return self._sources.computed(file, WORDS) or ()
        except UnreadableError:
            return ()

    @cached_property
    def places(self) -> dict[NodePair, list[ImportEdge]]:
        """All imports of each node by each other node, sorted."""
        imported = {file: facts.imported for file, facts in self.facts.items()}
        found: dict[NodePair, list[ImportEdge]] = {}
        for edge in edges(self.files, imported, self._text, self.settings.roots):
            source, target = self.owners[edge.file], self._target_of(edge)
            if target and target != source:
                found.setdefault(NodePair(source, target), []).append(edge)
        return dict(sorted(found.items()))

    @cached_property
    def counted(self) -> dict[NodePair, list[ImportEdge]]:
        """The imports that need a relation: at run time, or all if the configuration says so."""
        is_ignored = Patterns.from_lines(self.settings.ignore).excludes
        ignored = {file for file in self.facts if is_ignored(file)}
        found = {}
        for pair, places in self.places.items():
            kept = [
                edge
                for edge in places
                if edge.file not in ignored and (self.settings.counts_types or not edge.type_only)
            ]
            if kept and not _is_lineage(pair):
                found[pair] = kept
        return found

    @cached_property
    def undeclared(self) -> dict[NodePair, list[ImportEdge]]:
        """The imports that no relation of the node or of an ancestor declares."""
        targets = {
            node.path: {relation.target.text for relation in node.relations}
            for node in self._graph.nodes
        }
        return {
            pair: places
            for pair, places in self.counted.items()
            if not is_declared(targets, pair.source, pair.target)
        }

    @cached_property
    def reported(self) -> dict[NodePair, list[ImportEdge]]:
        """The undeclared imports that are neither exempt nor accepted."""
        accepted = {(entry.source, entry.target) for entry in self.settings.accepted}
        return {
            pair: places
            for pair, places in self.undeclared.items()
            if not self._is_exempt(pair.source)
            and accepted.isdisjoint(
                product(_with_ancestors(pair.source), _with_ancestors(pair.target))
            )
        }

    def _is_exempt(self, path: str) -> bool:
        node = self._graph.nodes.get(path)
        return node is None or node.is_blackbox or node.type.text in self.settings.exempt_types

    @cached_property
    def against(self) -> frozenset[NodePair]:
        """The reported imports whose relation would close a cycle."""
        relations = {
            node.path: node.structural_targets for node in self._graph.nodes if not node.is_blackbox
        }
        importing = dict.fromkeys(pair.source for pair in self.reported)
        bits = {path: 1 << at for at, path in enumerate(importing)}
        reached = gathered(relations, bits)
        return frozenset(
            pair for pair in self.reported if reached.get(pair.target, 0) & bits[pair.source]
        )

    def backing(self, source: str, target: str) -> int:
        """Return how many imports back a relation: also of nodes below the two."""
        return self._backing[source, target]

    @cached_property
    def _backing(self) -> Counter[tuple[str, str]]:
        found: Counter[tuple[str, str]] = Counter()
        for pair, places in self.places.items():
            for tie in _ties(pair):
                found[tie] += len(places)
        return found

    def _target_of(self, edge: ImportEdge) -> str:
        """Return the node that owns what is imported; empty if it is not exactly one."""
        if not edge.is_folder:
            return self.owners.get(edge.target, "")
        owners = self._folder_owners.get((edge.target, ENDINGS.get(ending(edge.file), "")), set())
        return next(iter(owners)) if len(owners) == 1 else ""

    @cached_property
    def _folder_owners(self) -> dict[tuple[str, str], set[str]]:
        """The owners of the source files directly in each folder, by language; empty: none."""
        found: dict[tuple[str, str], set[str]] = {}
        for file in self.files:
            language = ENDINGS.get(ending(file))
            if language and not file.endswith(TESTS_OF_PACKAGE):
                key = paths.parent(file), language
                found.setdefault(key, set()).add(self.owners.get(file, ""))
        return found

    def _text(self, file: str) -> str | None:
        """Return the text of a configuration file of a language."""
        try:
            return self._sources.read(file).decode("utf-8-sig", "replace")
        except UnreadableError:
            return None


def _owners(files: Iterable[str], ownership: Ownership) -> dict[str, str]:
    """Return the owner of each source file in a language that can be read."""
    found = {}
    for file in files:
        if ending(file) in ENDINGS:
            owner = ownership.get_listed(file)
            if owner is not None:
                found[file] = owner.node
    return found


def _is_lineage(pair: NodePair) -> bool:
    one, two = pair.source, pair.target
    return paths.is_inside(one, two) or paths.is_inside(two, one)


def _ties(pair: NodePair) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a node, or one above it, and the imported node, or one above that."""
    return product(_with_ancestors(pair.source), _with_ancestors(pair.target))


def _with_ancestors(path: str) -> tuple[str, ...]:
    return (path, *paths.lineage(path)[1:])


def is_declared(targets: Mapping[str, set[str]], source: str, target: str) -> bool:
    """Return whether a node, or one above it, has a relation to another, or to one above that."""
    wanted = frozenset(_with_ancestors(target))
    return any(not wanted.isdisjoint(targets.get(node, ())) for node in _with_ancestors(source))
