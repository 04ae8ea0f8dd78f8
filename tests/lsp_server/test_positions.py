"""Positions: the units of an editor, changes, and where a mark ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.surfaces.lsp.positions import Lines, difference, with_change

LETTERS = st.text("aé€😀\n\r\x0c\u2028\x85 ", max_size=20)
ENCODINGS = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 10), ("utf-16", 5), ("utf-32", 4)])
def test_columns_count_in_the_units_of_the_editor(encoding: str, character: int) -> None:
    lines = Lines("x\né€😀: b\n")
    offset = lines.offset_at(2, 5)
    assert lines.position_of(offset, encoding) == (1, character)
    assert lines.offset_of(1, character, encoding) == offset


@given(LETTERS, st.sampled_from(ENCODINGS))
def test_every_offset_has_a_position_that_leads_back(text: str, encoding: str) -> None:
    lines = Lines(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n":  # inside a line break
            assert lines.offset_of(*lines.position_of(offset, encoding), encoding) == offset


def test_only_the_breaks_of_the_protocol_end_a_line() -> None:
    assert Lines("a\x0cb\u2028c\x85d\re\r\nf\ng").position_of(13, "utf-16") == (3, 0)


@pytest.mark.parametrize(("line", "character"), [(0, 99), (9, 0)])
def test_a_position_beyond_the_text_is_at_its_end(line: int, character: int) -> None:
    assert Lines("ab").offset_of(line, character, "utf-16") == 2


@given(LETTERS, LETTERS, st.data())
def test_a_change_of_a_range_is_a_slice(text: str, new: str, data: st.DataObject) -> None:
    lines = Lines(text)
    places = [offset for offset in range(len(text) + 1) if text[offset - 1 : offset + 1] != "\r\n"]
    start, end = sorted([data.draw(st.sampled_from(places)), data.draw(st.sampled_from(places))])
    span = lines.position_of(start, "utf-16"), lines.position_of(end, "utf-16")
    assert with_change(text, span, new, "utf-16") == text[:start] + new + text[end:]


@given(LETTERS, LETTERS)
def test_a_difference_turns_one_text_into_another(before: str, after: str) -> None:
    start, end, new = difference(before, after)
    assert before[:start] + new + before[end:] == after


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("type: servce # x", "servce"),
        ("t: 'a b' # x", "'a b'"),
        ("t: [ab cd, e]", "ab cd"),
        ("tpe: x", "tpe"),
        ("see `pay()` now", "`pay()`"),
        ("x", ""),
    ],
)
def test_a_mark_covers_the_value(text: str, marked: str) -> None:
    start = text.find(marked) if marked else 1
    assert text[start : Lines(text).marked(start)] == marked
