"""Headings and sections of Markdown texts."""

from __future__ import annotations

import pytest

from yg.text.headings import headings, section


def outline(text: str) -> list[tuple[int, str]]:
    return [(heading.level, heading.title) for heading in headings(text)]


def test_a_text_without_headings_has_none() -> None:
    assert headings("") == ()
    assert headings("text\n\n#hashtag\n    # code\n####### seven\n") == ()


def test_a_section_ends_at_the_next_heading_of_its_level_or_a_higher_one() -> None:
    text = "# T\n## One\na\n### Deep\n## Two ##\r\nb"
    top, first, deep, second = headings(text)
    assert text[top.start : top.end] == text
    assert text[first.start : first.end] == "## One\na\n### Deep\n"
    assert text[deep.start : deep.end] == "### Deep\n"
    assert text[second.start : second.end] == "## Two ##\r\nb"
    assert [heading.line for heading in (top, first, deep, second)] == [1, 2, 4, 5]
    assert second.title == "Two"


def test_closing_signs_are_no_part_of_a_title_but_others_are() -> None:
    assert outline("# C#\n## F# ##\n### #\n####\n") == [(1, "C#"), (2, "F#"), (3, ""), (4, "")]


def test_a_paragraph_that_is_underlined_is_a_heading() -> None:
    text = "Prices\n======\n\nA long\ntitle\r\n---\n\ntext\n"
    assert outline(text) == [(1, "Prices"), (2, "A long title")]
    assert headings(text)[1].start == text.index("A long")


@pytest.mark.parametrize(
    "text",
    [
        "text\n\n---\n",
        "- item\n---\n",
        "- item\n  more\n---\n",
        "> quoted\n---\n",
        "| a |\n| - |\n",
        "    code\n---\n",
        "***\n---\n",
    ],
)
def test_lines_that_only_look_like_an_underline_make_no_heading(text: str) -> None:
    assert headings(text) == ()


def test_code_comments_and_front_matter_have_no_headings() -> None:
    assert outline("## A\n````\n```\n## B\n````\n## C\n~~~\n## D\n") == [(2, "A"), (2, "C")]
    assert outline("<!--\n# No\n-->\n# Yes\n<!-- # No -->\n") == [(1, "Yes")]
    assert outline("---\ntitle: No\n# No\n---\n# Yes\n") == [(1, "Yes")]
    assert outline("---\n# Yes\n") == [(1, "Yes")]


def test_anchors_are_those_of_github() -> None:
    text = "# `a.b()`, [links](x) & _more_!\n# Über uns\n# snake_case\n# A\n# A\n# A-1\n# A\n"
    slugs = [heading.slug for heading in headings(text)]
    assert slugs == ["ab-links--more", "über-uns", "snake_case", "a", "a-1", "a-1-1", "a-2"]


def test_a_section_is_found_by_its_title_in_any_case_or_by_its_anchor() -> None:
    text = "# Prices  of `goods`\na\n# Other\nb\n# Other\nc\n"
    for name in ("prices of goods", "Prices of `goods`", "prices--of-goods"):
        assert section(text, name) == headings(text)[0], name
    assert [heading.line for heading in headings(text) if heading.matches("OTHER")] == [3, 5]
    assert section(text, "other-1") == headings(text)[2]
    assert section(text, "Gone") is None


def test_long_lines_and_many_headings_take_no_long_time() -> None:
    assert len(headings("# " + "[" * 200_000 + "\n# " + "_a " * 100_000 + " " * 200_000)) == 2
    assert len(headings("# A\n" * 50_000)) == 50_000
    assert len(headings("---\n" * 1 + "a: b\n" * 100_000)) == 0
