"""Counts agree with their nouns, and long lists end with the number of the rest."""

from __future__ import annotations

import pytest

from yg.text.plural import and_more, counted, listed


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 nodes"), (1, "1 node"), (2, "2 nodes"), (1000, "1000 nodes")]
)
def test_a_count_agrees_with_its_noun(number: int, text: str) -> None:
    assert counted(number, "node") == text


def test_entries_left_out_are_counted_with_the_command_that_shows_them() -> None:
    assert and_more(3) == ".. and 3 more"
    assert and_more(3, "yg tree") == ".. and 3 more (yg tree)"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ("", ""),
        ("a", "a"),
        ("abcdefg", "a, b, c, d, e, f, g"),
        ("abcdefgh", "a, b, c, d, e, f and 2 more"),
    ],
)
def test_a_list_that_is_too_long_for_a_line_is_cut(words: str, text: str) -> None:
    assert listed(words) == text
