"""The JSON Schemas that ship say what the reader says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from spec_schema import NAMES, graph_schema, node_schema, schema_text, shipped
from specgraph.graphs import DIGEST, Data, index_of, node, spec_from, written
from yg.specgraph.model import TYPES, NoteKind
from yg.specgraph.node_shapes import INDEX, NODE
from yg.text.decode_json import decode_json

SCHEMAS = dict(zip(NAMES, (graph_schema(), node_schema()), strict=True))
GRAPH, NODES = (Draft7Validator(schema) for schema in SCHEMAS.values())
OF_NODES = (NoteKind.FILE, NoteKind.SCHEMA, NoteKind.RATIONALE)


def node_faults(data: object) -> list[str]:
    """Return what the reader says against the shape of a node."""
    index = written(index_of({"N": {}}))
    graph = spec_from({"specgraph/graph.json": index, "specgraph/nodes/N.json": json.dumps(data)})
    return [note.finding.message for note in graph.notes if note.kind in OF_NODES]


def index_faults(data: object) -> list[str]:
    """Return what the reader says against the shape of an index."""
    notes = spec_from({"specgraph/graph.json": json.dumps(data)}).index.notes
    return [note.finding.message for note in notes if note.kind is NoteKind.INDEX]


FULL_VERIFICATION = [
    "make",
    {"kind": "command", "command": "x", "cwd": "c", "env": {"A": "1"}, "url": "/"},
    {"kind": "http", "method": "GET", "url": "/", "expectStatus": 200, "timeoutSeconds": 3600},
    {"kind": "manual", "steps": ["one"], "description": "d"},
    {"kind": "observation", "description": "d", "expected": "e"},
    {"kind": "policy", "ruleId": "r"},
]
METADATA = {
    "rationale": "A reason.!",
    "notes": "n",
    "owner": "o",
    "tags": ["t"],
    "rejected_alternatives": [{"title": "too", "reason": "A reason.!"}],
    "other": {"x": [1]},
}


def complete(kind: str) -> Data:
    """Make a node with every key that its type may have."""
    data = {"id": "N", **node(kind, depends_on=["A"], contains=[]), "metadata": METADATA}
    if TYPES[kind].shape == "statement":
        data |= {"verification": FULL_VERIFICATION, "pins": [{"id": "A", "sha256": DIGEST}]}
    return data if TYPES[kind].is_group else {**data, "constraints": ["c"]}


VALID = [complete(kind) for kind in TYPES]
INDEX_DATA: Data = {
    "$schema": "s",
    "specgraphVersion": "1.0.0",
    "root": "A",
    "nodes": [
        {"id": "A", "path": "a.json"},
        {"id": "B", "path": "b/c.json", "sha256": DIGEST, "expectedType": "layer"},
    ],
    "nodeSearchPaths": ["nodes"],
    "defaults": {"x": 1},
}
JUNK: list[Any] = [
    *(
        None,
        True,
        0,
        -1,
        7,
        2.0,
        2.5,
        100,
        599,
        600,
        3601,
        "",
        " \t",
        "ab",
        "a word",
        "A-1",
        "x" * 21,
        "T" * 101,
        "U" * 141,
    ),
    *(
        [],
        {},
        [""],
        ["x"],
        {"id": "A"},
        {"kind": "command"},
        "behavior",
        "decision",
        "feature",
        "hard",
    ),
    *(
        "stack",
        DIGEST,
        DIGEST[:-1],
        "1.2.3",
        "1.2.3+b",
        "01.2.3",
        "x.json",
        "x y.json",
        "PUT",
        DIGEST.upper(),
        "manual",
        "artifact",
    ),
]
KEYS = [
    "id",
    "type",
    "title",
    "statement",
    "expectation",
    "category",
    "severity",
    "artifact",
    "odd",
    "kind",
]


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every collection inside a value together with each of its keys or positions."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from places(value[key])


@st.composite
def damaged(draw: st.DrawFn, wholes: list[Data]) -> Data:
    """Make documents from valid ones, with a few values replaced, taken out or put in."""
    data = deepcopy(draw(st.sampled_from(wholes)))
    for _ in range(draw(st.integers(1, 2))):
        spots = list(places(data))
        if not spots:
            break
        holder, key = draw(st.sampled_from(spots))
        match draw(st.sampled_from(["replace", "replace", "remove", "add"])):
            case "replace":
                holder[key] = deepcopy(draw(st.sampled_from(JUNK)))
            case "remove":
                del holder[key]
            case _ if isinstance(holder, dict):
                holder[draw(st.sampled_from(KEYS))] = deepcopy(draw(st.sampled_from(JUNK)))
            case _:
                holder.append(deepcopy(draw(st.sampled_from(JUNK))))
    return data


@pytest.mark.parametrize("name", NAMES)
def test_what_ships_is_what_the_shapes_draw_up(name: str) -> None:
    assert shipped(name) == schema_text(SCHEMAS[name])


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_a_sound_schema_of_draft_7(name: str) -> None:
    schema = json.loads(shipped(name))
    Draft7Validator.check_schema(schema)
    assert schema["$schema"] == "http://json-schema.org/draft-07/schema#"


@pytest.mark.parametrize("name", NAMES)
def test_an_editor_can_explain_every_key(name: str) -> None:
    def records(part: Any) -> Iterator[dict[str, Any]]:
        if isinstance(part, dict):
            if "additionalProperties" in part and "properties" in part:
                yield part["properties"]
            for item in part.values():
                yield from records(item)
        elif isinstance(part, list):
            for item in part:
                yield from records(item)

    every = [item for record in records(json.loads(shipped(name))) for item in record.items()]
    assert len(every) > 9
    assert [key for key, value in every if not value["description"].endswith(".")] == []


@pytest.mark.parametrize("data", VALID, ids=lambda data: str(data["type"]))
def test_a_node_with_every_key_of_its_type_is_valid(data: Data) -> None:
    assert [error.message for error in NODES.iter_errors(data)] == []
    assert node_faults(data) == []


def test_an_index_with_every_key_is_valid() -> None:
    assert [error.message for error in GRAPH.iter_errors(INDEX_DATA)] == []
    assert index_faults(INDEX_DATA) == []


@pytest.mark.parametrize("metadata", [None, {}, {"rationale": ""}, {"rationale": " "}])
def test_a_decision_needs_a_reason(metadata: Any) -> None:
    data = {"id": "N", **node("decision", metadata=metadata)}
    assert not NODES.is_valid(data)
    assert len(node_faults(data)) == 1


@given(damaged(VALID))
def test_schema_and_reader_agree_on_nodes(data: Data) -> None:
    assert NODES.is_valid(data) == (node_faults(data) == [])


@given(damaged([INDEX_DATA]))
def test_schema_and_reader_agree_on_the_index(data: Data) -> None:
    assert GRAPH.is_valid(data) == (index_faults(data) == [])


@given(damaged([*VALID, INDEX_DATA]))
def test_every_fault_has_a_position(data: Data) -> None:
    datum = decode_json(json.dumps(data)).datum
    assert datum is not None
    for shape in (NODE, INDEX):
        problems = [fault.problem(datum, "it") for fault in shape.faults(data)]
        assert all(problem.line and problem.column for problem in problems)
