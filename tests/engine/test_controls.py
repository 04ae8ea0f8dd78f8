"""Control characters become escapes, and nothing else does."""

from __future__ import annotations

import json
from unicodedata import bidirectional, category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text.escapes import escape_controls, escape_controls_in_json

# The classes of explicit embeddings, overrides and isolates.
EXPLICIT = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
MARKS = {"\u200e", "\u200f", "\u061c"}


def test_the_escaped_characters_are_controls_and_what_changes_the_order_of_text() -> None:
    letters = [chr(code) for code in range(0x110000)]
    expected = {
        letter
        for letter in letters
        if (category(letter) == "Cc" and letter not in "\n\t")
        or bidirectional(letter) in EXPLICIT
        or letter in MARKS
    }
    assert [letter for letter in expected if escape_controls(letter) == letter] == []
    others = "".join(letter for letter in letters if letter not in expected)
    assert escape_controls(others) == others


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("plain, ünïcode, 😀, a\u00a0b\tc\n", "plain, ünïcode, 😀, a\u00a0b\tc\n"),
        ("\x1b[2J\x07\r\n", "\\x1b[2J\\x07\\r\n"),
        ("\x9b\x7f\u202e\u2066\u061c", "\\x9b\\x7f\\u202e\\u2066\\u061c"),
        ("👩\u200d👧 lone \ud800", "👩\u200d👧 lone \ud800"),
    ],
)
def test_control_characters_are_written_as_escapes(text: str, escaped: str) -> None:
    assert escape_controls(text) == escaped
    assert escape_controls(escaped) == escaped


@given(st.text(st.characters(codec=None)))
def test_json_says_the_same_without_control_characters(text: str) -> None:
    written = escape_controls_in_json(json.dumps({text: [text]}, ensure_ascii=False))
    assert json.loads(written) == {text: [text]}
    assert escape_controls(written) == written
