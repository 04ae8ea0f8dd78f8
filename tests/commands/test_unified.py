"""Unified diffs turn the old text into the new one, also where a matcher would be too slow."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.commands import unified as module
from yg.commands.unified import unified

LINES = st.lists(st.sampled_from(["a", "b", "c", "", " x"]), max_size=30)


def patched(old: str, hunks: list[str]) -> str:
    """Apply a diff by the numbers of its headings."""
    lines = old.splitlines(keepends=True)
    result: list[str] = []
    at, mark = 0, ""
    for line in hunks:
        if line.startswith("@@"):
            start, _, length = line.split()[1][1:].partition(",")
            begin = int(start) - (length != "0")
            result += lines[at:begin]
            at = begin
        elif line.startswith("\\"):
            if mark == "+":
                result[-1] = result[-1].removesuffix("\n")
        elif line[0] == "+":
            result.append(line[1:] + "\n")
        else:
            assert lines[at].removesuffix("\n") == line[1:]
            if line[0] == " ":
                result.append(lines[at])
            at += 1
        mark = line[0]
    return "".join([*result, *lines[at:]])


def test_equal_texts_have_no_difference() -> None:
    assert list(unified("a\nb\n", "a\nb\n")) == []


def test_a_change_is_shown_with_three_lines_around_it() -> None:
    old = "".join(f"{number}\n" for number in range(1, 12))
    assert list(unified(old, old.replace("6\n", "six\n"))) == [
        "@@ -3,7 +3,7 @@",
        " 3",
        " 4",
        " 5",
        "-6",
        "+six",
        " 7",
        " 8",
        " 9",
    ]


def test_changes_far_from_each_other_are_two_hunks() -> None:
    old = "".join(f"{number}\n" for number in range(1, 31))
    new = old.replace("2\n", "two\n", 1).replace("29\n", "")
    assert [line for line in unified(old, new) if line.startswith("@@")] == [
        "@@ -1,5 +1,5 @@",
        "@@ -26,5 +26,4 @@",
    ]


def test_a_new_text_has_only_added_lines_and_an_old_one_only_removed_lines() -> None:
    assert list(unified("", "a\nb\n")) == ["@@ -0,0 +1,2 @@", "+a", "+b"]
    assert list(unified("a\nb\n", "")) == ["@@ -1,2 +0,0 @@", "-a", "-b"]


def test_a_missing_line_feed_at_the_end_is_shown() -> None:
    assert list(unified("a\nb", "a\nb\n")) == [
        "@@ -1,2 +1,2 @@",
        " a",
        "-b",
        "\\ No newline at end of file",
        "+b",
    ]


TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@given(TEXTS, TEXTS)
def test_a_diff_applied_to_the_old_text_gives_the_new_one(before: str, after: str) -> None:
    assert patched(before, list(unified(before, after))) == after


def test_texts_with_too_many_pairs_of_lines_are_one_change(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MOST_PAIRS", 8)
    assert list(unified("0\n1\n1\n3\n9\n", "0\n2\n2\n1\n9\n")) == [
        "@@ -1,5 +1,5 @@",
        " 0",
        "-1",
        "-1",
        "-3",
        "+2",
        "+2",
        "+1",
        " 9",
    ]
