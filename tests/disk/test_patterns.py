"""The patterns of a .gitignore file hide what they hide from git."""

from __future__ import annotations

import os
import subprocess
from itertools import product
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from yg.text.patterns import Patterns

NAMES = (*("a", "b", "ab", "aab", "a.b", "A", "1", "é", "-"), *"[]^!\\*#", "a b")
FILES = (
    *(f"{name}0" for name in NAMES),
    *(f"{one}/{two}" for one, two in product(NAMES[:9], NAMES)),
    *(f"{one}/{two}/{three}" for one, two, three in product("dX", ("a", "ab", "1"), NAMES)),
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
    for file in FILES:
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()
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
    written = f"{content}{end}".encode()
    (root / ".gitignore").write_bytes(written)
    patterns = Patterns(written)
    seen = [file for file in (".gitignore", *FILES) if not patterns.excludes(file)]
    assert sorted(seen) == seen_by_git(root, git_dir)
