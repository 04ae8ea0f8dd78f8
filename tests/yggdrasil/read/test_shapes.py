"""The shapes of the files: readers and roles follow them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from yg.kernel.snapshot import DictSnapshot
from yg.yggdrasil.collection import Collection
from yg.yggdrasil.edit.roles import references_in
from yg.yggdrasil.model import ASPECT_FILE, CONFIG_FILE, FLOW_FILE, NODE_FILE, Reading
from yg.yggdrasil.parts import PartKind
from yg.yggdrasil.read.keys import Key, Keys, keys_of
from yg.yggdrasil.read.shapes import FILES, ExternalKeys, RelationKeys
from yg.yggdrasil.read.v2 import read

ENTRY = "x.md"  # a name that can be that of a type and of an artifact


def with_unknown_keys(mapping: type[Keys], at: str = "") -> dict[str, Any]:
    """Make a mapping with all its keys, and an unknown one in it and in every mapping inside."""
    found: dict[str, Any] = {key.name: value_of(key, at) for key in keys_of(mapping)}
    return {**found, f"unknown{at}": 1}


def value_of(key: Key[Any], at: str) -> object:
    if key.inside is None:
        return None
    inner = with_unknown_keys(key.inside, f"{at}/{key.name}")
    if not key.each:
        return inner
    return [inner] if key.schema["type"] == "array" else {ENTRY: inner}


def declared(mapping: type[Keys], at: str = "") -> Iterator[tuple[str, set[str]]]:
    yield f"unknown{at}", {key.name for key in keys_of(mapping)}
    for key in keys_of(mapping):
        if key.inside is not None:
            yield from declared(key.inside, f"{at}/{key.name}")


def reading_of(file: str, text: str) -> Reading[Any]:
    folder = {NODE_FILE: "model/x/", ASPECT_FILE: "aspects/x/", FLOW_FILE: "flows/x/"}.get(file, "")
    graph = read(DictSnapshot({f".yggdrasil/{folder}{file}": text}))
    if file == CONFIG_FILE:
        return graph.config_reading
    parts: dict[str, Collection[Any]]
    parts = {NODE_FILE: graph.nodes, ASPECT_FILE: graph.aspects, FLOW_FILE: graph.flows}
    reading = parts[file].reading("x")
    assert reading is not None
    return reading


@pytest.mark.parametrize("file", FILES)
def test_a_reader_knows_exactly_the_keys_of_the_shape_on_every_level(file: str) -> None:
    keys = FILES[file].keys
    uses = reading_of(file, json.dumps(with_unknown_keys(keys))).unknown_keys
    assert {use.key.name.text: set(use.key.known) for use in uses} == dict(declared(keys))


def test_relations_to_other_repositories_have_the_keys_of_relations() -> None:
    assert [key.name for key in keys_of(ExternalKeys)] == [
        key.name for key in keys_of(RelationKeys)
    ]


def test_references_are_where_the_shapes_say() -> None:
    assert references_in(PartKind.NODE, NODE_FILE) == (("relations", "*", "target"),)
    assert references_in(PartKind.NODE, FLOW_FILE) == (("nodes", "*"), ("participants", "*"))
    assert references_in(PartKind.NODE, CONFIG_FILE) == (
        ("code", "accepted", "*", "from"),
        ("code", "accepted", "*", "to"),
    )
    assert references_in(PartKind.ASPECT, NODE_FILE) == (("aspects", "*", "aspect"),)
    assert references_in(PartKind.ASPECT, ASPECT_FILE) == (("implies", "*"),)
    assert references_in(PartKind.ASPECT, FLOW_FILE) == (("aspects", "*"),)
    assert references_in(PartKind.ASPECT, CONFIG_FILE) == (
        ("node_types", "*", "required_aspects", "*"),
        ("artifacts", "*", "required", "when"),
    )
