"""Sentences of a Markdown text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from yg.text.sentences import LONGEST, Sentence, code_spans, sentences


def texts(markdown: str) -> list[tuple[int, str]]:
    return [(found.line, found.text) for found in sentences(markdown)]


def test_a_paragraph_is_split_into_sentences_with_the_lines_where_they_begin() -> None:
    text = "One ends here. Two goes\non! Is this\nthree? Yes, e.g. This one.\n"
    assert texts(text) == [
        (1, "One ends here."),
        (1, "Two goes on!"),
        (2, "Is this three?"),
        (3, "Yes, e.g. This one."),
    ]


def test_numbers_names_and_code_do_not_end_a_sentence() -> None:
    text = "Version 3.12 of yg.text has `a. B` and `x -> y`. See README.md for more.\n"
    assert texts(text) == [
        (1, "Version 3.12 of yg.text has `a. B` and `x -> y`."),
        (1, "See README.md for more."),
    ]


def test_a_list_item_is_one_sentence_without_its_marker() -> None:
    text = "- One. Two.\n  Three.\n* [x] Four\n1. Five\n2) Six\n\n   Seven. Eight.\n"
    assert texts(text) == [
        (1, "One. Two. Three."),
        (3, "Four"),
        (4, "Five"),
        (5, "Six"),
        (7, "Seven."),
        (7, "Eight."),
    ]


def test_headings_and_table_rows_stand_alone() -> None:
    text = "# Title\nText\nUnderlined\n---\n| a | b |\n| --- | :-: |\n| 1 | 2 |\n***\n> One. Two.\n"
    assert texts(text) == [
        (1, "# Title"),
        (2, "Text Underlined"),
        (5, "| a | b |"),
        (7, "| 1 | 2 |"),
        (9, "One."),
        (9, "Two."),
    ]


def test_each_line_of_a_code_block_is_a_sentence() -> None:
    text = "Before\n```py\nx = 1. # One. Two\n\n~~~\n  y  =  2\n```\n~~~~\n```\n~~~~\nAfter\n"
    assert list(sentences(text)) == [
        Sentence(1, "Before"),
        Sentence(3, "x = 1. # One. Two", is_code=True),
        Sentence(5, "~~~", is_code=True),
        Sentence(6, "y = 2", is_code=True),
        Sentence(9, "```", is_code=True),
        Sentence(11, "After"),
    ]


def test_comments_are_left_out_except_in_code() -> None:
    text = "One <!-- no. --> two.\n<!-- no\nno --> Three.\n`<!--` four.\n```\n<!-- five\n```\nSix\n"
    assert texts(text) == [
        (1, "One two."),
        (3, "Three."),
        (4, "`<!--` four."),
        (6, "<!-- five"),
        (8, "Six"),
    ]


def test_a_list_item_whose_text_is_on_the_next_line_begins_there() -> None:
    assert [(each.line, each.text) for each in sentences("- \n  One.\n- Two.")] == [
        (2, "One."),
        (3, "Two."),
    ]


def test_a_long_sentence_is_shown_in_part() -> None:
    (found,) = sentences("word " * 100)
    assert len(found.shown) <= LONGEST
    assert found.shown.endswith("...")


def test_code_in_back_quotes_ends_at_as_many_quotes() -> None:
    text = "a `b` ``c ` d`` e ``` f"
    assert [text[start:end] for start, end in code_spans(text)] == ["`b`", "``c ` d``"]


@given(st.text(alphabet="ab.A `~#-|>\n<!1)*", max_size=200))
def test_any_text_can_be_split_and_lines_are_in_order(text: str) -> None:
    found = list(sentences(text))
    lines = text.split("\n")
    assert [each.line for each in found] == sorted(each.line for each in found)
    for each in found:
        first = each.text.split(" ")[0]
        assert first
        assert first in lines[each.line - 1] or "<!--" in text
