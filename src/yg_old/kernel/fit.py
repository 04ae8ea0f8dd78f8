"""Cutting pieces from a package until it fits a number of tokens.

Pieces are cut in order until the package fits. Then those that fit again are put back, the last cut
first; every attempt is measured.

A piece is longer than its line in the list of cuts, so each cut makes the package smaller. This is
why the number of cuts is found by bisection, and why a larger limit never gives a smaller package:
both limits keep the same pieces up to the first decision that differs; there, the larger limit
keeps a piece that makes the package larger than the smaller limit. The pieces kept need not be a
superset: one long piece can take the place of short ones.

Most pieces are too long to be put back, which shows without an attempt: the package grows by the
size of the piece less that of its line. Where two texts meet, the size of both can differ from the
sum by a line break or a few tokens, so a piece is tried unless it exceeds the room by more than
that. The result is the same as with every attempt, in the time of a few.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec import Struct

from yg_old.kernel.errors import NoRoomError
from yg_old.kernel.package import Measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

P = TypeVar("P", bound=Measured)
T = TypeVar("T")
PARTS_NAMED = 3  # of a package that is too large
SEAMS = 8  # the tokens, at most, that texts have more alone than joined to others


class Piece(Struct, Generic[T], frozen=True, kw_only=True):
    """A piece of a package that is shown or cut as a whole; both sizes have the same unit."""

    value: T
    step: int  # of the order in which pieces are cut, from 1
    turn: int = 0  # within the step
    position: int  # in the package
    cost: int  # its size in the package
    line: int  # the size of its line in the list of cuts

    @property
    def is_worth_cutting(self) -> bool:
        """Whether the piece is longer than its line in the list of cuts."""
        return self.growth > 0

    @property
    def growth(self) -> int:
        """The size of the piece less that of its line."""
        return self.cost - self.line


class Fitting(Struct, Generic[P, T], frozen=True, kw_only=True):
    """A package that fits."""

    package: P
    cuts: tuple[T, ...]  # in the order of the package
    floor: int  # its size with everything cut that can be, in tokens


def cut_order(pieces: Iterable[Piece[T]]) -> list[Piece[T]]:
    """Return the pieces that are worth cutting, in the order in which they are cut."""
    worth = [piece for piece in pieces if piece.is_worth_cutting]
    return sorted(worth, key=lambda piece: (piece.step, piece.turn, -piece.position))


def fit(
    package: P,
    pieces: Iterable[Piece[T]],
    limit: int,
    *,
    without: Callable[[P, Sequence[T]], P],
    sizes: Callable[[P], Iterable[tuple[str, int]]],
) -> Fitting[P, T]:
    """Cut pieces until a package fits; raise NoRoomError if that is impossible.

    `without` leaves out pieces, given in the order of the package, and lists them. `sizes` returns
    the parts of a package with their sizes, for the message of the error.
    """
    order = cut_order(pieces)
    floor = without(package, _values(order))
    least = min(package, floor, key=lambda whole: whole.tokens)
    if least.tokens > limit:
        raise no_room(limit, least.tokens, sizes(least), least.budget.unit)
    if package.tokens <= limit:
        return Fitting(package=package, cuts=(), floor=least.tokens)
    number = bisect_left(
        range(1, len(order)),
        1,
        key=lambda count: without(package, _values(order[:count])).tokens <= limit,
    )
    cuts = order[: 1 + number]
    fitted = without(package, _values(cuts))
    for piece in reversed(cuts[:-1]):
        if piece.growth > (limit - fitted.tokens + SEAMS) * package.budget.units_per_token:
            continue
        fewer = [other for other in cuts if other is not piece]
        attempt = without(package, _values(fewer))
        if attempt.tokens <= limit:
            cuts, fitted = fewer, attempt
    return Fitting(package=fitted, cuts=_values(cuts), floor=least.tokens)


def _values(pieces: Iterable[Piece[T]]) -> tuple[T, ...]:
    return tuple(piece.value for piece in sorted(pieces, key=lambda piece: piece.position))


def no_room(
    limit: int, floor: int, parts: Iterable[tuple[str, int]], unit: str = "tokens"
) -> NoRoomError:
    """Return the error for a floor above the limit; it names the largest of the parts."""
    largest = sorted(parts, key=lambda part: -part[1])[:PARTS_NAMED]
    named = ", ".join(f"{name} {size}" for name, size in largest)
    given = f"{limit} {unit} are" if limit > 1 else f"1 {unit.removesuffix('s')} is"
    return NoRoomError(f"{given} not enough: the floor is {floor} ({named}).")
