"""Nodes and aspects of 1.x, text by text: what changes, what stays, what is said."""

from __future__ import annotations

import pytest

from yg.yggdrasil.start.upgrade_node import rewritten_aspect, rewritten_node, tag_of

HEAD = "name: A\ntype: service\n"
ASPECTS = ("audit", "fast")
UNABLE = "cannot be rewritten: fix it by hand, see 'yg validate'"


def node(text: str) -> tuple[str, list[str]]:
    rewrite = rewritten_node(HEAD + text, ASPECTS)
    assert rewrite.text.startswith(HEAD)
    return rewrite.text.removeprefix(HEAD), rewrite.warnings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", ""),
        ("aspects: []\n", "aspects: []\n"),
        ("aspects: [audit]\n", "aspects:\n  - aspect: audit\n"),
        ("aspects:\n- fast\n- audit\n", "aspects:\n  - aspect: fast\n  - aspect: audit\n"),
        ("aspects: audit\n", "aspects:\n  - aspect: audit\n"),
        ("aspects: [nowhere]\n", "aspects:\n  - aspect: nowhere\n"),
        ("aspects: ['a: b']\n", 'aspects:\n  - aspect: "a: b"\n'),
        ("tags: [audit]\n", "aspects:\n  - aspect: audit\n"),
        ("tags: [audit]\naspects: [audit]\n", "aspects:\n  - aspect: audit\n"),
        ("tags: [fast]\naspects: [audit]\n", "aspects:\n  - aspect: audit\n  - aspect: fast\n"),
        ("tags: []\n", ""),
        ("tags:\n", ""),
        (
            "aspects: [audit]\naspect_exceptions: {audit: [One., Two.]}\n",
            "aspects:\n  - aspect: audit\n    exceptions:\n      - One.\n      - Two.\n",
        ),
        (
            "aspects: [audit]\naspect_exceptions: {audit: One.}\n",
            "aspects:\n  - aspect: audit\n    exceptions:\n      - One.\n",
        ),
        (
            "tags: [fast]\nanchors:\n  fast: [f, g]\n",
            "aspects:\n  - aspect: fast\n    anchors:\n      - f\n      - g\n",
        ),
        ("aspects: [audit]\nanchors: {}\n", "aspects:\n  - aspect: audit\n"),
        ("aspects: [audit]\nanchors: {audit: []}\n", "aspects:\n  - aspect: audit\n"),
        (
            "aspects: [{aspect: audit, exceptions: [One.]}]\naspect_exceptions: {audit: [Two.]}\n",
            "aspects:\n  - aspect: audit\n    exceptions:\n      - One.\n      - Two.\n",
        ),
        ("aspects: [{aspect: audit}]\n", "aspects: [{aspect: audit}]\n"),
        ("mapping: {type: file, path: a.py}\n", "mapping:\n  paths:\n    - a.py\n"),
        ("mapping:\n  type: directory\n  path: src/a\n", "mapping:\n  paths:\n    - src/a\n"),
        ("mapping: {path: a.py}\n", "mapping:\n  paths:\n    - a.py\n"),
        ("mapping: {type: files, paths: [a, b]}\n", "mapping:\n  paths:\n    - a\n    - b\n"),
        ("mapping: {type: files, paths: ['1']}\n", 'mapping:\n  paths:\n    - "1"\n'),
        ("mapping: src/a\n", "mapping:\n  paths:\n    - src/a\n"),
        ("mapping: [a, b]\n", "mapping:\n  paths:\n    - a\n    - b\n"),
        ("mapping: {paths: [a]}\n", "mapping: {paths: [a]}\n"),
        ("knowledge: []\n", ""),
        (
            "relations:\n  - {target: b, type: calls}\n",
            "relations:\n  - {target: b, type: calls}\n",
        ),
        ("blackbox: true\nowner: me\n", "blackbox: true\nowner: me\n"),
    ],
)
def test_a_node_is_rewritten_without_a_word_where_nothing_is_lost(old: str, new: str) -> None:
    assert node(old) == (new, [])


