"""What a reader has already: blocks and documents of other packages are left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg.yggdrasil.package import BlockKind, Omission

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from yg.kernel.package import Document
    from yg.yggdrasil.package import Block, ContextPackage

_WHOLE = (BlockKind.HIERARCHY, BlockKind.ASPECT, BlockKind.FLOW)  # left out as a whole if the same


def leave_out_known(package: ContextPackage, known: Sequence[ContextPackage]) -> ContextPackage:
    """Leave out what the packages that the reader has contain; the first that has it is named.

    All packages come from one snapshot, so the same file has the same text.
    """
    blocks: dict[tuple[object, ...], str] = {}
    files: dict[str, str] = {}
    for other in known:
        [node] = other.nodes
        for block in other.blocks:
            blocks.setdefault(_written(block), node.path)
            for document in block.documents:
                files.setdefault(document.source.path, node.path)
    shown = [_shortened(block, blocks, files) for block in package.blocks]
    omissions = _omissions(zip(package.blocks, shown, strict=True))
    return replace(package, blocks=tuple(shown), omissions=(*package.omissions, *omissions))


def _written(block: Block) -> tuple[object, ...]:
    """Return everything that decides how a block is written, except the nodes it applies to."""
    attributes = tuple(attribute for attribute in block.attributes if attribute[0] != "nodes")
    files = tuple(document.source.path for document in block.documents)
    lines = (block.lines_before, block.lines_after)
    return block.kind, block.subject, attributes, lines, files


def _shortened(block: Block, blocks: dict[tuple[object, ...], str], files: dict[str, str]) -> Block:
    if block.kind is BlockKind.OWN:
        return block
    if block.kind in _WHOLE and (node := blocks.get(_written(block))):
        return replace(
            block, opening=(), documents=(), closing=(), exceptions=(), left_out=(), same_as=node
        )
    documents = tuple(
        replace(document, as_in=files.get(document.source.path, "")) for document in block.documents
    )
    return replace(block, documents=documents)


def _omissions(pairs: Iterable[tuple[Block, Block]]) -> Iterable[Omission]:
    for full, shown in pairs:
        if shown.same_as:
            yield Omission(block=full, reason=f"same as in {shown.same_as}")
            continue
        for document, kept in zip(full.documents, shown.documents, strict=True):
            if kept.as_in:
                yield _known_document(full, document, kept.as_in)


def _known_document(block: Block, document: Document, node: str) -> Omission:
    return Omission(block=block, document=document, reason=f"as in {node}")
