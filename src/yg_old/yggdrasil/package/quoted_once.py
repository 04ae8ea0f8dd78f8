"""Documents that several parts of a package refer to: quoted once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from yg_old.yggdrasil.block_kind import BlockKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.package import Document
    from yg_old.yggdrasil.package.blocks import Block


def quoted_once(blocks: Iterable[Block]) -> Iterator[Block]:
    """Keep the first of equal documents; the others name the block that has it."""
    shown: dict[str, str] = {}
    for block in blocks:
        is_own = block.kind is BlockKind.OWN
        if not is_own and block.kind is not BlockKind.ASPECT:
            yield block
            continue
        where = block.subject if is_own else block.label
        documents = tuple(_short(document, shown, where) for document in block.documents)
        yield block if documents == block.documents else replace(block, documents=documents)


def _short(document: Document, shown: dict[str, str], where: str) -> Document:
    if not document.reference or document.as_in:
        return document
    if document.reference in shown:
        return replace(document, as_in=shown[document.reference])
    shown[document.reference] = where
    return document
