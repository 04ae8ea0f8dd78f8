"""Stale blocks: what a package says about texts whose code has changed since they were confirmed.

A block stands before the block that quotes the texts of a node. It lists the sentences that may be
untrue, and shows the changed code, up to a limit for the whole package.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg_old.code.change_class import ChangeClass, NameChangeKind
from yg_old.kernel.package import Document
from yg_old.kernel.snapshot import given_text
from yg_old.text.escapes import visible
from yg_old.text.plural import counted
from yg_old.yggdrasil.block_kind import BlockKind, Role
from yg_old.yggdrasil.package.blocks import Block

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from yg_old.yggdrasil.package.blocks import ContextPackage

WARNING = "The code changed after these texts were confirmed. Where they differ, the code is right."
MISSING = "missing"  # instead of a class, if the files of the node are gone
MOST_SENTENCES = 10
MOST_PARTS = 40  # of one node; the rest is counted
PartKey = tuple[str, str]  # the path and the name of a part


_ROLES = {
    BlockKind.OWN: Role.OWN,
    BlockKind.DEPENDENCY: Role.DEPENDENCY,
    BlockKind.HIERARCHY: Role.ANCESTOR,
}


class StalePart(Struct, frozen=True, kw_only=True):
    """A changed part of a source file."""

    name: str
    path: str
    change: NameChangeKind
    kind: ChangeClass
    is_public: bool
    is_outside: bool = False  # what is outside of all declarations of a file
    first: int = 0
    last: int = 0
    code: str = ""  # as it is shown; empty if the part is gone, or its text is not known

    @property
    def heading(self) -> str:
        """The heading of the part, without its marks."""
        path, name = visible(self.path), visible(self.name)
        if self.is_outside:
            return f"{path} ({self.change})"
        if self.change is NameChangeKind.REMOVED or not self.first:
            return f"{path}: {name} ({self.change})"
        return f"{path}:{self.first}-{self.last} {name} ({self.change})"

    @property
    def key(self) -> PartKey:
        """What identifies it among the parts of its node."""
        return self.path, self.name


class StaleSentence(Struct, frozen=True):
    """A sentence that may be untrue, as a line of the list."""

    file: str  # of the graph
    line: str
    parts: frozenset[PartKey]  # that it mentions


class StaleNode(Struct, frozen=True, kw_only=True):
    """A node whose code changed after its texts were confirmed."""

    node: str
    changes: str  # the highest class, or 'missing'
    parts: tuple[StalePart, ...]  # by path and line, those that are gone at last
    sentences: tuple[StaleSentence, ...] = ()  # the strongest evidence first


def quoted_nodes(packages: Iterable[ContextPackage]) -> tuple[str, ...]:
    """Return the nodes of this repository whose texts packages quote, in order."""
    quoting = (
        block.subject
        for package in packages
        for block in package.parts
        if block.kind in _ROLES and not block.contract
    )
    return tuple(dict.fromkeys(quoting))


def with_stale(
    package: ContextPackage, found: Mapping[str, StaleNode], limit: int
) -> ContextPackage:
    """Add a block for each node whose texts are quoted and whose code has changed.

    `limit` is the number of tokens for code in all blocks.
    """
    if not any(block.subject in found for block in package.parts):
        return package
    quoted = frozenset(
        document.source.path for block in package.parts for document in block.documents
    )
    drawn: dict[str, _Drawn] = {}
    for block in package.parts:
        role, stale = _ROLES.get(block.kind), found.get(block.subject)
        if role is not None and stale is not None and not block.contract:
            if stale.node not in drawn:
                files = quoted if role is not Role.DEPENDENCY else frozenset(_files(block))
                drawn[stale.node] = _Drawn(stale, role, files)
            drawn[stale.node].consumed.append(block.consumes)
    shown = _within(package, drawn.values(), limit)
    parts: list[Block] = []
    for block in package.parts:
        is_quoting = block.kind in _ROLES and not block.contract
        stale_block = drawn.pop(block.subject, None) if is_quoting else None
        if stale_block is not None:
            parts.append(stale_block.block(shown, block.nodes))
        parts.append(block)
    nodes = tuple(block.subject for block in parts if block.kind is BlockKind.STALE)
    return replace(package, parts=tuple(parts), stale=nodes)


def _files(block: Block) -> Iterator[str]:
    return (document.source.path for document in block.documents)


class _Drawn:
    """The block of one node, before it is decided which code is shown."""

    def __init__(self, stale: StaleNode, role: Role, files: frozenset[str]) -> None:
        self.role = role
        self._stale = stale
        sentences = [sentence for sentence in stale.sentences if sentence.file in files]
        self._lines = tuple(sentence.line for sentence in sentences[:MOST_SENTENCES])
        self._mentioned = frozenset(key for sentence in sentences for key in sentence.parts)
        self.consumed: list[tuple[str, ...]] = []  # of each relation; empty: everything

    @property
    def parts(self) -> Sequence[StalePart]:
        """The parts that matter to the reader, in order."""
        wanted = [part for part in self._stale.parts if self._matters(part)]
        return wanted[:MOST_PARTS]

    def _matters(self, part: StalePart) -> bool:
        if self.role is not Role.DEPENDENCY or part.is_outside:
            return True
        if not all(self.consumed):
            return part.is_public
        return any(_concerns(part.name, name) for names in self.consumed for name in names)

    def rank(self, part: StalePart) -> tuple[bool, bool, Role]:
        """Return the order in which code is shown while there is room."""
        return part.key not in self._mentioned, part.kind is not ChangeClass.SIGNATURE, self.role

    def block(self, shown: Collection[StalePart], nodes: tuple[str, ...]) -> Block:
        """Return the block; `shown` are the parts whose code is shown."""
        stale = self._stale
        others = len(stale.parts) - len(self.parts)
        return Block(
            kind=BlockKind.STALE,
            subject=stale.node,
            attributes=(("node-path", stale.node), ("changes", stale.changes)),
            opening=(WARNING, *self._lines),
            documents=tuple(_document(part, is_shown=part in shown) for part in self.parts),
            closing=(f"{counted(others, 'other part')} changed.",) if others else (),
            reasons=("drift",),
            nodes=nodes,
            role=self.role,
        )


def _concerns(part: str, consumed: str) -> bool:
    """Return whether a consumed name is a part, is inside of it, or contains it."""
    name = consumed.partition("(")[0].strip().replace("::", ".").replace("#", ".")
    return part == name or name.startswith(f"{part}.") or part.startswith(f"{name}.")


def _document(part: StalePart, *, is_shown: bool) -> Document:
    code = part.code if is_shown else ""
    return Document(part.heading, given_text(part.path, code), is_escaped=True)


def _within(package: ContextPackage, drawn: Iterable[_Drawn], limit: int) -> set[StalePart]:
    """Return the parts whose code is shown: the most important ones, while there is room."""
    candidates = [(block.rank(part), part) for block in drawn for part in block.parts if part.code]
    room = limit
    shown: set[StalePart] = set()
    for _, part in sorted(candidates, key=lambda candidate: candidate[0]):
        tokens = package.budget.measure(len(part.code), partial(str, part.code))
        if tokens <= room:
            room -= tokens
            shown.add(part)
    return shown
