"""CODEOWNERS, as GitHub and GitLab read it."""

from __future__ import annotations

import pytest

from yg.text.codeowners import CodeOwners


def owners(text: str, path: str) -> tuple[str, ...]:
    return CodeOwners("CODEOWNERS", text).of(path)


@pytest.mark.parametrize(
    ("pattern", "matching", "other"),
    [
        ("*", "a/b/c.py", ""),
        ("*.js", "a/b.js", "a/b.ts"),
        ("/build/logs/", "build/logs/a/b.txt", "x/build/logs/a"),
        ("docs/*", "docs/a.md", "docs/build/a.md"),
        ("apps/", "x/apps/y/z.py", "apps"),
        ("/docs/", "docs/a/b.md", "x/docs/a.md"),
        ("/scripts", "scripts/a/b.sh", "x/scripts/a.sh"),
        ("**/logs", "x/y/logs/a.txt", "logs.txt"),
        ("/apps/**/test", "apps/a/b/test/c.py", "apps/a/b/tests/c.py"),
        (r"my\ docs/", "my docs/a.md", "my/docs/a.md"),
        ("docs/**", "docs/a/b/c.md", "x/docs/a.md"),
        ("README.md", "a/README.md", "a/readme.md"),
    ],
)
def test_patterns_match_as_on_github(pattern: str, matching: str, other: str) -> None:
    assert owners(f"{pattern} @one", matching) == ("@one",)
    assert owners(f"{pattern} @one", other) == () or not other


def test_the_last_line_that_matches_decides() -> None:
    text = "* @all\n/src/ @two @org/team\n/src/own.py a@example.org # why\n/src/free.py\n"
    assert owners(text, "x.py") == ("@all",)
    assert owners(text, "src/x.py") == ("@org/team", "@two")
    assert owners(text, "src/own.py") == ("a@example.org",)
    assert owners(text, "src/free.py") == ()


def test_lines_that_cannot_be_read_do_no_harm() -> None:
    text = (
        "\ufeff# comment\n* @all\n!src/ @no\n\n   \n/\n\\\n[ @x\nsrc/x nobody-known\n\0 @y\n[a @z\n"
    )
    assert owners(text, "src/a.py") == ("@all",)
    assert owners(text, "src/x") == ()


def test_the_last_matches_of_all_sections_are_united() -> None:
    text = """\
* @all
[Code] @coders
src/
src/db/ @data
[Docs][2]
*.md @writers
^[Optional]
src/*.md @helpers
[code]
src/db/x.sql
"""
    assert owners(text, "a.txt") == ("@all",)
    assert owners(text, "src/a.py") == ("@all", "@coders")
    assert owners(text, "src/db/a.py") == ("@all", "@data")
    assert owners(text, "src/a.md") == ("@all", "@coders", "@helpers", "@writers")
    assert owners(text, "src/db/x.sql") == ("@all",)


def test_lines_that_match_no_file_are_found_even_behind_others() -> None:
    text = "/old/ @a\n/src/a.py @b\n* @c\n/src/gone.py @d\n/src/a.py @e\n"
    found = CodeOwners("CODEOWNERS", text).unmatched(["src/a.py", "README.md"])
    assert [(line.number, line.pattern) for line in found] == [(1, "/old/"), (4, "/src/gone.py")]


def test_many_lines_and_stars_take_no_time() -> None:
    text = "".join(f"{'*a' * 20}{number} @x\n" for number in range(1_000))
    files = [f"{'a' * 50}/{number}" for number in range(100)]
    assert len(CodeOwners("CODEOWNERS", text).unmatched(files)) == 1_000
    assert CodeOwners("CODEOWNERS", "* @x\n" * 100).unmatched(["a"]) == ()
