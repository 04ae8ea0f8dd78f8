"""Excerpts of Markdown texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text.excerpt import first_sentence, gist, whole_sentences, within

LIST = """\
# Rule

Whoever changes an order calls `audit`.

- First: before the state changes. If that
  fails, nothing happens.
- Second.
  - Inner.
1. Third.

## Why

- Not this one.
"""


def test_the_gist_of_a_text_is_its_list() -> None:
    assert gist(LIST, 600) == (
        "- First: before the state changes. If that fails, nothing happens.\n"
        "- Second.\n  - Inner.\n- Third."
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two\nlines.\n\nAnother.", "One. Two lines."),
        ("# Title\n\nText.\n\n## More\n\n- item", "Text."),
        ("<!-- note -->\nText.", "Text."),
        ("```\n- code\n```\nText.", "Text."),
        ("| a | b |\n| - | - |\n\nText.", "Text."),
        ("# Only a title", ""),
        ("", ""),
    ],
)
def test_without_a_list_it_is_the_first_paragraph(text: str, expected: str) -> None:
    assert gist(text, 600) == expected


def test_a_gist_that_is_too_long_ends_with_a_whole_item_or_sentence() -> None:
    assert (
        gist(LIST, 80)
        == "- First: before the state changes. If that fails, nothing happens.\n- Second."
    )
    assert gist("- One sentence. Another one that is longer.", 20) == "- One sentence."
    assert gist("One sentence. Another one. A third.", 27) == "One sentence. Another one."
    assert gist("one long sentence without any end", 20) == "one long ..."


@given(st.text(alphabet="ab .\n-#`|1>"), st.integers(10, 60))
def test_an_excerpt_is_never_longer_than_it_may_be(text: str, most: int) -> None:
    assert len(gist(text, most)) <= most
    assert len(whole_sentences(" ".join(text.split()), most)) <= most
    assert len(within(text.split("\n\n"), most)) <= most


def test_the_first_sentence_is_neither_a_heading_nor_code() -> None:
    assert first_sentence("# Orders\n\n```\nx\n```\n\nTakes orders. And more.") == "Takes orders."
    assert first_sentence("# Orders\n") == ""
