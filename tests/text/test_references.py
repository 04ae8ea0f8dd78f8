"""Links, code in back quotes and shell code of Markdown texts."""

from __future__ import annotations

import pytest

from yg.text.references import Mark, MarkKind, marks

LINK, CODE, SHELL = MarkKind.LINK, MarkKind.CODE, MarkKind.SHELL


def found(text: str) -> list[tuple[MarkKind, str]]:
    return [(mark.kind, mark.text) for mark in marks(text)]


def test_a_mark_has_its_line_and_its_place_in_the_line() -> None:
    assert list(marks("one\n\nsee `a.b` and [c](d.md#e)\n")) == [
        Mark(CODE, "a.b", 3, 5),
        Mark(LINK, "d.md#e", 3, 18),
    ]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("[a](b.md)", "b.md"),
        ("![a](b.png 'title')", "b.png"),
        ("[a](<b c.md>)", "b c.md"),
        ("[a](b_(c).md)", "b_(c).md"),
        ("[`a`](b.md)", "b.md"),
        ("[a]: b.md", "b.md"),
        ("  [a]: <b.md> 'title'", "b.md"),
        ('<a href="b.md">', "b.md"),
        ("<img src='b.png'>", "b.png"),
    ],
)
def test_links_are_found_in_every_form(text: str, target: str) -> None:
    assert (LINK, target) in found(text)


@pytest.mark.parametrize("text", ["[a]: _b of c_", "[^1]: note.md", "`[a](b.md)`", "a (b.md)"])
def test_what_only_looks_like_a_link_is_none(text: str) -> None:
    assert all(kind is not LINK for kind, _ in found(text))


def test_code_ends_with_as_many_back_quotes_as_it_begins_with() -> None:
    assert found("``a ` b`` and `c` and `` ` ``") == [(CODE, "a ` b"), (CODE, "c"), (CODE, "`")]
    assert found("a ` b `` c") == []


def test_code_blocks_and_comments_do_not_count() -> None:
    text = "```python\n`a`\n```\n<!-- `b` -->\n<!--\n`c`\n-->\n\n    `d`\n\n`e`\n~~~\n`f`\n"
    assert found(text) == [(CODE, "e")]


def test_items_of_a_list_are_no_code_blocks() -> None:
    assert found("- a\n\n    `b`\n\nc\n\n    `d`\n") == [(CODE, "b")]


@pytest.mark.parametrize("language", ["sh", "bash", "shell", "Bash title=x"])
def test_lines_of_shell_code_count(language: str) -> None:
    assert found(f"```{language}\nmake a\n```\n") == [(SHELL, "make a")]


def test_only_lines_with_a_prompt_are_commands_where_there_are_prompts() -> None:
    assert list(marks("```console\n$ make a\nout\n```\n")) == [Mark(SHELL, "make a", 2, 2)]
    assert found("```sh\n$ make a\nout\n```\n") == [(SHELL, "make a")]
    assert found("```console\nout\n```\n") == []


def test_a_line_and_the_one_below_its_mark_are_ignored() -> None:
    assert found("`a` <!-- yg-ignore -->\n`b`\n`c`\n") == [(CODE, "c")]
    assert found("<!-- yg-ignore -->\n`a`\n`b`\n") == [(CODE, "b")]


def test_line_ends_of_windows_are_no_part_of_a_text() -> None:
    assert found("```sh\r\nmake a\r\n```\r\n`b`\r\n") == [(SHELL, "make a"), (CODE, "b")]


@pytest.mark.parametrize(
    "piece", ["`", "``a", "[", "](", "<!--", "[a](", "]: ", "<a href=", "    "]
)
def test_no_text_takes_long(piece: str) -> None:
    list(marks(piece * 100_000))
    list(marks(f"{piece}\n" * 20_000))
