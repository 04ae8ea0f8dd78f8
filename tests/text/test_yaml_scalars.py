"""Single values of a YAML text get others; not one more character changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from yg.text.decode import plain
from yg.text.decode_yaml import decode_yaml
from yg.text.yaml_scalars import with_scalars


@pytest.mark.parametrize(
    ("text", "place", "new", "expected"),
    [
        ("a: old\n", (1, 4), "new", "a: new\n"),
        ("a:   old   # why\nb: old\n", (1, 6), "new", "a:   new   # why\nb: old\n"),
        ("a: 'old'\n", (1, 4), "it's", "a: 'it''s'\n"),
        ('a: "old"\n', (1, 4), 'a "b"', 'a: "a \\"b\\""\n'),
        ("a: 'old'\n", (1, 4), "a\tb", 'a: "a\\tb"\n'),
        ("a: old\n", (1, 4), "a: b", 'a: "a: b"\n'),
        ("a: old\n", (1, 4), "12", 'a: "12"\n'),
        ("a: old\n", (1, 4), "a,b", "a: a,b\n"),
        ("a: [old, x]\n", (1, 5), "a,b", 'a: ["a,b", x]\n'),
        ("a: [old, x]\n", (1, 5), "a b", "a: [a b, x]\n"),
        ("a: {b: old}\n", (1, 8), "x", "a: {b: x}\n"),
        ("a:\r\n  - old\r\n  - x\r\n", (2, 5), "new", "a:\r\n  - new\r\n  - x\r\n"),
        ("a: !!str old\n", (1, 4), "new", "a: !!str new\n"),
        ("a: !<tag:yaml.org,2002:str> old\n", (1, 4), "new", "a: !<tag:yaml.org,2002:str> new\n"),
        ("a: &x # why\n  old\n", (1, 4), "new", "a: &x # why\n  new\n"),
        ("a: |-\n  old\nb: 1\n", (1, 4), "new", "a: |-\n  new\nb: 1\n"),
        ("a: >-\n  old\n\n# end\n", (1, 4), "new", "a: >-\n  new\n\n# end\n"),
        ("a: é old\nb: ü\n", (2, 4), "ö", "a: é old\nb: ö\n"),
        ("a: [?x, old]\n", (1, 9), "new", "a: [?x, new]\n"),
        ("? old\n: 1\n", (1, 3), "new", "? new\n: 1\n"),
    ],
)
def test_a_value_is_written_in_the_style_of_the_old_one(
    text: str, place: tuple[int, int], new: str, expected: str
) -> None:
    assert with_scalars(text, {place: new}) == expected


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        # All follow the anchor.
        ("a: &x old\nb: *x\n", {(1, 4): "new", (2, 4): "new"}, "a: &x new\nb: *x\n"),
        # Only the anchor changes, so the alias is written out.
        ("a: &x old\nb: *x\n", {(1, 4): "new"}, "a: &x new\nb: old\n"),
        # Only the alias changes.
        ("a: &x old\nb: *x\nc: *x\n", {(2, 4): "new"}, "a: &x old\nb: new\nc: *x\n"),
        # An anchor may be defined again.
        (
            "a: &x old\nb: &x o\nc: *x\n",
            {(1, 4): "new"},
            "a: &x new\nb: &x o\nc: *x\n",
        ),
        ("a: &x old\nb: &x [1]\nc: *x\n", {(1, 4): "new"}, "a: &x new\nb: &x [1]\nc: *x\n"),
        ("a: &x [old]\nb: *x\n", {(1, 8): "new"}, "a: &x [new]\nb: *x\n"),
        ("a: [&x old, *x]\n", {(1, 13): "a,b"}, 'a: [&x old, "a,b"]\n'),
    ],
)
def test_an_alias_gets_the_value_that_it_is_to_have(
    text: str, values: dict[tuple[int, int], str], expected: str
) -> None:
    assert with_scalars(text, values) == expected


def test_without_values_nothing_changes() -> None:
    text = "# a\na: {b: [c, 'd']}  # e\n"
    assert with_scalars(text, {}) == text


names = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), min_size=1, max_size=8)


@given(old=names, new=names, style=st.sampled_from(["'{}'", '"{}"']))
def test_any_text_can_be_written_in_quotes(old: str, new: str, style: str) -> None:
    inside = old.replace("'", "''") if style[0] == "'" else old.replace("\\", "").replace('"', "")
    for text, column in (
        (f"a: {style.format(inside)}\nb: x\n", 4),
        (f"a: [{style.format(inside)}, x]\n", 5),
    ):
        if decode_yaml(text).problems:
            continue  # not a character of YAML
        result = with_scalars(text, {(1, column): new})
        before, after = plain(decode_yaml(text).datum), plain(decode_yaml(result).datum)
        if isinstance(before["a"], list):
            assert after == {"a": [new, "x"]}
        else:
            assert after == {"a": new, "b": "x"}
