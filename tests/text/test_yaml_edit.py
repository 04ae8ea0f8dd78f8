"""Edits of a YAML text: one key changes, every other byte and every comment stays."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from yg.text.decode_yaml import decode_yaml
from yg.text.yaml_edit import YamlText, flow_scalar, yaml_scalar

TEXT = """\
# About the file.
name: A  # its name

# About b.
b:  # why b
  - x  # the first
  # the second
  - "# not a comment"
c: 'd # neither'
"""


def content_of(text: str) -> Any:
    return yaml.load(text, yaml.BaseLoader)  # noqa: S506


def test_a_replaced_key_leaves_its_comments_in_front_and_all_else_as_it_is() -> None:
    assert YamlText(TEXT).replaced("b", "b: [y]\n").text == (
        "# About the file.\nname: A  # its name\n\n# About b.\n"
        "# why b\n# the first\n# the second\nb: [y]\nc: 'd # neither'\n"
    )


def test_an_empty_block_removes_a_key_but_no_comment() -> None:
    assert YamlText(TEXT).replaced("b", "").text == (
        "# About the file.\nname: A  # its name\n\n# About b.\n"
        "# why b\n# the first\n# the second\nc: 'd # neither'\n"
    )


def test_what_looks_like_a_comment_inside_a_text_is_none() -> None:
    assert YamlText(TEXT).replaced("c", "c: e\n").text == TEXT.replace("'d # neither'", "e")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "k: v\n"),
        ("# c\n", "# c\nk: v\n"),
        ("a: b\n", "a: b\nk: v\n"),
        ("a: b", "a: b\nk: v\n"),
        ("a: b\r\n", "a: b\r\nk: v\r\n"),
        ("a: b\r\nc: d", "a: b\r\nc: d\r\nk: v\r\n"),
        ("a: b # c", "a: b # c\nk: v\n"),
        ("\ufeffa: b\n", "\ufeffa: b\nk: v\n"),
        ("---\na: b\n", "---\na: b\nk: v\n"),
    ],
)
def test_a_key_that_is_not_there_is_added_at_the_end(text: str, expected: str) -> None:
    assert YamlText(text).replaced("k", "k: v\n").text == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k: old\nz: 1\n", "k: v\nz: 1\n"),
        ("a: 1\nk: old", "a: 1\nk: v\n"),
        ("a: 1\nk:\nz: 1\n", "a: 1\nk: v\nz: 1\n"),
        ("k: {a: 1,\n    b: 2}\nz: 1\n", "k: v\nz: 1\n"),
        ("k: one\n  two\nz: 1\n", "k: v\nz: 1\n"),
        ("k: |\n  # text\n  more\nz: 1\n", "k: v\nz: 1\n"),
        ("k:\n- a\n- b\nz: 1\n", "k: v\nz: 1\n"),
        ("'k': old\nz: 1\n", "k: v\nz: 1\n"),
        ("k: old\r\nz: 1\r\n", "k: v\r\nz: 1\r\n"),
        ("k: old # why\r\nz: 1\r\n", "# why\r\nk: v\r\nz: 1\r\n"),
        ("k: old\n# about z\nz: 1\n", "k: v\n# about z\nz: 1\n"),
        ("k: old\n\n\nz: 1\n", "k: v\n\n\nz: 1\n"),
        ("ä: 😀\nk: 😀 # 😀\nz: 1\n", "ä: 😀\n# 😀\nk: v\nz: 1\n"),
        ("\ufeffa: 1\nk: old\nz: 1\n", "\ufeffa: 1\nk: v\nz: 1\n"),
    ],
)
def test_a_key_is_replaced_whatever_its_shape(text: str, expected: str) -> None:
    assert YamlText(text).replaced("k", "k: v\n").text == expected


def test_a_block_gets_the_line_breaks_of_the_text() -> None:
    text = YamlText("a: 1\r\nk: 2\r\n").replaced("k", "k:\n  - x\n").text
    assert text == "a: 1\r\nk:\r\n  - x\r\n"


def test_keys_are_renamed_at_any_depth() -> None:
    text = YamlText("a: {x: {old: 1}}\nb:\n  'old': 2 # old\nold: 3\n")
    entries = text.root.entries or {}
    inner = (entries["a"].datum.entries or {})["x"].datum.entries or {}
    below = entries["b"].datum.entries or {}
    assert (
        text.renamed([inner["old"], below["old"]], "new").text
        == "a: {x: {new: 1}}\nb:\n  new: 2 # old\nold: 3\n"
    )


@pytest.mark.parametrize(
    ("text", "is_editable"),
    [
        ("a: 1\n", True),
        ("", True),
        ("# c\n", True),
        ("{a: 1}\n", False),
        ("- a\n", False),
        ("text\n", False),
    ],
)
def test_a_text_is_editable_when_each_key_has_its_own_line(text: str, *, is_editable: bool) -> None:
    assert YamlText(text).is_editable is is_editable


def test_only_top_level_keys_count() -> None:
    text = YamlText("a: {b: 1}\n")
    assert (text.has("a"), text.has("b")) == (True, False)


VALUES = st.sampled_from(
    ["1", "[x, y]", "{x: y}", "'q # r'", "\n  - x\n  - y", "\n  x: y", "|\n  t # u\n  v", ""]
)
COMMENTS = st.sampled_from(["", "  # c"])
KEYS = ("k", "l", "m")


@given(st.lists(st.tuples(VALUES, COMMENTS), min_size=3, max_size=3), st.sampled_from(KEYS))
def test_an_edit_changes_no_other_key_and_loses_no_comment(
    lines: list[tuple[str, str]], edited: str
) -> None:
    text = "".join(
        f"# about {key}\n{key}: {value}{'' if '#' in value else comment}\n"
        for key, (value, comment) in zip(KEYS, lines, strict=True)
    )
    before = content_of(text)
    replaced = YamlText(text).replaced(edited, f"{edited}: new\n").text
    removed = YamlText(text).replaced(edited, "").text
    assert content_of(replaced) == {**before, edited: "new"}
    assert content_of(removed) == {key: before[key] for key in KEYS if key != edited}
    for result in (replaced, removed):
        assert [result.count(f"# about {key}\n") for key in KEYS] == [1, 1, 1]
        assert result.count("# c\n") == text.count("# c\n")


# Text written as YAML.


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("plain", "plain"),
        ("two words", "two words"),
        ("src/a.py", "src/a.py"),
        ("a:b", "a:b"),
        ("é — ü", "é — ü"),
        ("", '""'),
        ("true", '"true"'),
        ("null", '"null"'),
        ("~", '"~"'),
        ("12", '"12"'),
        ("1.5", '"1.5"'),
        ("0x1F", '"0x1F"'),
        (".inf", '".inf"'),
        ("- a", '"- a"'),
        ("a: b", '"a: b"'),
        ("a:", '"a:"'),
        ("a #b", '"a #b"'),
        ("#a", '"#a"'),
        (" a", '" a"'),
        ("*", '"*"'),
        ('say "it"', 'say "it"'),
        ('"it"', '"\\"it\\""'),
        ("yes", '"yes"'),
        ("0_", '"0_"'),
        ("+1_000", '"+1_000"'),
        ("12:30", '"12:30"'),
        ("2026-01-01", '"2026-01-01"'),
    ],
)
def test_a_text_is_quoted_only_where_yaml_would_read_something_else(
    text: str, written: str
) -> None:
    assert yaml_scalar(text) == written


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_what_is_written_is_read_back(text: str) -> None:
    decoded = decode_yaml(f"k: {yaml_scalar(text)}\nl:\n  - {yaml_scalar(text)}\n")
    assert not decoded.problems
    assert decoded.datum is not None
    value: Any = decoded.datum.value
    assert (value["k"].datum.value, value["l"].datum.value[0].value) == (text, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k: {}\n", "k: {l: [{a: b}, c]}\n"),
        ("k: {m: 1}  # why\nz: 1\n", "k: {l: [{a: b}, c], m: 1}  # why\nz: 1\n"),
        ("k: {l: []}\n", "k: {l: [{a: b}, c]}\n"),
        ("k: {l: [  # why\n  x,\n]}\n", "k: {l: [{a: b}, c,   # why\n  x,\n]}\n"),
        ("k:\nz: 1\n", "k:\n  l:\n    - {a: b}\n    - c\nz: 1\n"),
        ("k:", "k:\n  l:\n    - {a: b}\n    - c\n"),
        ("k:\n  m: 1\nz: 1\n", "k:\n  m: 1\n  l:\n    - {a: b}\n    - c\nz: 1\n"),
        ("k:\n  m: [1,\n    2]  # why\n# z\nz: 1\n",
         "k:\n  m: [1,\n    2]  # why\n  l:\n    - {a: b}\n    - c\n# z\nz: 1\n"),
        ("k:\n  l:\n  m: 1\n", "k:\n  l:\n    - {a: b}\n    - c\n  m: 1\n"),
        ("k:\n  l:\n  - x\n  m: 1\n", "k:\n  l:\n  - x\n  - {a: b}\n  - c\n  m: 1\n"),
        ("k:\n  l:\n    - a: |\n        x\n\n  m: 1\n",
         "k:\n  l:\n    - a: |\n        x\n\n    - {a: b}\n    - c\n  m: 1\n"),
        ("k:\r\n  m: 1", "k:\r\n  m: 1\r\n  l:\r\n    - {a: b}\r\n    - c\r\n"),
    ],
)  # fmt: skip
def test_items_are_added_to_a_list_in_the_style_of_the_text(text: str, expected: str) -> None:
    assert YamlText(text).with_items("k", "l", ["{a: b}", "c"]).text == expected


@pytest.mark.parametrize(
    ("text", "expected"), [("a", "a"), ("a, b", '"a, b"'), ("a]", '"a]"'), ("a: b", '"a: b"')]
)
def test_text_between_brackets(text: str, expected: str) -> None:
    assert flow_scalar(text) == expected
