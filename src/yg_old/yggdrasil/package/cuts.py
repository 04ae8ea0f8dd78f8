"""Which documents of a package can be cut so that it fits, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from yg_old.kernel.cuts import Cuttable
from yg_old.text.escapes import visible
from yg_old.yggdrasil.block_kind import BlockKind, Role
from yg_old.yggdrasil.model import (
    DESCRIPTION_FILE,
    INTERFACE_FILE,
    NODE_FILE,
    RESPONSIBILITY_FILE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from yg_old.kernel.package import Document
    from yg_old.yggdrasil.model import CutPattern
    from yg_old.yggdrasil.package.blocks import Block, ContextPackage

NEVER = 0
# Of the code of stale blocks, after all other documents of this step; then of code blocks.
STALE_STEP = CODE_STEP = 5
_TURNS = {
    BlockKind.STALE: {Role.ANCESTOR: 1, Role.DEPENDENCY: 2},
    BlockKind.CODE: {Role.DEPENDENCY: 3, Role.OWN: 4},
}
_CODE_NAMES = {Role.DEPENDENCY: "code of dependencies", Role.OWN: "code"}
_KEPT_OWN = (NODE_FILE, RESPONSIBILITY_FILE, INTERFACE_FILE)


class Steps(Struct, frozen=True):
    """When the documents of a kind of blocks are cut: the main one later than the others."""

    others: int
    main: int = NEVER
    main_name: str = ""


STANDARD_STEPS = {
    BlockKind.FLOW: Steps(1, 5, DESCRIPTION_FILE),
    BlockKind.DEPENDENCY: Steps(2, 6, INTERFACE_FILE),
    BlockKind.HIERARCHY: Steps(3, 7, RESPONSIBILITY_FILE),
    BlockKind.ASPECT: Steps(4),
    BlockKind.OWN: Steps(8),
}


def cuttable(package: ContextPackage, patterns: Sequence[CutPattern] | None) -> Iterator[Cuttable]:
    """Yield the documents that can be cut; `patterns` replace the standard order.

    The code of all dependencies is cut at once, and so is that of the nodes themselves.
    """
    code: dict[Role, list[int]] = {}
    for at, block in enumerate(package.parts):
        if block.kind is BlockKind.CODE:
            code.setdefault(block.role, []).append(at)
    for at, block in enumerate(package.parts):
        if code.get(block.role, [])[:1] == [at]:
            yield _code(block, code[block.role], patterns)
        for index, document in enumerate(block.documents):
            step = cut_step(block, index, document, patterns)
            if step != NEVER and not document.as_in:
                yield Cuttable(
                    places=(at,),
                    document=index,
                    subject=block.subject,
                    name=f"{block.label}: {visible(document.name)}",
                    step=step,
                    turn=cut_turn(block),
                )


def _code(first: Block, places: Sequence[int], patterns: Sequence[CutPattern] | None) -> Cuttable:
    is_one = len(places) == 1
    return Cuttable(
        places=tuple(places),
        subject=first.subject if is_one else "",
        name=first.label if is_one else _CODE_NAMES[first.role],
        step=code_step(patterns),
        turn=cut_turn(first),
    )


def code_step(patterns: Sequence[CutPattern] | None) -> int:
    """Return the step in which code blocks are cut."""
    return CODE_STEP if patterns is None else len(patterns) + 1


def cut_step(
    block: Block, index: int, document: Document, patterns: Sequence[CutPattern] | None
) -> int:
    """Return the step in which a document is cut; NEVER if it is always kept."""
    name = document.name
    if block.kind is BlockKind.STALE:
        is_kept = block.role is Role.OWN or not document.has_text
        return NEVER if is_kept else STALE_STEP if patterns is None else len(patterns) + 1
    is_first_of_aspect = block.kind is BlockKind.ASPECT and index == 0
    if is_first_of_aspect or (block.kind is BlockKind.OWN and name in _KEPT_OWN):
        return NEVER
    if patterns is not None:
        places = (
            place
            for place, pattern in enumerate(patterns, 1)
            if pattern.kind == block.kind.word and _matches(pattern.document, name)
        )
        return next(places, NEVER)
    steps = STANDARD_STEPS.get(block.kind)
    if steps is None:
        return NEVER
    return steps.main if name == steps.main_name else steps.others


def cut_turn(block: Block) -> int:
    """Return when it is the turn of a document or block in its step: code comes last."""
    return _TURNS.get(block.kind, {}).get(block.role, 0)


def _matches(pattern: str, name: str) -> bool:
    """Tell whether a name matches a pattern, in which `*` stands for any text."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == name
    *middle, last = rest
    end = len(name) - len(last)
    at = len(first)
    if at > end or not (name.startswith(first) and name.endswith(last)):
        return False
    for text in middle:
        found = name.find(text, at, end)
        if found == -1:
            return False
        at = found + len(text)
    return True
