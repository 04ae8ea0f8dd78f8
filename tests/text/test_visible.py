"""Text that stays on its line, and text that any file or database can hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text.escapes import escape_bytes, storable, visible, xml_storable


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (b"caf\xe9.py", r"caf\351.py"),  # as `git ls-files` shows it, without its quotes
        (b"\x80\xff", r"\200\377"),
        ("\x9b".encode(), r"\x9b"),  # a control character is not a byte
        ("größe 日本".encode(), "größe 日本"),
    ],
)
def test_bytes_that_are_not_utf8_are_shown_as_git_does(name: bytes, shown: str) -> None:
    decoded = name.decode("utf-8", "surrogateescape")
    assert visible(decoded) == shown
    assert visible(escape_bytes(decoded)) == shown


def test_half_of_a_pair_is_not_a_byte() -> None:
    assert visible("\ud800\udc7f\udd00") == r"\ud800\udc7f\udd00"


@pytest.mark.parametrize(
    ("text", "stored", "in_xml"),
    [
        ("plain, ünïcode, 😀", "plain, ünïcode, 😀", "plain, ünïcode, 😀"),
        ("tab\tand\r\nline", "tab\tand\r\nline", "tab\tand\r\nline"),
        ("nul\0 esc\x1b", "nul\\x00 esc\x1b", "nul\\x00 esc\\x1b"),
        ("lone \ud800", "lone \\ud800", "lone \\ud800"),
        ("\ufffe\uffff", "\ufffe\uffff", "\\ufffe\\uffff"),
    ],
)
def test_only_what_cannot_be_stored_is_escaped(text: str, stored: str, in_xml: str) -> None:
    assert (storable(text), xml_storable(text)) == (stored, in_xml)


@given(st.text(st.characters(codec=None)))
def test_stored_text_can_be_written_anywhere(text: str) -> None:
    for function in (storable, xml_storable):
        stored = function(text)
        assert stored.encode("utf-8").decode("utf-8") == stored
        assert function(stored) == stored
