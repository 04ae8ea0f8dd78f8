"""Which pieces are cut so that the rest of a package fits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.fit import Group, Piece, cut_order, cut_to_fit

LINE = 10
LISTING = 1


def piece(position: int, step: int, cost: int, group: int = 0) -> Piece[str]:
    return Piece(
        value=f"p{position}", step=step, position=position, cost=cost, line=LINE, group=group
    )


def cut(pieces: list[Piece[str]], fixed: int, limit: int) -> list[str]:
    """Return the values of the pieces that are cut from a package with other things in it."""
    order = cut_order(pieces)
    floor = size_of(pieces, fixed, {piece.value for piece in order})
    groups = [Group()] * (1 + max((piece.group for piece in pieces), default=0))
    found = cut_to_fit(order, groups, floor, limit, listing=LISTING)
    return [piece.value for piece in found]


def size_of(pieces: list[Piece[str]], fixed: int, cuts: set[str]) -> int:
    kept = sum(piece.cost for piece in pieces if piece.value not in cuts)
    return fixed + kept + len(cuts) * LINE + (LISTING if cuts else 0)


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


def test_the_first_piece_of_a_group_and_the_last_have_their_price() -> None:
    """A blank line precedes the first piece kept; the last line break does not count."""
    two = [
        Piece(value="a", step=1, position=0, cost=50, line=LINE, trim=1),
        Piece(value="b", step=1, position=1, cost=50, line=LINE, trim=0),
    ]
    order, group = cut_order(two), Group(first=1)
    # With 'a' alone: its text instead of its line, a blank line, one character less at the end.
    assert [cut.value for cut in cut_to_fit(order, [group], 20, 60, listing=0)] == ["b"]
    assert [cut.value for cut in cut_to_fit(order, [group], 20, 59, listing=0)] == ["a", "b"]
    # With both, only the trim of the last counts, which is 0.
    assert cut_to_fit(order, [group], 20, 101, listing=0) == ()
    assert [cut.value for cut in cut_to_fit(order, [group], 20, 100, listing=0)] == ["b"]


PIECES = st.lists(
    st.tuples(st.integers(1, 4), st.integers(LINE - 2, 90), st.integers(0, 2)), max_size=9
).map(lambda drawn: [piece(at, step, cost, group) for at, (step, cost, group) in enumerate(drawn)])


def cut_literally(pieces: list[Piece[str]], fixed: int, limit: int) -> set[str]:
    """Cut one after another until the rest fits, then put back what fits, the last cut first."""
    cuts: list[str] = []
    for candidate in cut_order(pieces):
        if size_of(pieces, fixed, set(cuts)) <= limit:
            break
        cuts.append(candidate.value)
    for value in cuts[::-1]:
        fewer = {other for other in cuts if other != value}
        if size_of(pieces, fixed, fewer) <= limit:
            cuts.remove(value)
    return set(cuts)


@given(PIECES, st.integers(0, 300))
def test_the_choice_is_that_of_cutting_and_putting_back(
    pieces: list[Piece[str]], more: int
) -> None:
    floor = size_of(pieces, 0, {piece.value for piece in cut_order(pieces)})
    limit = floor + more
    found = set(cut(pieces, 0, limit))
    assert found == cut_literally(pieces, 0, limit)
    assert size_of(pieces, 0, found) <= limit


@given(PIECES)
def test_a_larger_limit_never_gives_a_smaller_package(pieces: list[Piece[str]]) -> None:
    floor = size_of(pieces, 0, {piece.value for piece in cut_order(pieces)})
    sizes = [
        size_of(pieces, 0, set(cut(pieces, 0, limit))) for limit in range(floor, floor + 400, 7)
    ]
    assert sizes == sorted(sizes)
