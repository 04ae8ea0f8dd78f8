"""Text that stays on its line."""

from __future__ import annotations

import pytest

from yg.text.escapes import escape_bytes, one_line, shell_word, visible


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
    ("text", "line"),
    [
        ("  one  line ", "  one  line "),
        ("first\n  second\r\n", "first second"),
        ("a\u2028b\x85c\x1cd", "a b c d"),
        ("\n", ""),
    ],
)
def test_lines_are_joined_and_a_single_line_is_kept(text: str, line: str) -> None:
    assert one_line(text) == line


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("orders/order-service", "orders/order-service"),
        ("a b", "'a b'"),
        ("it's", "'it'\"'\"'s'"),
        ("$(rm)", "'$(rm)'"),
        ("", "''"),
        ("a\nb", "'a\\nb'"),
    ],
)
def test_a_name_in_a_command_is_quoted_for_the_shell(name: str, word: str) -> None:
    assert shell_word(name) == word
