"""The public parts of the code of nodes, and who uses them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.codec import Codec
from yg_old.text import paths
from yg_old.yggdrasil.code.named_parts import NamedPart

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from yg_old.yggdrasil.code.imports import NodeImports
    from yg_old.yggdrasil.code.uses import NodeUses
    from yg_old.yggdrasil.graph import Graph


class PublicPart(Struct, frozen=True):
    """A public part of the code of a node."""

    path: str
    first: int  # line
    name: str
    files: int  # other files that use it
    nodes: tuple[str, ...]  # that own these, sorted


PublicParts = dict[str, tuple[PublicPart, ...]]  # of nodes, the most used ones first
PUBLIC_PARTS: Codec[PublicParts] = Codec(PublicParts)


def public_parts(imports: NodeImports, uses: NodeUses, nodes: Collection[str]) -> PublicParts:
    """Return the public parts of some nodes."""
    named: dict[str, list[NamedPart]] = {node: [] for node in nodes}
    for file, owner in imports.owners.items():
        facts = imports.facts_of(file) if owner in named else None
        for name, part in facts.parts.items() if facts else ():
            if facts and name in facts.signatures:
                named[owner].append(NamedPart(file, part.first, part.last, name, owner))
    users = _users(uses, [part for parts in named.values() for part in parts])
    return {
        node: _sorted(
            _public(imports, part, users.get((part.path, part.name), ())) for part in parts
        )
        for node, parts in named.items()
    }


def _sorted(parts: Iterable[PublicPart]) -> tuple[PublicPart, ...]:
    return tuple(sorted(parts, key=lambda part: (-part.files, part.path, part.first, part.name)))


def _public(imports: NodeImports, part: NamedPart, users: Collection[str]) -> PublicPart:
    owners = {imports.owners.get(file, "") for file in users} - {""}
    return PublicPart(part.path, part.first, part.name, len(users), tuple(sorted(owners)))


def _users(
    node_uses: NodeUses, parts: Iterable[NamedPart]
) -> dict[tuple[str, str], Collection[str]]:
    """Return the other files that use parts.

    What may be a member counts in files that use what it is a member of.
    """
    found: dict[tuple[str, str], set[str]] = {}
    for use in sorted(node_uses.uses(parts).uses, key=lambda use: not use.sure):
        path, name = use.used.path, use.used.name
        outer = found.get((path, name.rpartition(".")[0]), ())
        if use.path != path and (use.sure or use.path in outer):
            found.setdefault((path, name), set()).add(use.path)
    return dict(found)


class Interfaces:
    """The public parts of nodes that matter to a reader."""

    def __init__(self, graph: Graph, parts: PublicParts) -> None:
        self._graph = graph
        self._parts = parts

    def public(self, node: str) -> tuple[PublicPart, ...]:
        """Return all public parts of a node, the most used ones first."""
        return self._parts.get(node, ())

    def used_by_others(self, node: str) -> tuple[PublicPart, ...]:
        """Return the parts of a node that others use or declare to use; if there are none, all."""
        consumed = self._consumed.get(node, ())
        declared = {part for name in consumed for part in _named(self.public(node), name)}
        used = tuple(
            part
            for part in self.public(node)
            if part in declared or any(user != node for user in part.nodes)
        )
        return used or self.public(node)

    @cached_property
    def _consumed(self) -> dict[str, dict[str, None]]:
        """The names that other nodes declare to use of each node."""
        found: dict[str, dict[str, None]] = {}
        for node in self._graph.nodes:
            for relation in node.relations:
                if relation.target.text != node.path:
                    found.setdefault(relation.target.text, {}).update(
                        dict.fromkeys(relation.consumes)
                    )
        return found

    def inside(self, node: str) -> tuple[PublicPart, ...]:
        """Return all public parts of a node and of those inside it, the most used ones first."""
        nodes = self._nodes_inside.get(node, ())
        return _sorted(part for other in nodes for part in self._parts[other])

    @cached_property
    def _nodes_inside(self) -> dict[str, list[str]]:
        """Each node with those inside it, and itself."""
        found: dict[str, list[str]] = {}
        for node in self._parts:
            for path in (node, *paths.lineage(node)):
                found.setdefault(path, []).append(node)
        return found

    def used_by(self, node: str, target: str, consumes: Iterable[str]) -> tuple[PublicPart, ...]:
        """Return the parts of a node that another one declares to use, or else uses in its code.

        A relation to a node covers the code of the nodes inside it.
        """
        public = self.inside(target)
        named = {part for name in consumes for part in _named(public, name)}
        if named:
            return tuple(part for part in public if part in named)
        return tuple(part for part in public if node in part.nodes)


def _named(public: Sequence[PublicPart], consumed: str) -> list[PublicPart]:
    """Return the parts of a name under `consumes`; if there are none, those that end so."""
    name = consumed.partition("(")[0].strip().replace("::", ".").replace("#", ".")
    whole = [part for part in public if part.name == name]
    return whole or [part for part in public if part.name.endswith(f".{name}")]
