"""Words of a text: identifiers, whole and in parts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text.words import occurrences, words_of


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a request", [("a", ("a",)), ("request", ("request",))]),
        ("encode_request", [("encode_request", ("encode", "request"))]),
        ("encodeRequest", [("encoderequest", ("encode", "request"))]),
        ("HTTPClient v2", [("httpclient", ("http", "client")), ("v2", ("v2",))]),
        ("order-service", [("order", ("order",)), ("service", ("service",))]),
        ("__init__ _it_", [("init", ("init",)), ("it", ("it",))]),
        ("Straße ÉTÉ", [("strasse", ("strasse",)), ("été", ("été",))]),
        ("E\u0301te\u0301", [("été", ("été",))]),
        ("订单服务", [("订单服务", ("订", "单", "服", "务"))]),
        ("v2订单_x", [("v2订单_x", ("v2", "订", "单", "x"))]),
        ("-- // __ \udc80", []),
    ],
)
def test_a_text_is_split_into_identifiers_and_their_parts(
    text: str, words: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert words_of(text) == words


@given(st.text())
def test_words_have_parts_and_no_blanks(text: str) -> None:
    for word in words_of(text):
        assert word.parts
        assert all(not any(map(str.isspace, part)) and part for part in (word.whole, *word.parts))


@given(st.text("abcDEF_12 .-é"))
def test_occurrences_are_the_words_with_their_places(text: str) -> None:
    found = occurrences(text)
    assert [occurrence.word for occurrence in found] == words_of(text)
    for word, start, end in found:
        assert text[start:end].strip("_").casefold() == word.whole


def test_a_letter_with_too_many_marks_is_left_as_it_is() -> None:
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    assert words_of(decomposed) == words_of(composed)
    assert words_of(decomposed + "\u0301\u0323" * 100) == words_of("cafe")
