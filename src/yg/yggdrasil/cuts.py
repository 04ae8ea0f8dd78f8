"""Cutting documents from a package until it fits a number of tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.escapes import shell_quoted
from yg.kernel.fit import Group, Piece, cut_order, cut_to_fit, no_room
from yg.kernel.package import CHARACTERS_PER_TOKEN
from yg.yggdrasil.model import (
    DESCRIPTION_FILE,
    INTERFACE_FILE,
    NODE_FILE,
    RESPONSIBILITY_FILE,
)
from yg.yggdrasil.package import Block, BlockKind, Cut, Fit, Omission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from yg.kernel.package import Document
    from yg.yggdrasil.model import CutPattern
    from yg.yggdrasil.package import ContextPackage

NEVER = 0
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


class _Place(Struct, frozen=True):
    """The place of a document in a package, and its line in the list of cuts."""

    block: int
    document: int
    cut: Cut


def fit_package(
    package: ContextPackage,
    budget: int,
    patterns: Sequence[CutPattern] | None,
    options: Sequence[str] = (),
) -> ContextPackage:
    """Cut documents until a package fits; raise NoRoomError if that is impossible.

    `patterns` replace the standard order. `options` are added to the commands that show what was
    cut.
    """
    order = cut_order(_pieces(package, patterns, options))
    floor = _without(package, order)
    before, least = package.tokens, min(package, floor, key=lambda whole: whole.tokens)
    if least.tokens > budget:
        raise no_room(budget, least.tokens, _sizes(least), least.budget.unit)
    chosen: Sequence[Piece[_Place]] = ()
    fitted = package
    groups = tuple(_groups(package, floor, order))
    limit = budget if package.budget.tokenizer else budget * CHARACTERS_PER_TOKEN
    while fitted.tokens > budget:
        chosen = cut_to_fit(order, groups, floor.cost, limit, listing=package.listing_cost)
        fitted = _without(package, chosen)
        limit -= max(1, fitted.tokens - budget)  # again only if a tokenizer counts
    cuts = tuple(piece.value.cut for piece in chosen)
    return replace(fitted, fit=Fit(budget=budget, before=before, floor=least.tokens, cuts=cuts))


def _pieces(
    package: ContextPackage, patterns: Sequence[CutPattern] | None, options: Sequence[str]
) -> Iterator[Piece[_Place]]:
    """Yield the documents that can be cut."""
    position = -1
    for at, block in enumerate(package.blocks):
        for index, document in enumerate(block.documents):
            position += 1
            step = cut_step(block, index, document, patterns)
            if step == NEVER or document.as_in:
                continue
            cut = Cut(
                block=block,
                document=document,
                tokens=_text_tokens(package, document),
                step=step,
                command=_command(package, block, options),
            )
            yield Piece(
                value=_Place(at, index, cut),
                step=step,
                position=position,
                cost=package.document_cost(block, document),
                line=package.line_cost(cut.line),
                group=at,
                trim=package.trim(block, document),
            )


def _text_tokens(package: ContextPackage, document: Document) -> int:
    """Return the size of a document without its heading."""
    start = len(document.heading)
    return package.budget.measure(document.characters - start, lambda: document.text[start:])


def cut_step(
    block: Block, index: int, document: Document, patterns: Sequence[CutPattern] | None
) -> int:
    """Return the step in which a document is cut; NEVER if it is always kept."""
    name = document.name
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


def _command(package: ContextPackage, block: Block, options: Sequence[str]) -> str:
    """Return a command that shows a block, from the first package that has it."""
    node = block.nodes[0] if block.nodes else package.nodes[0].path
    words = (node, "--only", f"{block.kind.word}:{block.subject}", *options)
    return " ".join(["yg build-context", *map(shell_quoted, words)])


def _without(package: ContextPackage, pieces: Iterable[Piece[_Place]]) -> ContextPackage:
    """Cut documents from a package, and list them in its last block."""
    places = [piece.value for piece in sorted(pieces, key=lambda piece: piece.position)]
    if not places:
        return package
    gone: dict[int, set[int]] = {}
    for place in places:
        gone.setdefault(place.block, set()).add(place.document)
    blocks = [
        _without_documents(block, gone[at]) if at in gone else block
        for at, block in enumerate(package.blocks)
    ]
    cuts = [place.cut for place in places]
    omissions = (
        Omission(block=cut.block, document=cut.document, reason=f"--fit: step {cut.step}")
        for cut in cuts
    )
    return replace(
        package,
        blocks=(*blocks, _listing(cuts)),
        omissions=(*package.omissions, *omissions),
    )


def _without_documents(block: Block, gone: set[int]) -> Block:
    kept = (document for at, document in enumerate(block.documents) if at not in gone)
    return replace(block, documents=tuple(kept))


def _listing(cuts: Sequence[Cut]) -> Block:
    return Block(
        kind=BlockKind.LEFT_OUT,
        subject="",
        attributes=(("tokens", str(sum(cut.tokens for cut in cuts))),),
        opening=tuple(cut.line for cut in cuts),
        reasons=("--fit",),
    )


def _groups(
    package: ContextPackage, floor: ContextPackage, order: Iterable[Piece[_Place]]
) -> Iterator[Group]:
    """Yield the state of each block in which everything is cut that can be."""
    cut = {piece.position for piece in order}
    position = -1
    for full, rest in zip(package.blocks, floor.blocks, strict=False):
        last = -1
        for _ in full.documents:
            position += 1
            last = last if position in cut else position
        trim = package.trim(rest, rest.documents[-1]) if rest.documents else 0
        yield Group(first=package.first_cost(rest), last=last, trim=trim)


def _sizes(floor: ContextPackage) -> Iterator[tuple[str, int]]:
    """Yield the blocks with their sizes."""
    for block in floor.blocks:
        if block.has_content:
            yield _part_name(block), _block_tokens(floor, block)


def _block_tokens(package: ContextPackage, block: Block) -> int:
    return package.budget.measure(block.characters, lambda: block.text)


def _part_name(block: Block) -> str:
    return "list of cuts" if block.is_listing else block.label
