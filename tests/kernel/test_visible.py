"""Text that stays on its line, and text that any file or database can hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.kernel.escapes import storable, xml_storable


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
