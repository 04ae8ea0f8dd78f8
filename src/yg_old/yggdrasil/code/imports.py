"""Imports between nodes: which files of a node import files of another, as the code says."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.code.draft.imported import EVERYTHING
from yg_old.code.draft.ties import Targets, is_declared, reaching, with_ancestors
from yg_old.code.identifiers import identifiers_of
from yg_old.code.languages import ENDINGS, ending
from yg_old.code.read import facts_of
from yg_old.code.resolve import Resolution
from yg_old.code.uses.members import ImportedMembers
from yg_old.kernel.digraph import cyclic_groups
from yg_old.kernel.errors import UnreadableError
from yg_old.text import paths
from yg_old.text.patterns import Patterns
from yg_old.yggdrasil.model import STANDARD_CODE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from yg_old.code.facts import FileFacts
    from yg_old.code.identifiers import Identifiers
    from yg_old.code.resolve import ImportEdge
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.graph import Graph
    from yg_old.yggdrasil.model import AcceptedImport
    from yg_old.yggdrasil.owners import Ownership


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
        self.sources = sources
        self._ownership = ownership
        self._facts: dict[str, FileFacts | None] = {}
        self.settings = graph.config.code or STANDARD_CODE

    @cached_property
    def files(self) -> tuple[str, ...]:
        """All source files."""
        return self.sources.files(paths.ROOT)

    @cached_property
    def all_files(self) -> frozenset[str]:
        """The same files, to look for one."""
        return frozenset(self.files)

    @cached_property
    def owners(self) -> dict[str, str]:
        """The owner of each source file in a language that can be read."""
        return _owners(self.files, self._ownership)

    @cached_property
    def facts(self) -> dict[str, FileFacts]:
        """The facts of each source file that has an owner and can be read."""
        found = ((file, self.facts_of(file)) for file in self.owners)
        return {file: facts for file, facts in found if facts is not None}

    def facts_of(self, file: str) -> FileFacts | None:
        """Return the facts of any source file; None if it has none or cannot be read."""
        if file not in self._facts:
            is_known = ending(file) in ENDINGS
            self._facts[file] = facts_of(self.sources, file) if is_known else None
        return self._facts[file]

    def is_public(self, file: str, name: str) -> bool:
        """Return whether a part of a file is public."""
        facts = self.facts_of(file)
        return facts is not None and name in facts.signatures

    @cached_property
    def files_of(self) -> dict[str, list[str]]:
        """The source files of each node that can be read."""
        found: dict[str, list[str]] = {}
        for file in self.facts:
            found.setdefault(self.owners[file], []).append(file)
        return found

    @cached_property
    def files_inside(self) -> dict[str, list[str]]:
        """The source files of each node and of the nodes inside it."""
        found: dict[str, list[str]] = {}
        for node, files in self.files_of.items():
            for path in (node, *paths.lineage(node)[1:]):
                found.setdefault(path, []).extend(files)
        return found

    @cached_property
    def edges(self) -> tuple[ImportEdge, ...]:
        """The imports of all files with an owner."""
        return self._resolution.edges

    @cached_property
    def _resolution(self) -> Resolution:
        return self.resolution(self.facts)

    def resolution(self, facts: Mapping[str, FileFacts]) -> Resolution:
        """Return what the imports of some files lead to."""
        imported = {file: found.imported for file, found in facts.items()}
        return Resolution(self.files, imported, self._text, self.settings.roots)

    @cached_property
    def targets(self) -> Targets:
        """The owners of what is imported."""
        return Targets(self.owners, self.files)

    @cached_property
    def places(self) -> dict[NodePair, list[ImportEdge]]:
        """All imports of each node by each other node, sorted."""
        found: dict[NodePair, list[ImportEdge]] = {}
        for edge in self.edges:
            source, target = self.owners[edge.file], self.targets.owner(edge)
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
            if kept and not paths.overlap(pair.source, pair.target):
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
        accepted = frozenset(entry.pair for entry in self.settings.accepted)
        return {
            pair: places
            for pair, places in self._to_declare.items()
            if accepted.isdisjoint(_ties(pair))
        }

    @cached_property
    def unaccepted(self) -> dict[NodePair, list[ImportEdge]]:
        """The imports that are neither exempt nor accepted; relations may declare them."""
        return {
            pair: places
            for pair, places in self.counted.items()
            if pair in self.reported
            or not (pair in self.undeclared or self._is_exempt(pair.source))
        }

    @cached_property
    def unneeded(self) -> tuple[AcceptedImport, ...]:
        """The accepted imports that the code does not have, or that need not be accepted."""
        needed = {tie for pair in self._to_declare for tie in _ties(pair)}
        return tuple(entry for entry in self.settings.accepted if entry.pair not in needed)

    @cached_property
    def _to_declare(self) -> dict[NodePair, list[ImportEdge]]:
        """The undeclared imports by nodes that must declare theirs."""
        return {
            pair: places
            for pair, places in self.undeclared.items()
            if not self._is_exempt(pair.source)
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
        pairs = reaching(relations, ((pair.source, pair.target) for pair in self.reported))
        return frozenset(NodePair(source, target) for source, target in pairs)

    @cached_property
    def circular(self) -> frozenset[NodePair]:
        """The reported imports on a cycle of relations and reported imports.

        Each may be declared, but not all of them.
        """
        relations = {
            node.path: [*node.structural_targets]
            for node in self._graph.nodes
            if not node.is_blackbox
        }
        for pair in self.reported:
            relations.setdefault(pair.source, []).append(pair.target)
        groups = enumerate(cyclic_groups(relations))
        group_of = {path: at for at, group in groups for path in group}
        return frozenset(
            pair
            for pair in self.reported
            if pair.source in group_of and group_of[pair.source] == group_of.get(pair.target)
        )

    def consumed(self, places: Iterable[ImportEdge]) -> tuple[str, ...]:
        """Return the names that some imports take, as far as they are known, sorted."""
        names = {name for edge in places for name in self._members.of(edge).names}
        return tuple(sorted(names - {EVERYTHING}))

    @cached_property
    def _members(self) -> ImportedMembers:
        return ImportedMembers(self.facts, self.identifiers_of, self._resolution)

    def identifiers_of(self, file: str) -> Identifiers | None:
        """Return the identifiers of a source file; None if it cannot be read."""
        return identifiers_of(self.sources, file)

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

    def _text(self, file: str) -> str | None:
        """Return the text of a configuration file of a language."""
        try:
            return self.sources.read(file).decode("utf-8-sig", "replace")
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


def _ties(pair: NodePair) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a node, or one above it, and the imported node, or one above that."""
    return product(with_ancestors(pair.source), with_ancestors(pair.target))
