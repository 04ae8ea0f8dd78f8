"""Texts written as YAML read back as the same texts, under our reader and under YAML 1.1."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from engine.decoded import plain
from yg.text.decode_yaml import decode_yaml
from yg.text.encode_yaml import yaml_list, yaml_scalar

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
TRICKY = st.text(
    "-?:,[]{}#&*!|>'\"%@` \t\n0123456789.+_yesnofulltru~=<\\é\x85\u2028\ufeff\U0001f600"
)


@pytest.mark.parametrize(
    ("text", "scalar"),
    [
        ("Checkout Flow", "Checkout Flow"),
        ("a-b/c_d.e", "a-b/c_d.e"),
        ("Größe [cm]", "Größe [cm]"),
        ("", '""'),
        ("yes", '"yes"'),
        ("null", '"null"'),
        ("12:30", '"12:30"'),
        ("- item", '"- item"'),
        ("key: value", '"key: value"'),
        ("one #two", '"one #two"'),
        ("ends:", '"ends:"'),
        (" blank", '" blank"'),
        ('say "hi"', 'say "hi"'),
        ('"hi"', '"\\"hi\\""'),
        ("two\nlines\n", '"two\\nlines\\n"'),
        ("\x1b[31m", '"\\x1b[31m"'),
        ("\u202egpj", '"\\u202egpj"'),
        ("\U000e0001", '"\\U000e0001"'),
    ],
)
def test_a_text_is_quoted_only_if_it_would_read_as_something_else(text: str, scalar: str) -> None:
    assert yaml_scalar(text) == scalar


@given(TEXTS | TRICKY)
def test_a_scalar_reads_back_as_the_same_text(text: str) -> None:
    written = f"- {yaml_scalar(text)}\n"
    assert plain(decode_yaml(written).datum) == [text]
    assert yaml.safe_load(written) == [text]


@given(st.lists(st.fixed_dictionaries({"id": TEXTS, "nodes": st.lists(TRICKY, min_size=1)})))
def test_a_list_reads_back_as_the_same_entries(entries: list[dict[str, str | list[str]]]) -> None:
    assert yaml.safe_load(yaml_list(entries)) == entries


def test_lists_are_indented_below_their_key() -> None:
    assert yaml_list([{"name": "A", "nodes": ["a", "b"]}, {"name": "B"}]) == (
        "- name: A\n  nodes:\n    - a\n    - b\n- name: B\n"
    )
    assert yaml_list([]) == "[]\n"
