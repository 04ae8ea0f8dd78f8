"""Sections of Markdown texts."""

from __future__ import annotations

from yg.text.headings import sections


def titles(text: str) -> list[str]:
    return [section.title for section in sections(text)]


def test_a_text_without_headings_has_no_sections() -> None:
    assert sections("# Title\n\ntext\n### Deep\n") == ()
    assert sections("") == ()


def test_a_section_ends_where_the_next_one_begins() -> None:
    text = "# T\n## One\na\n### Deep\n## Two ##\r\nb"
    first, second = sections(text)
    assert text[first.start : first.end] == "## One\na\n### Deep\n"
    assert text[second.start : second.end] == "## Two ##\r\nb"
    assert (first.title, second.title) == ("One", "Two")


def test_fenced_code_has_no_headings() -> None:
    assert titles("## A\n````\n```\n## B\n````\n## C\n~~~\n## D\n") == ["A", "C"]
