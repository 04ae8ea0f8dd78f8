"""The public names of the code of nodes that matter to others, the most used ones first."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from yg.yggdrasil.code.named_parts import NamedPart
from yg.yggdrasil.code.uses import NodeUses

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from yg.yggdrasil.code.imports import NodeImports
    from yg.yggdrasil.graph import Graph


class Interface(Struct, frozen=True):
    """Public parts of a node, the most used ones first."""

    parts: tuple[NamedPart, ...]
    public: int  # how many public parts the node has


class Interfaces:
    """The interfaces of nodes: what is public in their code, and who uses it."""

    def __init__(self, graph: Graph, imports: NodeImports) -> None:
        self._graph = graph
        self._imports = imports
        self._uses = NodeUses(imports)
        self._public: dict[str, tuple[NamedPart, ...]] = {}
        self._users: dict[str, Mapping[tuple[str, str], Collection[str]]] = {}

    def of(self, node: str, *, only_used: bool) -> Interface:
        """Return the public parts of a node; only those that other nodes use, if there are any."""
        public, users = self.public(node), self._users_of(node)
        if only_used:
            names = self._consumed.get(node, ())
            declared = {part for name in names for part in self._named(node, name)}
            used = [part for part in public if part in declared or self._has_others(part, users)]
            return self._ordered(node, used or public)
        return self._ordered(node, public)

    def used_by(self, node: str, target: str, consumes: Iterable[str]) -> Interface:
        """Return the parts of a node that another one declares to use, or else uses in its code."""
        named = [part for name in consumes for part in self._named(target, name)]
        if named:
            return self._ordered(target, dict.fromkeys(named))
        files, users = frozenset(self._files.get(node, ())), self._users_of(target)
        used = [part for part in self.public(target) if not files.isdisjoint(_of(part, users))]
        return self._ordered(target, used)

    def public(self, node: str) -> tuple[NamedPart, ...]:
        """Return the public parts of a node, by place."""
        if node not in self._public:
            self._public[node] = tuple(
                sorted(
                    NamedPart(file, part.first, part.last, name, node)
                    for file in self._files.get(node, ())
                    if (facts := self._imports.facts_of(file)) is not None
                    for name, part in facts.parts.items()
                    if name in facts.signatures
                )
            )
        return self._public[node]

    def _ordered(self, node: str, parts: Iterable[NamedPart]) -> Interface:
        users = self._users_of(node)
        ordered = sorted(parts, key=lambda part: (-len(_of(part, users)), part))
        return Interface(tuple(ordered), len(self.public(node)))

    def _named(self, node: str, consumed: str) -> list[NamedPart]:
        """Return the public parts of a name under `consumes`; if there are none, that end so."""
        name = consumed.partition("(")[0].strip().replace("::", ".").replace("#", ".")
        public = self.public(node)
        whole = [part for part in public if part.name == name]
        return whole or [part for part in public if part.name.endswith(f".{name}")]

    def _has_others(
        self, part: NamedPart, users: Mapping[tuple[str, str], Collection[str]]
    ) -> bool:
        owners = (self._imports.owners.get(file) for file in _of(part, users))
        return any(owner not in (None, part.node) for owner in owners)

    def _users_of(self, node: str) -> Mapping[tuple[str, str], Collection[str]]:
        """Return the other files that use each public part of a node.

        What may be a member counts in files that use what it is a member of.
        """
        if node not in self._users:
            found: dict[tuple[str, str], set[str]] = {}
            uses = self._uses.uses(self.public(node)).uses
            for use in sorted(uses, key=lambda use: not use.sure):
                path, name = use.used.path, use.used.name
                outer = found.get((path, name.rpartition(".")[0]), ())
                if use.path != path and (use.sure or use.path in outer):
                    found.setdefault((path, name), set()).add(use.path)
            self._users[node] = found
        return self._users[node]

    @cached_property
    def _files(self) -> dict[str, list[str]]:
        """The source files of each node in languages that can be read."""
        found: dict[str, list[str]] = {}
        for file, owner in self._imports.owners.items():
            found.setdefault(owner, []).append(file)
        return found

    @cached_property
    def _consumed(self) -> dict[str, list[str]]:
        """The names that other nodes declare to use, by node."""
        found: dict[str, list[str]] = {}
        for node in self._graph.nodes:
            for relation in node.relations:
                if relation.target.text != node.path:
                    found.setdefault(relation.target.text, []).extend(relation.consumes)
        return found


def _of(part: NamedPart, users: Mapping[tuple[str, str], Collection[str]]) -> Collection[str]:
    return users.get((part.path, part.name), ())