@pytest.mark.parametrize(
    ("old", "new", "warning"),
    [
        ("tags: [loud]\n", "", "tag 'loud' was dropped: there is no aspect of that id"),
        (
            "aspect_exceptions: {audit: [One., Two.]}\n",
            "",
            "'aspect_exceptions' of 'audit' was dropped: the node lacks it: One.; Two.",
        ),
        (
            "aspects: [audit]\nanchors: {fast: [f]}\n",
            "aspects:\n  - aspect: audit\n",
            "'anchors' of 'fast' was dropped: the node lacks it: f",
        ),
        ("knowledge: [a, b]\n", "", "'knowledge' has no counterpart and was dropped: a, b"),
        ("knowledge: a\n", "", "'knowledge' has no counterpart and was dropped: a"),
    ],
)
def test_what_a_node_loses_is_said(old: str, new: str, warning: str) -> None:
    assert node(old) == (new, [warning])


def test_a_dropped_value_without_an_aspect_is_named() -> None:
    text, warnings = node("aspects: [audit]\nanchors: [record]\n")
    assert text == "aspects:\n  - aspect: audit\n"
    assert len(warnings) == 1
    assert "'anchors' was dropped: it names no aspect" in warnings[0]
    assert "record" in warnings[0]


def test_comments_and_unknown_keys_stay() -> None:
    old = """\
# Above the tags.
tags:  # beside
  # inside
  - audit  # behind
colour: green  # unknown
mapping: {type: file, path: 'a#b.py'}  # mapped
# the end
"""
    assert node(old) == (
        """\
# Above the tags.
# beside
# inside
# behind
colour: green  # unknown
# mapped
mapping:
  paths:
    - a#b.py
# the end
aspects:
  - aspect: audit
""",
        [],
    )


def test_line_breaks_stay_what_they_are() -> None:
    rewrite = rewritten_node("name: A\r\ntags: [audit]\r\nmapping: src\r\n", ASPECTS)
    assert rewrite.text == (
        "name: A\r\nmapping:\r\n  paths:\r\n    - src\r\naspects:\r\n  - aspect: audit\r\n"
    )


def test_a_rewritten_node_is_not_rewritten_again() -> None:
    old = f"{HEAD}tags: [audit]\naspects: [fast]\nanchors: {{fast: [f]}}\nmapping: [a]\n"
    once = rewritten_node(old, ASPECTS)
    assert rewritten_node(once.text, ASPECTS).text == once.text


@pytest.mark.parametrize("text", ["name: [\n", "- a\n", "", "text\n", "a: 1\na: 2\n"])
def test_what_is_not_a_mapping_of_lines_is_left_as_it_is(text: str) -> None:
    for rewrite in (rewritten_node(text, ASPECTS), rewritten_aspect(text)):
        assert (rewrite.text, rewrite.warnings) == (text, [UNABLE])
    assert tag_of(text) is None


@pytest.mark.parametrize(
    ("old", "new", "warnings"),
    [
        ("name: A\n", "name: A\n", []),
        ("name: A\ntag: a\n", "name: A\n", []),
        ("tag: a # why\nname: A\n", "# why\nname: A\n", []),
        (
            "name: A\nanchors: [f, g]\n",
            "name: A\n",
            ["'anchors' belong to nodes and were dropped: f, g"],
        ),
        (
            "name: A\nimplies: [b]\nowner: me # x\n",
            "name: A\nimplies: [b]\nowner: me # x\n",
            [],
        ),
    ],
)
def test_an_aspect_is_rewritten(old: str, new: str, warnings: list[str]) -> None:
    rewrite = rewritten_aspect(old)
    assert (rewrite.text, rewrite.warnings) == (new, warnings)


@pytest.mark.parametrize(
    ("text", "tag"), [("tag: a\n", "a"), ("tag: 'a b'\n", "a b"), ("name: A\n", None)]
)
def test_an_aspect_goes_by_its_tag(text: str, tag: str | None) -> None:
    assert tag_of(text) == tag
