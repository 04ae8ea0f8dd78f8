"""The package of several nodes: the blocks of their packages, each document once."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.kernel.parts import Omission
from yg_old.kernel.view import merged, named_reasons, nodes_of
from yg_old.text.escapes import visible
from yg_old.text.paths import ROOT, root_first
from yg_old.yggdrasil.block_kind import BlockKind
from yg_old.yggdrasil.package.quoted_once import quoted_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from yg_old.yggdrasil.package.blocks import AspectException, Block, ContextPackage, PackageNode

_OF_ONE_NODE = (BlockKind.OWN, BlockKind.TARGET, BlockKind.DEPENDENCY, BlockKind.EVENT)


def combine(packages: Sequence[ContextPackage], order: Sequence[BlockKind]) -> ContextPackage:
    """Combine the packages of some nodes into one; `order` is that of the kinds of blocks."""
    if len(packages) == 1:
        return packages[0]
    nodes = {node.path: node for package in packages for node in package.nodes}
    parts = {package.nodes[0].path: package.parts for package in packages}
    blocks = merged(parts, _key, partial(_merge, nodes=nodes))
    ordered = sorted(blocks, key=lambda block: _place(block, order))
    referring = tuple(quoted_once(_refer(ordered, frozenset(nodes))))
    return replace(
        packages[0],
        nodes=tuple(nodes.values()),
        parts=referring,
        has_limit=any(package.has_limit for package in packages),
        omissions=tuple(_omissions(ordered, referring)),
    )


def _key(block: Block) -> tuple[BlockKind, str] | None:
    """Return what blocks have in common that stand once for several nodes."""
    return None if block.kind in _OF_ONE_NODE else (block.kind, block.subject)


def _merge(same: Sequence[Block], nodes: Mapping[str, PackageNode]) -> Block | None:
    """Merge the blocks of several nodes; an ancestor that is one of them is not repeated."""
    first = same[0]
    match first.kind:
        case BlockKind.HIERARCHY:
            return None if first.subject in nodes else replace(first, nodes=nodes_of(same))
        case BlockKind.ASPECT:
            return _aspect(same, tuple(nodes))
        case BlockKind.FLOW:
            return replace(first, nodes=nodes_of(same), reasons=named_reasons(same))
        case BlockKind.GLOBAL:
            lines = tuple(dict.fromkeys(line for block in same for line in block.closing))
            return replace(first, closing=lines, left_out=lines, nodes=nodes_of(same))
        case _:
            return _of_one_node(first, nodes[first.nodes[0]])


def _of_one_node(block: Block, node: PackageNode) -> Block:
    """Name the node that has a block; a relation names it as a reason, too."""
    names = (("node-name", node.name),) if block.kind is BlockKind.OWN else ()
    is_relation = block.kind in (BlockKind.DEPENDENCY, BlockKind.EVENT)
    return replace(
        block,
        attributes=(("node-path", node.path), *names, *block.attributes),
        reasons=named_reasons((block,)) if is_relation else block.reasons,
    )


def _aspect(same: Sequence[Block], nodes: tuple[str, ...]) -> Block:
    """Merge the blocks of an aspect; name the nodes it applies to unless these are all."""
    applies = nodes_of(same)
    named = () if applies == nodes else (("nodes", ", ".join(applies)),)
    return replace(
        same[0],
        attributes=(*same[0].attributes, *named),
        exceptions=tuple(_exceptions(same, frozenset(nodes))),
        nodes=applies,
        reasons=named_reasons(same),
    )


def _exceptions(same: Sequence[Block], nodes: frozenset[str]) -> Iterator[AspectException]:
    """Yield the exceptions of the nodes themselves, then those of other ancestors, each once."""
    inherited: dict[AspectException, None] = {}
    for block in same:
        [node] = block.nodes
        for exception in block.exceptions:
            if exception.node == node:
                yield replace(exception, whose=f"for {visible(node)}")
            elif exception.node not in nodes:
                inherited[exception] = None
    yield from inherited


def _place(block: Block, order: Sequence[BlockKind]) -> tuple[int, tuple[bool, str]]:
    """Return the place of a block; blocks of the same place keep their order.

    Ancestors and flows come by path. If a target follows the artifacts of its node in a package of
    one node, it does so in a package of several.
    """
    kind = block.kind
    rank = order.index(kind)
    if kind is BlockKind.TARGET and order[rank - 1] is BlockKind.OWN:
        rank -= 1
    is_sorted = kind in (BlockKind.HIERARCHY, BlockKind.FLOW)
    return rank, root_first(block.subject if is_sorted else ROOT)


def _refer(blocks: Iterable[Block], nodes: frozenset[str]) -> Iterator[Block]:
    """Replace the documents of a dependency that another block has by a reference to it."""
    shown = {node: f"{BlockKind.OWN} of {visible(node)}" for node in nodes}
    waiting = list(blocks)
    for block in waiting:
        if block.kind is BlockKind.HIERARCHY:
            shown[block.subject] = f"{BlockKind.HIERARCHY} {visible(block.subject)}/"
    for block in waiting:
        if block.kind is not BlockKind.DEPENDENCY or not block.documents:
            yield block
        elif block.subject in shown:
            yield replace(block, documents=(), see=shown[block.subject])
        else:
            shown[block.subject] = f"{BlockKind.DEPENDENCY} of {visible(block.nodes[0])}"
            yield block


def _omissions(full: Iterable[Block], referring: Iterable[Block]) -> Iterator[Omission]:
    for block, shown in zip(full, referring, strict=True):
        for document in block.documents if shown.see else ():
            yield Omission(part=block, document=document, reason=f"see {shown.see}")
