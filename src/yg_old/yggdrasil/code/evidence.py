"""What imports say about the relations of a node: those they back, and those that are missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.dependencies import ImportingNode, ImportPlace
from yg_old.text import paths
from yg_old.yggdrasil.code.imports import NodeImports
from yg_old.yggdrasil.code.named_parts import named_parts
from yg_old.yggdrasil.code.quoted_names import WORD, text_of
from yg_old.yggdrasil.coverage import UnmentionedName
from yg_old.yggdrasil.model import INTERFACE_FILE
from yg_old.yggdrasil.owners import Ownership
from yg_old.yggdrasil.resolve import artifact, artifact_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from yg_old.code.resolve import ImportEdge
    from yg_old.kernel.dependencies import DependencyTree
    from yg_old.kernel.sources import Sources
    from yg_old.yggdrasil.code.uses import NodeUses
    from yg_old.yggdrasil.graph import Graph


class DependencyEvidence(Struct, frozen=True):
    """The imports behind the lines of a dependency tree, and those without a relation."""

    counts: tuple[int, ...]  # imports that back each line
    undeclared: tuple[ImportingNode, ...]  # by the first node of the tree


def read_imports(graph: Graph, sources: Sources) -> NodeImports:
    """Return the imports between the nodes of a graph."""
    return NodeImports(graph, sources, Ownership(graph, sources))


def dependency_evidence(imports: NodeImports, tree: DependencyTree) -> DependencyEvidence:
    """Count the imports behind each line of a tree."""
    sources = [tree.root]  # the nodes on the way to a line, by level
    counts = []
    for line in tree.lines:
        del sources[line.level :]
        counts.append(imports.backing(sources[-1], line.path))
        sources.append(line.path)
    undeclared = (
        _places(pair.target, places)
        for pair, places in imports.undeclared.items()
        if pair.source == tree.root
    )
    return DependencyEvidence(tuple(counts), tuple(undeclared))


def importers(imports: NodeImports, node: str) -> tuple[ImportingNode, ...]:
    """Return the nodes that import a node and have no relation to it."""
    return tuple(
        _places(pair.source, places)
        for pair, places in imports.undeclared.items()
        if pair.target == node
    )


def users_of(
    uses: NodeUses, imports: NodeImports, node: str, name: str
) -> tuple[ImportingNode, ...] | None:
    """Return the other nodes whose code names a part of a node; None if it has no such part."""
    parts = [part for part in named_parts(imports, f"{node}::{name}") if part.node == node]
    if not parts:
        return None
    found: dict[str, dict[ImportPlace, None]] = {}
    for use in uses.uses(parts).uses:
        owner = imports.owners.get(use.path, "")
        if owner and owner != node:
            place = ImportPlace(file=use.path, line=use.line)
            found.setdefault(owner, {})[place] = None
    return tuple(ImportingNode(node=owner, places=tuple(found[owner])) for owner in sorted(found))


def _places(node: str, places: list[ImportEdge]) -> ImportingNode:
    found = tuple(ImportPlace(file=edge.file, line=edge.line) for edge in places)
    return ImportingNode(node=node, places=found)


def unmentioned_names(graph: Graph, imports: NodeImports) -> tuple[UnmentionedName, ...]:
    """Return the public names that other nodes import and no interface mentions, sorted."""
    users: dict[tuple[str, str, str], dict[str, None]] = {}
    for pair, places in imports.counted.items():
        for edge in places:
            facts = imports.facts.get(edge.target)
            for name in edge.names if facts else ():
                if facts and name in facts.signatures:
                    key = pair.target, name, edge.target
                    users.setdefault(key, {})[pair.source] = None
    mentioned = {
        node: frozenset(_mentioned(graph, node)) for node in {node for node, _, _ in users}
    }
    return tuple(
        sorted(
            UnmentionedName(node=node, name=name, file=file, imported_by=tuple(sorted(by)))
            for (node, name, file), by in users.items()
            if name not in mentioned[node]
        )
    )


def _mentioned(graph: Graph, path: str) -> Iterator[str]:
    """Yield the words in the interfaces of a node and of the nodes above it."""
    for place in (*paths.lineage(path), path):
        node = graph.nodes.get(place)
        if node is not None and INTERFACE_FILE in artifact_names(graph, node):
            yield from WORD.findall(text_of(artifact(graph, node, INTERFACE_FILE)))
