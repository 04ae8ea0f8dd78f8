"""Edits of a JSON text: one value changes, every other byte stays."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text.json_edit import JsonText

SHORT = """\
{
    "id": "A",
    "links": {"x": ["B", "C"]},
    "nodes": [
        { "id": "A" },
        { "id": "B" }
    ]
}
"""


@pytest.mark.parametrize(
    ("path", "value", "old", "new"),
    [
        (("id",), "Ä\n", '"A",', '"Ä\\n",'),
        (("links", "x"), ["D"], '["B", "C"]', '["D"]'),
        (("links", "y"), ["D"], '"C"]}', '"C"], "y": ["D"]}'),
        (("nodes", 1, "id"), "C", '"id": "B"', '"id": "C"'),
        (("meta", "a"), 1, "    ]\n", '    ],\n    "meta": {\n        "a": 1\n    }\n'),
        (("tags",), ["t"], "    ]\n", '    ],\n    "tags": ["t"]\n'),
    ],
    ids=str,
)
def test_a_value_is_replaced_or_added_in_the_style_of_the_file(
    path: tuple[str | int, ...], value: Any, old: str, new: str
) -> None:
    assert JsonText(SHORT).put(path, value).text == SHORT.replace(old, new, 1)


def test_an_item_is_added_like_the_one_before_it() -> None:
    item = {"id": "C", "path": "c"}
    expected = '{ "id": "B" },\n        { "id": "C", "path": "c" }\n'
    assert expected in JsonText(SHORT).append(("nodes",), item).text
    assert '["B", "C", "D"]' in JsonText(SHORT).append(("links", "x"), "D").text


@pytest.mark.parametrize(
    ("text", "path", "expected"),
    [
        ('{"a":[1],"b":2}', ("a",), '{"a":[1,{"k":1}],"b":2}'),
        ('{"a": []}', ("a",), '{"a": [{"k": 1}]}'),
        ("[\n\t1\n]", (), '[\n\t1,\n\t{\n\t\t"k": 1\n\t}\n]'),
        ("[\r\n  1\r\n]", (), '[\r\n  1,\r\n  {\r\n    "k": 1\r\n  }\r\n]'),
        ('\ufeff{\n "a": []}', ("a",), '\ufeff{\n "a": [\n  {\n   "k": 1\n  }\n ]}'),
        ("[]", (), '[\n  {\n    "k": 1\n  }\n]'),
    ],
)
def test_line_breaks_indentation_and_spaces_are_those_of_the_file(
    text: str, path: tuple[str, ...], expected: str
) -> None:
    assert JsonText(text).append(path, {"k": 1}).text == expected


@pytest.mark.parametrize(
    ("positions", "expected"),
    [
        ([0], "[2, 3]"),
        ([1], "[1, 3]"),
        ([2], "[1, 2]"),
        ([0, 2], "[2]"),
        ([1, 2], "[1]"),
        ([0, 1, 2], "[]"),
        ([], "[1, 2, 3]"),
    ],
)
def test_removed_items_take_one_comma_each_with_them(positions: list[int], expected: str) -> None:
    assert JsonText("[1, 2, 3]").remove_parts((), positions).text == expected


def test_a_key_that_is_missing_is_not_removed() -> None:
    assert JsonText(SHORT).remove(("links", "z")).text == SHORT
    assert JsonText(SHORT).remove(("id", "z")).text == SHORT


@pytest.mark.parametrize(
    ("path", "message"),
    [(("id", "x"), "'id' is not an object"), (("nodes", "x"), "'nodes' is not an object")],
)
def test_nothing_is_put_into_a_value_that_is_not_an_object(
    path: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        JsonText(SHORT).put(path, 1)
    with pytest.raises(ValueError, match="'links' is not a list"):
        JsonText(SHORT).append(("links",), 1)


def test_a_document_is_written_in_the_style_of_another() -> None:
    assert JsonText('{\r\n\t"a": 1\r\n}').document({"b": [1]}) == (
        '{\r\n\t"b": [\r\n\t\t1\r\n\t]\r\n}\r\n'
    )
    assert JsonText('{"a": 1}').document({"b": 1}) == '{\n  "b": 1\n}\n'


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=8,
)
INDENTS = st.sampled_from([None, 0, 1, 2, "\t"])


@given(st.dictionaries(st.text(max_size=4), VALUES, max_size=4), INDENTS, st.text(), VALUES)
def test_a_text_holds_what_was_put_into_it(
    data: dict[str, Any], indent: Any, key: str, value: Any
) -> None:
    text = JsonText(json.dumps(data, indent=indent, ensure_ascii=False))
    put = (
        text.put((key, "in"), value) if isinstance(data.get(key), dict) else text.put((key,), value)
    )
    expected = {**data[key], "in": value} if isinstance(data.get(key), dict) else value
    assert json.loads(put.text) == {**data, key: expected}
    assert list(json.loads(put.text)) == list({**data, key: expected})
    removed = put.remove((key,))
    assert json.loads(removed.text) == {name: item for name, item in data.items() if name != key}
    if key not in data and data:
        assert removed.text == text.text


@given(st.lists(VALUES, max_size=5), INDENTS, st.sets(st.integers(0, 4)), VALUES)
def test_a_list_holds_what_was_added_and_not_removed(
    items: list[Any], indent: Any, positions: set[int], value: Any
) -> None:
    text = JsonText(json.dumps(items, indent=indent, ensure_ascii=False))
    assert json.loads(text.append((), value).text) == [*items, value]
    removed = text.remove_parts((), {at for at in positions if at < len(items)})
    assert json.loads(removed.text) == [
        item for at, item in enumerate(items) if at not in positions
    ]
