"""Choice of the pieces of a package that are cut so that the rest fits a size.

Pieces are cut in order until the rest fits. After that, pieces that fit again are put back in
reverse order. This is the same as starting with all pieces cut and keeping, from the last in the
order to the first, each that still fits: the pieces kept before the first that does not fit are
those that were never cut.

A piece is longer than its line in the list of cuts, so keeping it makes the package larger. This is
why a larger limit never gives a smaller package: up to the first decision that differs, both limits
keep the same pieces; there, the larger limit keeps a piece that makes the package larger than the
smaller limit. The pieces kept need not be a superset: one long piece can take the place of short
ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from yg.kernel.errors import NoRoomError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")
PARTS_NAMED = 3  # of a package that is too large


class Piece(Struct, Generic[T], frozen=True, kw_only=True):
    """A piece of a package that is shown or cut as a whole; all sizes have the same unit."""

    value: T
    step: int  # of the order in which pieces are cut, from 1
    position: int  # in the package
    cost: int  # its size in the package
    line: int  # the size of its line in the list of cuts
    group: int = 0  # the part of the package that holds it
    trim: int = 0  # what its group saves if this piece is its last one

    @property
    def is_worth_cutting(self) -> bool:
        """Whether the piece is longer than its line in the list of cuts."""
        return self.cost > self.line


class Group(Struct, frozen=True, kw_only=True):
    """A part of the package that holds pieces, in the state in which all of them are cut."""

    first: int = 0  # what the first piece that is kept costs in addition
    last: int = -1  # the position of the last thing in it that is never cut
    trim: int = 0  # what the group saves because of that thing


def cut_order(pieces: Iterable[Piece[T]]) -> list[Piece[T]]:
    """Return the pieces that are worth cutting, in the order in which they are cut."""
    worth = [piece for piece in pieces if piece.is_worth_cutting]
    return sorted(worth, key=lambda piece: (piece.step, -piece.position))


def cut_to_fit(
    order: Sequence[Piece[T]], groups: Sequence[Group], floor: int, limit: int, *, listing: int
) -> tuple[Piece[T], ...]:
    """Return the pieces to cut, in the order of the package.

    `floor` is the size with all pieces cut, and at most `limit`. `listing` is the size of the list
    of cuts besides its lines; a package from which nothing is cut has no list.
    """
    cut: list[Piece[T]] = []
    size = floor
    waiting = len(order)
    states = list(groups)
    for piece in reversed(order):
        state = states[piece.group]
        waiting -= 1
        is_last = piece.position > state.last
        growth = piece.cost - piece.line + state.first
        growth += state.trim - piece.trim if is_last else 0
        growth -= 0 if cut or waiting else listing
        if size + growth > limit:
            cut.append(piece)
            continue
        size += growth
        states[piece.group] = Group(
            last=max(piece.position, state.last), trim=piece.trim if is_last else state.trim
        )
    return tuple(sorted(cut, key=lambda piece: piece.position))


def no_room(
    limit: int, floor: int, parts: Iterable[tuple[str, int]], unit: str = "tokens"
) -> NoRoomError:
    """Return the error for a floor above the limit; it names the largest of the parts."""
    largest = sorted(parts, key=lambda part: -part[1])[:PARTS_NAMED]
    named = ", ".join(f"{name} {size}" for name, size in largest)
    given = f"{limit} {unit} are" if limit > 1 else f"1 {unit.removesuffix('s')} is"
    return NoRoomError(f"{given} not enough: the floor is {floor} ({named}).")
