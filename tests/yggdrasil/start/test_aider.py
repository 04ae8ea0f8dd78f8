"""Aider's configuration gets one more file to read, and keeps every byte it has."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from yg.kernel.errors import YgError
from yg.yggdrasil.start.platforms import with_read_entry, without_read_entry

RULES = ".yggdrasil/agent-rules.md"

SHAPES = [
    # Nothing is read yet.
    ("", f"read:\n  - {RULES}\n"),
    ("# mine\n", f"# mine\nread:\n  - {RULES}\n"),
    ("model: x\n", f"model: x\nread:\n  - {RULES}\n"),
    ("model: x", f"model: x\nread:\n  - {RULES}"),
    ("model: x\r\n", f"model: x\r\nread:\r\n  - {RULES}\r\n"),
    ("---\nmodel: x\n", f"---\nmodel: x\nread:\n  - {RULES}\n"),
    ("#read: a\nx: 1\n", f"#read: a\nx: 1\nread:\n  - {RULES}\n"),
    ("x: {read: a}\n", f"x: {{read: a}}\nread:\n  - {RULES}\n"),
    ("x: |\n  read: a\n", f"x: |\n  read: a\nread:\n  - {RULES}\n"),
    ("\ufeffmodel: x\n", f"\ufeffmodel: x\nread:\n  - {RULES}\n"),
    # A key without a value.
    ("read:\n", f"read: [{RULES}]\n"),
    ("read:", f"read: [{RULES}]"),
    ("read:   \nx: 1\n", f"read: [{RULES}]   \nx: 1\n"),
    ("read: # mine\nx: 1\n", f"read: [{RULES}] # mine\nx: 1\n"),
    # One file.
    ("read: a.md\n", f"read: [a.md, {RULES}]\n"),
    ("read: a.md", f"read: [a.md, {RULES}]"),
    ("read:   a.md   # mine\nx: 1\n", f"read:   [a.md, {RULES}]   # mine\nx: 1\n"),
    ("read: 'a b.md'\n", f"read: ['a b.md', {RULES}]\n"),
    ('read: "a, b.md"\n', f'read: ["a, b.md", {RULES}]\n'),
    ('"read": a.md\n', f'"read": [a.md, {RULES}]\n'),
    ("read: a.md\r\nx: 1\r\n", f"read: [a.md, {RULES}]\r\nx: 1\r\n"),
    ("\ufeffread: a.md\n", f"\ufeffread: [a.md, {RULES}]\n"),
    ("# 😀\nread: 😀.md # 😀\n", f"# 😀\nread: [😀.md, {RULES}] # 😀\n"),
    # A list in brackets.
    ("read: []\n", f"read: [{RULES}]\n"),
    ("read: [a.md]\n", f"read: [a.md, {RULES}]\n"),
    ("read: [a.md, 'b'] # mine\n", f"read: [a.md, 'b', {RULES}] # mine\n"),
    ("read:\n  [a.md,\n   b.md]\nx: 1\n", f"read:\n  [a.md,\n   b.md, {RULES}]\nx: 1\n"),
    # A list of lines.
    ("read:\n  - a.md\n", f"read:\n  - a.md\n  - {RULES}\n"),
    ("read:\n- a.md\n- b.md", f"read:\n- a.md\n- b.md\n- {RULES}"),
    ("read:\n    - a # why\nx: 1\n", f"read:\n    - a # why\n    - {RULES}\nx: 1\n"),
    ("read:\r\n  - a\r\nx: 1\r\n", f"read:\r\n  - a\r\n  - {RULES}\r\nx: 1\r\n"),
    ("read:\n  - a\n\n# about x\nx: 1\n", f"read:\n  - a\n  - {RULES}\n\n# about x\nx: 1\n"),
    ("read:\n  # first\n  - 'a'\n", f"read:\n  # first\n  - 'a'\n  - {RULES}\n"),
]


def data(text: str) -> dict[str, Any]:
    return yaml.load(text.removeprefix("\ufeff"), yaml.BaseLoader) or {}  # noqa: S506


@pytest.mark.parametrize(("text", "expected"), SHAPES)
def test_the_rules_are_one_more_file_to_read(text: str, expected: str) -> None:
    assert with_read_entry(text, RULES) == expected


# Both come to hold the same list, so one of them does not return.
TWINS = {"read: []\n": "read:\n", "read: [a.md]\n": "read: a.md\n"}


@pytest.mark.parametrize("text", [text for text, _ in SHAPES])
def test_a_removal_leaves_what_was_there_before(text: str) -> None:
    assert without_read_entry(with_read_entry(text, RULES), RULES) == TWINS.get(text, text)
    assert without_read_entry(text, RULES) == text


@pytest.mark.parametrize("text", [text for text, _ in SHAPES])
def test_what_was_configured_before_still_is(text: str) -> None:
    before, after = data(text), data(with_read_entry(text, RULES))
    read = before.pop("read", [])
    listed = read if isinstance(read, list) else [item for item in [read] if item]
    assert after == {**before, "read": [*listed, RULES]}


@pytest.mark.parametrize("text", [text for text, _ in SHAPES])
def test_a_second_time_changes_nothing(text: str) -> None:
    once = with_read_entry(text, RULES)
    assert with_read_entry(once, RULES) == once


@pytest.mark.parametrize(
    "text",
    [
        f"read: {RULES}\n",
        f"read: '{RULES}' # ours\n",
        f"read: [a, {RULES}, b]\n",
        f'read: ["{RULES}"]',
        f"read:\n  - {RULES}\n  - a\n",
        f"read:\r\n- a\r\n- {RULES}",
    ],
)
def test_a_configuration_that_reads_the_rules_stays_as_it_is(text: str) -> None:
    assert with_read_entry(text, RULES) == text


@pytest.mark.parametrize("text", ["read: [a\n", "read: 'a\n", "\tread: a\n", "a: b: c\n"])
def test_a_configuration_that_is_not_yaml_is_refused(text: str) -> None:
    with pytest.raises(YgError) as caught:
        with_read_entry(text, RULES)
    assert caught.value.message == ".aider.conf.yml is not a YAML mapping"
    assert caught.value.hint == "Fix it first; nothing was written."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("read: [a,]\n", f"read: [a, {RULES}]\n"),
        ("read: ~\n", f"read: [{RULES}]\n"),
        ("read: a,b\n", f'read: ["a,b", {RULES}]\n'),
        ("read: a{b}\n", f'read: ["a{{b}}", {RULES}]\n'),
    ],
)
def test_odd_spellings_are_extended_without_another_meaning(text: str, expected: str) -> None:
    assert with_read_entry(text, RULES) == expected


@pytest.mark.parametrize("text", ["read: |\n  a\n", "model: x\n...\n", "{model: x}\n"])
def test_a_text_that_cannot_be_extended_safely_is_left_alone(text: str) -> None:
    with pytest.raises(YgError, match="without changing the rest"):
        with_read_entry(text, RULES)
