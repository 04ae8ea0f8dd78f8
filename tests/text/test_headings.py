"""Sections of Markdown texts."""

from __future__ import annotations

from yg.text.headings import sections


def titles(text: str) -> list[str]:
    return [section.title for section in sections(text, 2)]


def test_a_text_without_headings_has_no_sections() -> None:
    assert sections("# Title\n\ntext\n### Deep\n", 2) == ()
    assert sections("") == ()


def test_a_section_ends_where_the_next_one_begins() -> None:
    text = "# T\n## One\na\n### Deep\n## Two ##\r\nb"
    first, second = sections(text, 2)
    assert text[first.start : first.end] == "## One\na\n### Deep\n"
    assert text[second.start : second.end] == "## Two ##\r\nb"
    assert (first.title, second.title) == ("One", "Two")


def test_fenced_code_has_no_headings() -> None:
    assert titles("## A\n````\n```\n## B\n````\n## C\n~~~\n## D\n") == ["A", "C"]


def test_headings_of_all_levels_are_found_also_underlined_ones() -> None:
    text = "Two\nlines\n=====\n\n- item\n---\n###### Deep #\n#no\n\n    # code\n\nLow\n---\n#\n"
    found = [(section.title, section.level) for section in sections(text)]
    assert found == [("Two lines", 1), ("Deep", 6), ("Low", 2), ("", 1)]


def test_a_section_contains_those_of_lower_levels() -> None:
    text = "# A\n### B\n## C\n# D\n"
    parts = {section.title: text[section.start : section.end] for section in sections(text)}
    assert parts == {"A": "# A\n### B\n## C\n", "B": "### B\n", "C": "## C\n", "D": "# D\n"}
