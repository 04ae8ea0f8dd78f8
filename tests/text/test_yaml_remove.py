"""Removal of items from lists in YAML: nothing else changes."""

from __future__ import annotations

import pytest

from yg.text.yaml_remove import without_items

BLOCK = """\
name: a
relations:
  # the first
  - target: b
    type: uses    # for b
  - {target: c, type: uses}

  -
    target: d
    type: calls
    consumes:
      - x
mapping: {paths: [src]}
"""


@pytest.mark.parametrize(
    ("text", "items", "expected"),
    [
        (BLOCK, [0], BLOCK.replace("  - target: b\n    type: uses    # for b\n", "")),
        (BLOCK, [1], BLOCK.replace("  - {target: c, type: uses}\n", "")),
        (BLOCK, [2], BLOCK.partition("  -\n")[0] + "mapping: {paths: [src]}\n"),
        (BLOCK, [0, 1, 2], "name: a\n# the first\n# for b\nmapping: {paths: [src]}\n"),
        ("relations:\n- a\n- b\n- c\n", [0, 2], "relations:\n- b\n"),
        ("relations:\r\n- a\r\n- b\r\n", [0], "relations:\r\n- b\r\n"),
        ("relations: [a, 'b' , c]\n", [0], "relations: ['b' , c]\n"),
        ("relations: [a, 'b' , c]\n", [1], "relations: [a , c]\n"),
        ("relations: [a, 'b' , c]\n", [0, 2], "relations: ['b']\n"),
        ("relations: [a, b, c]\n", [0, 1], "relations: [c]\n"),
        ("relations: [a, b, c]\n", [1, 2], "relations: [a]\n"),
        ("relations: [a]\nx: 1\n", [0], "x: 1\n"),
        ("{relations: [a], x: 1}\n", [0], "{relations: [], x: 1}\n"),
        ("relations:\n- |\n  a\n  b\n- c", [0], "relations:\n- c"),
        ("relations:\n- a\n- |\n  a\n  b\n", [1], "relations:\n- a\n"),
        ("relations:\n- a\n- b", [1], "relations:\n- a\n"),
    ],
)
def test_only_the_items_are_removed(text: str, items: list[int], expected: str) -> None:
    assert without_items(text, [("relations", at) for at in items]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("code:\n  accepted:\n    - a\n    - b\n  x: 1\n", "code:\n  accepted: []\n  x: 1\n"),
        ("code: {accepted: [a, b]}\n", "code: {accepted: []}\n"),
    ],
)
def test_a_list_further_inside_becomes_empty(text: str, expected: str) -> None:
    assert without_items(text, [("code", "accepted", 0), ("code", "accepted", 1)]) == expected


@pytest.mark.parametrize(
    "text",
    [
        "x: &x [a, b]\nrelations: *x\n",
        "relations: [&a a, *a, b]\n",
        "relations: a\n",
        "name: a\n",
        "relations:\n- a\n",
    ],
)
def test_what_would_change_more_is_refused(text: str) -> None:
    assert without_items(text, [("relations", 0), ("relations", 5)]) is None
