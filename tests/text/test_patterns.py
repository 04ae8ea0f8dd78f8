"""The patterns of .gitignore files mean what they mean to git, and cost little."""

from __future__ import annotations

import os
import subprocess
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from support import write
from yg.disk.git.ignore import Visibility
from yg.text.patterns import Pattern, Patterns, parse

NAMES = (
    "a",
    "b",
    "ab",
    "aab",
    "a.b",
    "A",
    "1",
    "é",
    "-",
    "[",
    "]",
    "^",
    "!",
    "\\",
    "*",
    "a b",
    "#",
)
PIECES = (
    *("a", "b", "A", "1", "é", ".", "-", "^", "!", "#", " ", "\\", "\\/", "\r"),
    *("*", "**", "***", "?", "/", "**/", "/**", "[", "]", "[ab]", "[a-b]", "[b-a]", "[!a]", "[^a]"),
    *("[]]", "[]-a]", "[--b]", "[a-", "[a\\-b]", "[\\]]", "[^/]", "[[:alpha:]]", "[[:digit:]-b]"),
    *("[[:none:]]", "[[:", "[:a]", "[[::]]"),
)
LINES = st.lists(st.sampled_from(PIECES), min_size=1, max_size=7).map("".join)
CONTENTS = st.lists(LINES, min_size=1, max_size=4).map("\n".join)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A directory full of files, and a git directory that lies elsewhere."""
    root, git_dir = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("git") / ".git"
    pairs = (f"{one}/{two}" for one, two in product(NAMES[:9], NAMES))
    deep = (f"{one}/{two}/{three}" for one, two, three in product("dX", ("a", "ab", "1"), NAMES))
    write(root, dict.fromkeys((*(f"{name}0" for name in NAMES), *pairs, *deep), ""))
    subprocess.run(["git", "init", "--quiet", "--bare", git_dir], check=True)
    return root, git_dir


def seen_by_git(root: Path, git_dir: Path) -> list[str]:
    command = ["git", f"--git-dir={git_dir}", f"--work-tree={root}", "-c", "core.bare=false"]
    asked = [*command, "ls-files", "-z", "--others", "--exclude-standard"]
    answer = subprocess.run(asked, cwd=root, check=True, capture_output=True)
    return sorted(os.fsdecode(name) for name in answer.stdout.split(b"\0") if name)


@given(CONTENTS, st.sampled_from(["", "\n", "\r\n", "\0\n", "\\\n", "   \n"]))
@example("a**/b", "\n")
@example("**\\/a", "\n")
@example("d/**/**/**/a*b", "\n")
@example("*\n!*/\n!a*", "")
@example("\ufeffab0\n[[:punct:]]*", "\n")
@example("a\\ \na b0  ", "\n")
def test_random_patterns_hide_what_git_hides(
    tree: tuple[Path, Path], content: str, end: str
) -> None:
    root, git_dir = tree
    (root / ".gitignore").write_bytes(f"{content}{end}".encode())
    assert list(Visibility(str(root)).files) == seen_by_git(root, git_dir)


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
