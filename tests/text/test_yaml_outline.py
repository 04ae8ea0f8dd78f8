"""The values of a YAML text while it is being written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import REPOSITORY
from yg.text.yaml_outline import outline, values_of

NODE = """\
name: A # a comment
type: service
aspects:
- aspect: "audit"
  anchors: [a, 'b c']
relations:
  - target: orders/x
    type: uses
    consumes:
      - one
      - two
  - {target: y, type: calls, consumes: [q,
      r]}
mapping: {paths: [src/a.py]}
"""


@pytest.mark.parametrize(
    "text", [NODE, NODE.replace("\n", "\r\n"), "", "# nothing\n", "a: 😀 b\nc: d"]
)
def test_a_whole_text_has_the_values_that_the_parser_finds(text: str) -> None:
    assert [value for value in outline(text) if value.text] == list(values_of(text))


def test_the_files_of_the_examples_are_understood() -> None:
    files = [*(REPOSITORY / "examples" / "shop").rglob("*.yaml")]
    assert files
    for file in files:
        text = file.read_text(encoding="utf-8")
        expected = [value for value in values_of(text) if "\n" not in value.text]
        assert [value for value in outline(text) if value.text] == expected, file


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("type: |", ("type",)),
        ("type:|", ("type",)),
        ("relations:\n  - target: |\n    type: uses\n", ("relations", 0, "target")),
        ("relations:\n- type: uses\n- target: |", ("relations", 1, "target")),
        ("nodes:\n  - a\n  - |", ("nodes", 1)),
        ("nodes:\n- a\n- |\nname: b\n", ("nodes", 1)),
        ("aspects: [|", ("aspects", 0)),
        ("aspects: [a, |]", ("aspects", 1)),
        ("aspects: [a, b|", ("aspects", 1)),
        ("relations: [{target: |, type: uses", ("relations", 0, "target")),
        ("relations: [{target: a, consumes: [x, |", ("relations", 0, "consumes", 1)),
        ("mapping:\n  paths:\n    - src/|", ("mapping", "paths", 0)),
        ("a: [x\nb: |", ("b",)),  # the bracket was left open
    ],
)
def test_the_value_at_the_cursor_is_found_while_it_is_written(
    text: str, keys: tuple[str | int, ...]
) -> None:
    at = text.index("|")
    found = [value for value in outline(text.replace("|", "")) if value.start <= at <= value.end]
    assert [value.keys for value in found][-1:] == [keys]


@given(st.text("ab:-[]{},'\"#| \n\r\t\\&*!>?😀", max_size=40))
def test_any_text_is_read_to_its_end(text: str) -> None:
    for value in outline(text):
        assert 0 <= value.start <= value.end <= len(text)
