"""Cycles are written out as people read them."""

from __future__ import annotations

from yg.kernel.digraph import MOST_SHOWN, others, written_out


def test_a_cycle_ends_where_it_began() -> None:
    assert written_out(["a"]) == "a -> a"
    assert written_out(["a", "b"]) == "a -> b -> a"


def test_a_long_cycle_is_shortened_in_the_middle() -> None:
    names = [f"n{at}" for at in range(MOST_SHOWN + 2)]
    links = written_out(names).split(" -> ")
    assert len(links) == MOST_SHOWN + 1
    assert links[:2] + links[19:22] + links[-2:] == [
        *("n0", "n1", "n19"),
        ".. 3 more ..",
        *("n23", "n41", "n0"),
    ]


def test_the_rest_of_a_group_is_counted() -> None:
    one, two = "1 more node is", "2 more nodes are"
    assert others("abc", "ab", "node") == (f"{one} on cycles that meet this one.",)
    assert others("abcd", "ab", "node") == (f"{two} on cycles that meet this one.",)
    assert others("ab", "ab", "node") == ()
