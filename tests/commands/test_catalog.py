"""Lists of aspects and flows, and YAML that parses back to the same values."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from schemas import faults_in
from support import graph_from
from yg.commands.catalog import (
    Aspects,
    Flows,
    aspects_text,
    flows_text,
    listed_aspect,
    listed_flows,
    yaml_list,
)
from yg.kernel.document import plain as document_data
from yg.kernel.palette import PLAIN
from yg.text.decode import Datum
from yg.text.decode_yaml import decode_yaml

GRAPH = graph_from(
    {
        "aspects/seen/logs/yg-aspect.yaml": (
            "name: Audit Logging\n"
            "description: Every state-changing operation must produce an audit log entry\n"
            "implies: [seen/traces, deterministic]\n"
            "stability: protocol\n"
        ),
        "aspects/deterministic/yg-aspect.yaml": "name: Determinism\nstability: schema\n",
        "aspects/bad/yg-aspect.yaml": "name: 1\n",
        "flows/b/yg-flow.yaml": "name: Returns\nnodes: [orders]\n",
        "flows/c/yg-flow.yaml": (
            "name: Checkout\nnodes: [orders/service, auth]\naspects: [requires-audit]\n"
        ),
        "flows/a/yg-flow.yaml": "name: Returns\nnodes: [.]\naspects: []\n",
    }
)

ASPECTS = Aspects(aspects=tuple(map(listed_aspect, GRAPH.aspects)), skipped=[])
FLOWS = Flows(flows=listed_flows(GRAPH.flows), skipped=[])


def plain(datum: Datum | None) -> Any:
    """Return a decoded value without positions."""
    assert datum is not None
    value = datum.value
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(entry.datum) for key, entry in value.items()}
    return value


def read_back(text: str) -> Any:
    decoded = decode_yaml(text)
    assert decoded.problems == ()
    return plain(decoded.datum)


def written_as(text: str) -> str:
    """Return the YAML of one scalar."""
    return yaml_list([{"k": text}]).removeprefix("- k: ").removesuffix("\n")


def test_aspects_come_by_id_and_leave_out_what_they_lack() -> None:
    assert (
        aspects_text(ASPECTS, PLAIN)
        == """\
- id: deterministic
  name: Determinism
  stability: schema
- id: seen/logs
  name: Audit Logging
  description: Every state-changing operation must produce an audit log entry
  implies:
    - seen/traces
    - deterministic
  stability: protocol
"""
    )


def test_flows_come_by_name_and_then_by_directory() -> None:
    assert document_data(FLOWS)["flows"] == [
        {
            "id": "c",
            "name": "Checkout",
            "nodes": ["orders/service", "auth"],
            "aspects": ["requires-audit"],
        },
        {"id": "a", "name": "Returns", "nodes": ["."]},
        {"id": "b", "name": "Returns", "nodes": ["orders"]},
    ]


def test_lists_as_data_hold_the_same_fields() -> None:
    documents = [document_data(ASPECTS), document_data(FLOWS)]
    texts = [aspects_text(ASPECTS, PLAIN), flows_text(FLOWS, PLAIN)]
    assert documents == [
        {"schema": "yg-aspects/1", "aspects": read_back(texts[0]), "skipped": []},
        {"schema": "yg-flows/1", "flows": read_back(texts[1]), "skipped": []},
    ]
    assert [faults_in(document) for document in documents] == [[], []]


def test_flows_are_written_as_the_specification_writes_them() -> None:
    flow = {
        "name": "Checkout Flow",
        "nodes": ["orders/order-service", "auth/auth-api"],
        "aspects": ["requires-audit"],
    }
    assert (
        yaml_list([flow])
        == """\
- name: Checkout Flow
  nodes:
    - orders/order-service
    - auth/auth-api
  aspects:
    - requires-audit
"""
    )


def test_no_entries_are_an_empty_list() -> None:
    assert (yaml_list([]), read_back(yaml_list([]))) == ("[]\n", [])


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Audit logging", "Audit logging"),
        ("seen/logs", "seen/logs"),
        ("a:b", "a:b"),
        ("a#b", "a#b"),
        ("it's", "it's"),
        ('a "b"', 'a "b"'),
        ("a, b [c] {d}", "a, b [c] {d}"),
        ("Ümläut 😀", "Ümläut 😀"),
        ("yes", '"yes"'),
        ("12:30", '"12:30"'),
        ("a\\b", "a\\b"),
        ("", '""'),
        (" a", '" a"'),
        ("a ", '"a "'),
        ("a: b", '"a: b"'),
        ("a:", '"a:"'),
        ("a #b", '"a #b"'),
        ("- a", '"- a"'),
        ("true", '"true"'),
        ("null", '"null"'),
        ("~", '"~"'),
        ("12", '"12"'),
        ("0x1F", '"0x1F"'),
        ("1e3", '"1e3"'),
        (".inf", '".inf"'),
        ("'a'", "\"'a'\""),
        ('"a"', '"\\"a\\""'),
        ("a\nb", '"a\\nb"'),
        ("a\tb", '"a\\tb"'),
        ("ä: 😀", '"ä: 😀"'),
    ],
)
def test_text_is_quoted_only_where_it_must_be(text: str, written: str) -> None:
    assert written_as(text) == written
    assert read_back(f"- {written}\n- k: {written}\n") == [text, {"k": text}]


CHARACTERS = st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"])
TRICKY = st.text("a1 .:#-?,[]{}&*!|>'\"%@`~=<\\\n\r\t\0\x7f\x85\u2028\ufeff")
TEXTS = (
    st.text(CHARACTERS) | TRICKY | st.from_regex(r"[-+.0-9xobeE_:infnaNA~]{0,8}", fullmatch=True)
)


@given(TEXTS)
@example("...")
@example("---")
@example("<<")
@example("9" * 5_000)
@example("word " * 1_000)
@example("line\n" * 1_000)
@example("\\ud83d")
def test_every_scalar_is_read_back_as_it_was_written(text: str) -> None:
    written = written_as(text)
    assert "\n" not in written
    assert read_back(f"- {written}\n- k: {written}\n  l:\n    - {written}\n") == [
        text,
        {"k": text, "l": [text]},
    ]


@given(st.text(st.characters(categories=["L", "N", "P", "S", "Zs"])).filter(str.isprintable))
def test_every_printable_scalar_is_read_back_as_it_was_written(text: str) -> None:
    assert read_back(f"- {written_as(text)}\n") == [text]


ENTRIES = st.lists(
    st.dictionaries(
        st.sampled_from(["id", "name", "description", "implies", "nodes"]),
        TEXTS | st.lists(TEXTS, min_size=1, max_size=3),
        min_size=1,
    ),
    max_size=4,
)


@given(ENTRIES)
def test_every_list_is_read_back_as_it_was_written(entries: list[dict[str, Any]]) -> None:
    assert read_back(yaml_list(entries)) == entries
