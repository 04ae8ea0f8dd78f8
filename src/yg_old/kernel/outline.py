"""Outlines: the pieces of a package with their sizes, each with the selector that shows it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from yg_old.kernel.document import Count, Record, Text, about
from yg_old.kernel.selection import headings_of
from yg_old.text.escapes import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yg_old.kernel.package import Document
    from yg_old.kernel.parts import Package, Part

LARGE = 4_000  # tokens; the outline of a larger package has at most a tenth of its size
SHARE = 10
DEEPEST = 3  # level of the headings that are listed
BLOCK, DOCUMENT, HEADING = 0, 1, 2  # depths


class Piece(Record, frozen=True, kw_only=True):
    """A block, a document or a section of a package."""

    selector: Annotated[Text, about("What shows it with `--only`.")]
    depth: Annotated[Count, about("0 for a block, 1 for a document, from 2 for a heading.")]
    tokens: Annotated[Count, about("Its size in tokens, with what is inside it.")]
    note: Annotated[Text | UnsetType, about("Why its text is left out.")] = UNSET


def outline_of(package: Package, reserved: int) -> tuple[tuple[Piece, ...], int]:
    """Return the pieces of a package to list, and the number of those that are left out.

    `reserved` characters of the outline are for other lines.
    """
    pieces = _pieces(package)
    if package.tokens <= LARGE:
        return pieces, 0
    room = package.characters // SHARE - reserved
    listed = _shortened(pieces, room, len(f"{package.tokens}  \n"))
    return listed, len(pieces) - len(listed)


def lines_of(pieces: Iterable[Piece]) -> Iterator[tuple[int, str]]:
    """Yield the tokens of each piece, and its selector without that of the piece around it."""
    around = ["", ""]  # the selectors of the last block and of its last document
    for piece in pieces:
        depth = min(piece.depth, HEADING)
        own = piece.selector.removeprefix(around[depth - 1]) if depth else piece.selector
        around[depth:] = [piece.selector] * (2 - depth)
        note = f" ({visible(piece.note)})" if piece.note else ""
        yield piece.tokens, f"{'  ' * piece.depth}{visible(own)}{note}"


def _pieces(package: Package) -> tuple[Piece, ...]:
    """Return all pieces in order; those with the same selector are one."""
    numbers = Counter(part.address[0] for part in package.parts)
    found: dict[str, Piece] = {}
    for part in package.parts:
        kind, subject = part.address
        if subject in package.node_ids and numbers[kind] == 1:
            subject = ""  # clear without it
        for piece in () if part.is_listing else _pieces_of(package, part, kind, subject):
            before = found.get(piece.selector)
            tokens = piece.tokens + (before.tokens if before else 0)
            found[piece.selector] = replace(piece, tokens=tokens)
    return tuple(found.values())


def _pieces_of(package: Package, part: Part, kind: str, subject: str) -> Iterator[Piece]:
    block = f"{kind}:{subject}" if subject or part.documents else kind
    note = f"{part.SAME} {part.same_as}" if part.same_as else UNSET
    yield Piece(selector=block, depth=BLOCK, tokens=package.size_of(part), note=note)
    for document in part.documents:
        yield from _document_pieces(package, document, f"{block}:{document.name}")


def _document_pieces(package: Package, document: Document, selector: str) -> Iterator[Piece]:
    yield Piece(
        selector=selector,
        depth=DOCUMENT,
        tokens=package.size_of(document),
        note=document.omission or UNSET,
    )
    listed = [section for section in headings_of(document) if section.level <= DEEPEST]
    highest = min((section.level for section in listed), default=0)
    for section in listed:
        text = document.body[section.start : section.end]
        yield Piece(
            selector=f"{selector}#{section.title}",
            depth=HEADING + section.level - highest,
            tokens=package.tokens_of(text),
        )


def _shortened(pieces: tuple[Piece, ...], limit: int, margin: int) -> tuple[Piece, ...]:
    """Leave out the smallest headings, then the smallest documents, then name kinds of blocks."""
    lengths = [margin + len(line) for _, line in lines_of(pieces)]
    total = sum(lengths)
    left_out: set[int] = set()
    # The last of those with one size come first, so that what is inside goes before what is around.
    order = sorted(
        (at for at, piece in enumerate(pieces) if piece.depth),
        key=lambda at: (-min(pieces[at].depth, HEADING), pieces[at].tokens, -at),
    )
    for at in order:
        if total <= limit:
            break
        left_out.add(at)
        total -= lengths[at]
    listed = tuple(piece for at, piece in enumerate(pieces) if at not in left_out)
    return listed if total <= limit else _kinds(listed)


def _kinds(blocks: Iterable[Piece]) -> tuple[Piece, ...]:
    """Return one piece for the blocks of each kind."""
    tokens: Counter[str] = Counter()
    for piece in blocks:
        tokens[piece.selector.partition(":")[0]] += piece.tokens
    return tuple(Piece(selector=kind, depth=BLOCK, tokens=size) for kind, size in tokens.items())
