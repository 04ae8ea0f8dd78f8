"""The package of several nodes: the blocks of their packages, each document once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.kernel.escapes import visible
from yg.kernel.paths import ROOT, root_first
from yg.yggdrasil.package import BlockKind, Omission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.yggdrasil.package import AspectException, Block, ContextPackage

_OF_ONE_NODE = (BlockKind.OWN, BlockKind.TARGET, BlockKind.DEPENDENCY, BlockKind.EVENT)


def combine(packages: Sequence[ContextPackage], order: Sequence[BlockKind]) -> ContextPackage:
    """Combine the packages of some nodes into one; `order` is that of the kinds of blocks."""
    if len(packages) == 1:
        return packages[0]
    nodes = {node.path: node for package in packages for node in package.nodes}
    blocks = [block for package in packages for block in _blocks(package)]
    merged = [*_shared(blocks, tuple(nodes)), *_of_one_node(blocks)]
    ordered = sorted(merged, key=lambda block: _place(block, order))
    referring = tuple(_refer(ordered, frozenset(nodes)))
    return replace(
        packages[0],
        nodes=tuple(nodes.values()),
        blocks=referring,
        has_limit=any(package.has_limit for package in packages),
        omissions=tuple(_omissions(ordered, referring)),
    )


def _blocks(package: ContextPackage) -> Iterator[Block]:
    """Yield the blocks of the package of one node, with the name of the node."""
    [node] = package.nodes
    attributes = {
        BlockKind.OWN: (("node-path", node.path), ("node-name", node.name)),
        **dict.fromkeys(_OF_ONE_NODE[1:], (("node-path", node.path),)),
    }
    for block in package.blocks:
        first = attributes.get(block.kind, ())
        yield replace(block, nodes=(node.path,), attributes=(*first, *block.attributes))


def _of_one_node(blocks: Iterable[Block]) -> Iterator[Block]:
    """Yield the blocks that belong to one node each; a relation names its node as a reason."""
    for block in blocks:
        if block.kind in (BlockKind.OWN, BlockKind.TARGET):
            yield block
        elif block.kind in _OF_ONE_NODE:
            yield replace(block, reasons=_reasons((block,)))


def _shared(blocks: Iterable[Block], nodes: tuple[str, ...]) -> Iterator[Block]:
    """Yield the blocks that several packages can have, each once."""
    found: dict[tuple[BlockKind, str], list[Block]] = {}
    for block in blocks:
        if block.kind not in _OF_ONE_NODE:
            found.setdefault((block.kind, block.subject), []).append(block)
    named = frozenset(nodes)
    for (kind, subject), same in found.items():
        match kind:
            case BlockKind.HIERARCHY:
                if subject not in named:
                    yield replace(same[0], nodes=_nodes(same))
            case BlockKind.ASPECT:
                yield _aspect(same, nodes)
            case BlockKind.FLOW:
                yield replace(same[0], nodes=_nodes(same), reasons=_reasons(same))
            case _:
                lines = tuple(dict.fromkeys(line for block in same for line in block.closing))
                yield replace(same[0], closing=lines, left_out=lines, nodes=_nodes(same))


def _aspect(same: Sequence[Block], nodes: tuple[str, ...]) -> Block:
    """Merge the blocks of an aspect; name the nodes it applies to unless these are all."""
    applies = _nodes(same)
    named = () if applies == nodes else (("nodes", ", ".join(applies)),)
    return replace(
        same[0],
        attributes=(*same[0].attributes, *named),
        exceptions=tuple(_exceptions(same, frozenset(nodes))),
        nodes=applies,
        reasons=_reasons(same),
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


def _nodes(same: Iterable[Block]) -> tuple[str, ...]:
    return tuple(node for block in same for node in block.nodes)


def _reasons(same: Iterable[Block]) -> tuple[str, ...]:
    return tuple(f"{block.nodes[0]}: {reason}" for block in same for reason in block.reasons)


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
            yield Omission(block=block, document=document, reason=f"see {shown.see}")
