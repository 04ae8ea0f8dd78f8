"""Which pieces are cut so that the rest of a package fits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from yg.kernel.errors import NoRoomError
from yg.kernel.fit import SEAMS, Piece, cut_order, fit
from yg.kernel.package import STANDARD_BUDGET, Budget

LINE = 10
LISTING = 1
EXACT = replace(STANDARD_BUDGET, tokenizer="exact")  # a token is a unit of cost


def piece(position: int, step: int, cost: int) -> Piece[str]:
    return Piece(value=f"p{position}", step=step, position=position, cost=cost, line=LINE)


class Sized(Struct, frozen=True):
    """A package of pieces and of something that is never cut."""

    pieces: tuple[Piece[str], ...]
    fixed: int = 0
    cuts: tuple[str, ...] = ()
    joined: int = 0  # by how much a piece is shorter than alone
    budget: Budget = EXACT
    node_ids: tuple[str, ...] = ()
    source_files: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        kept = sum(
            max(LINE + 1, piece.cost - self.joined) if piece.cost > LINE else piece.cost
            for piece in self.pieces
            if piece.value not in self.cuts
        )
        return self.fixed + kept + len(self.cuts) * LINE + (LISTING if self.cuts else 0)

    characters = tokens

    @property
    def status(self) -> str:
        return self.budget.status(self.tokens)


def without(package: Sized, cuts: Sequence[str]) -> Sized:
    return replace(package, cuts=tuple(cuts))


def sizes(package: Sized) -> Iterator[tuple[str, int]]:
    return ((piece.value, piece.cost) for piece in package.pieces)


def cut(pieces: list[Piece[str]], fixed: int, limit: int, joined: int = 0) -> list[str]:
    """Return the values of the pieces that are cut from a package with other things in it."""
    package = Sized(tuple(pieces), fixed, joined=joined)
    fitting = fit(package, pieces, limit, without=without, sizes=sizes)
    assert fitting.package == without(package, fitting.cuts)
    return list(fitting.cuts)


FOUR = [piece(0, 2, 100), piece(1, 1, 40), piece(2, 1, 60), piece(3, 3, 30)]  # 230


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        (231, []),
        (230, []),
        (229, ["p2"]),  # the last of the first step
        (181, ["p2"]),
        (180, ["p1", "p2"]),
        (151, ["p1", "p2"]),
        (150, ["p0"]),  # the next is p0, after which p1 and p2 fit again
        (141, ["p0"]),
        (140, ["p0", "p2"]),  # p1 fits again, p2 does not
        (91, ["p0", "p2"]),
        (90, ["p0", "p1", "p2"]),
        (61, ["p0", "p1", "p2"]),
        (60, ["p0", "p1", "p2", "p3"]),
    ],
)
def test_pieces_are_cut_in_order_and_put_back_in_reverse_order(
    limit: int, expected: list[str]
) -> None:
    assert cut(FOUR, 0, limit) == expected


def test_a_piece_that_is_not_longer_than_its_line_is_never_cut() -> None:
    assert [piece.value for piece in cut_order([piece(0, 1, LINE), piece(1, 1, LINE + 1)])] == [
        "p1"
    ]


def test_a_limit_below_the_floor_is_refused_with_the_largest_parts() -> None:
    with pytest.raises(NoRoomError) as caught:
        cut(FOUR, 5, 45)
    assert caught.value.message == (
        "45 exact tokens are not enough: the floor is 46 (p0 100, p2 60, p1 40)."
    )


def test_few_attempts_are_measured() -> None:
    pieces = tuple(piece(at, 1 + at % 3, 20 + at * 7 % 40) for at in range(400))
    whole = Sized(pieces)
    attempts: list[int] = []

    def counted(package: Sized, cuts: Sequence[str]) -> Sized:
        attempts.append(len(cuts))
        return without(package, cuts)

    fitting = fit(whole, pieces, whole.tokens // 2, without=counted, sizes=sizes)
    assert whole.tokens // 2 - 40 < fitting.package.tokens <= whole.tokens // 2
    assert len(attempts) < 40


def tokens_of(pieces: list[Piece[str]], cuts: Sequence[str], joined: int = 0) -> int:
    return without(Sized(tuple(pieces), joined=joined), cuts).tokens


def floor_of(pieces: list[Piece[str]]) -> int:
    return tokens_of(pieces, [piece.value for piece in cut_order(pieces)])


PIECES = st.lists(st.tuples(st.integers(1, 4), st.integers(LINE - 2, 90)), max_size=9).map(
    lambda drawn: [piece(at, step, cost) for at, (step, cost) in enumerate(drawn)]
)


def cut_literally(pieces: list[Piece[str]], limit: int, joined: int) -> set[str]:
    """Cut one after another until the rest fits, then put back what fits, the last cut first."""
    cuts: list[str] = []
    for candidate in cut_order(pieces):
        if tokens_of(pieces, cuts, joined) <= limit:
            break
        cuts.append(candidate.value)
    for value in cuts[::-1]:
        if tokens_of(pieces, [other for other in cuts if other != value], joined) <= limit:
            cuts.remove(value)
    return set(cuts)


@given(PIECES, st.integers(0, 300), st.integers(0, SEAMS))
def test_the_choice_is_that_of_cutting_and_putting_back(
    pieces: list[Piece[str]], more: int, joined: int
) -> None:
    limit = floor_of(pieces) + more
    found = cut(pieces, 0, limit, joined)
    assert set(found) == cut_literally(pieces, limit, joined)
    assert tokens_of(pieces, found, joined) <= limit


@given(PIECES)
def test_a_larger_limit_never_gives_a_smaller_package(pieces: list[Piece[str]]) -> None:
    floor = floor_of(pieces)
    found = [tokens_of(pieces, cut(pieces, 0, limit)) for limit in range(floor, floor + 400, 7)]
    assert found == sorted(found)
