"""The values of a YAML text have exact start and end offsets."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from yg.text.decode import Datum
from yg.text.yaml_edit import tree_of


def shown(text: str, datum: Datum) -> object:
    """Return a value as the pieces of text that it covers."""
    if datum.items is not None:
        return [shown(text, item) for item in datum.items]
    if datum.entries is not None:
        entries = datum.entries.values()
        return {text[entry.start : entry.end]: shown(text, entry.datum) for entry in entries}
    return text[datum.start : datum.end]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: b\n", {"a": "b"}),
        ("a: b", {"a": "b"}),
        ("a: b  # c\nd: e\n", {"a": "b", "d": "e"}),
        ("a: 'it''s'\n", {"a": "'it''s'"}),
        ('"a b": "\\n"\n', {'"a b"': '"\\n"'}),
        ("a:\nb: x\n", {"a": "", "b": "x"}),
        ("a: [b, 'c', {d: e}]\n", {"a": ["b", "'c'", {"d": "e"}]}),
        ("a:\n- b\n- c # d\n", {"a": ["b", "c"]}),
        ("a:\r\n  - b\r\n  - c\r\n", {"a": ["b", "c"]}),
        ("a: b\n  c\n", {"a": "b\n  c"}),
        ("- a\n- b\n", ["a", "b"]),
        ("{a: [], b: {}}\n", {"a": [], "b": {}}),
        ("a: [?x, {?y: ?z}, ? k]\n", {"a": ["?x", {"?y": "?z"}, {"k": ""}]}),
        ("a: &x b\nc: *x\n", {"a": "&x b", "c": "*x"}),
        ("---\na: b\n", {"a": "b"}),
        ("# only before\n\na: b\n", {"a": "b"}),
        ("a: 😀 # 😀\nb: ü\n", {"a": "😀", "b": "ü"}),
    ],
)
@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["", "with a byte order mark"])
def test_a_span_covers_exactly_what_is_written(text: str, expected: object, mark: str) -> None:
    root = tree_of(mark + text)
    assert root is not None
    assert shown(mark + text, root) == expected


def test_a_span_says_how_its_value_is_written() -> None:
    text = "a: [x]\nb:\n  - x\nc: {x: y}\nd:\n  x: y\n"
    root = tree_of(text)
    assert root is not None
    assert root.entries is not None
    flows = {name: entry.datum.is_flow for name, entry in root.entries.items()}
    assert (root.is_flow, flows) == (False, {"a": True, "b": False, "c": True, "d": False})


def test_a_flow_value_ends_behind_its_bracket() -> None:
    text = "a: [ x, y ] # z\nb: {x: y}\n"
    root = tree_of(text)
    assert root is not None
    assert root.entries is not None
    values = (entry.datum for entry in root.entries.values())
    assert [text[value.start : value.end] for value in values] == [
        "[ x, y ]",
        "{x: y}",
    ]


def test_an_alias_is_where_it_is_written() -> None:
    text = "a: &x [b]\nc: *x\n"
    root = tree_of(text)
    assert root is not None
    assert root.entries is not None
    alias = root.entries["c"].datum
    assert (text[alias.start : alias.end], alias.is_alias, alias.items) == ("*x", True, None)


@pytest.mark.parametrize("text", ["", "\n", "# nothing\n", "\ufeff", "\r\n"])
def test_a_text_without_a_document_has_no_span(text: str) -> None:
    assert tree_of(text) is None


@pytest.mark.parametrize("text", ["a: [", "a: 'b", "a: b: c", "\ta: b", "a: *x: y"])
def test_a_text_that_is_not_yaml_is_an_error(text: str) -> None:
    with pytest.raises(yaml.YAMLError):
        tree_of(text)


WORDS = st.text("abc é😀", min_size=1, max_size=6).map(lambda text: f"'{text}'")


@given(st.lists(WORDS, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n"]))
def test_offsets_count_characters_whatever_the_letters(words: list[str], line_break: str) -> None:
    text = line_break.join(["a:", *(f"  - {word}  # {word}" for word in words), ""])
    root = tree_of(text)
    assert root is not None
    assert shown(text, root) == {"a": words}
