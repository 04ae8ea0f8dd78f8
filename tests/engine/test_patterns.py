"""The patterns of .gitignore files are read as git reads them, and cost little."""

from __future__ import annotations

import pytest

from yg.text.patterns import Pattern, Patterns, parse


def test_a_line_is_taken_apart_once() -> None:
    content = b"\xef\xbb\xbf# no\n!/a/b/\r\n\n*.log  \na\\ \\  \nb\0c\n*.log"
    assert parse(content) == (
        Pattern(b"a/b", is_negative=True, for_directories=True, is_name=False),
        Pattern(b"a\\ \\ ", is_negative=False, for_directories=False, is_name=True),
        Pattern(b"b", is_negative=False, for_directories=False, is_name=True),
        Pattern(b"*.log", is_negative=False, for_directories=False, is_name=True),
    )


def verdict(content: str, path: str, *, is_directory: bool = False) -> bool | None:
    return Patterns(content.encode()).verdict(path.encode(), is_directory=is_directory)


@pytest.mark.parametrize(
    ("content", "path", "answer"),
    [
        ("", "a", None),
        ("a", "a", True),
        ("a", "b/a", True),
        ("a\n!a", "a", False),
        ("a/", "a", None),
        ("/a", "b/a", None),
        ("?", "é", None),
        ("??", "é", True),
        ("a/**", "a/b/c", True),
        ("a/**", "a", None),
        ("a/**/b", "a/b", True),
        ("a/*/b", "a/x/y/b", None),
        ("[", "[", None),
        ("a\\", "a\\", None),
        ("/", "a", None),
        ("!", "a", None),
    ],
)
def test_the_last_pattern_that_matches_decides(
    content: str, path: str, *, answer: bool | None
) -> None:
    assert verdict(content, path) is answer


def test_a_pattern_for_directories_matches_nothing_else() -> None:
    assert verdict("a/", "a", is_directory=True) is True
    assert verdict("a/\n!b", "a") is None


HOSTILE = {
    "a dozen stars": "a*" * 12 + "b",
    "a hundred stars": "*a" * 100 + "b",
    "directories": "**/" * 40 + "b",
    "directories and stars": "**/*a*/" * 20 + "b",
    "brackets": "[a-z]*" * 40 + "[!a-z]",
    "question marks": "?*" * 60 + "/b",
}


@pytest.mark.parametrize("pattern", HOSTILE.values(), ids=HOSTILE.keys())
def test_stars_do_not_multiply(pattern: str) -> None:
    path = "/".join(["a" * 200] * 15)
    assert verdict(pattern, path) is None
    assert verdict(pattern, f"{path}/b") in (True, None)


@pytest.mark.slow
def test_a_megabyte_of_patterns_is_obeyed() -> None:
    patterns = Patterns("\n".join(f"*x{number}*y" for number in range(90_000)).encode())
    assert patterns.verdict(b"src/ax89999by", is_directory=False) is True
    assert patterns.verdict(b"src/ax90000b", is_directory=False) is None
