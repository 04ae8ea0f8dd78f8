"""The JSON Schemas of graph.json and of node files, drawn up from the shapes that the reader uses.

They ship as files under `schemas/`, for editors and for other tools.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from yg.specgraph.model import DECISION
from yg.specgraph.node_shapes import INDEX, LINKS, METADATA, NODE, PIN, VERIFICATION
from yg.specgraph.shapes import NOT_BLANK

if TYPE_CHECKING:
    from yg.specgraph.shapes import ObjectShape, Tagged

DRAFT = "http://json-schema.org/draft-07/schema#"
NAMES = ("graph.schema.json", "node.schema.json")

_PARTS: dict[str, ObjectShape | Tagged] = {
    "links": LINKS,
    "metadata": METADATA,
    "pin": PIN,
    "verification": VERIFICATION,
}
_REASONED = {
    "if": {"required": ["type"], "properties": {"type": {"enum": [DECISION]}}},
    "then": {
        "required": ["metadata"],
        "properties": {
            "metadata": {
                "required": ["rationale"],
                "properties": {"rationale": {"pattern": NOT_BLANK}},
            }
        },
    },
}


def graph_schema() -> dict[str, Any]:
    """Return the schema of graph.json."""
    return {"$schema": DRAFT, "title": "The index of a Spec Graph", **INDEX.schema}


def node_schema() -> dict[str, Any]:
    """Return the schema of a node; what many types share is under `definitions`."""
    whole = NODE.schema
    parts = {name: shape.schema for name, shape in _PARTS.items()}
    branches = [{**item, "then": _shortened(item["then"], parts)} for item in whole["allOf"]]
    return {
        "$schema": DRAFT,
        "title": "A node of a Spec Graph",
        **whole,
        "allOf": [*branches, _REASONED],
        "definitions": parts,
    }


def _shortened(branch: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    """Refer to a part wherever it is the value, or each item, of a key."""
    return {
        **branch,
        "properties": {
            key: _referring(value, parts) for key, value in branch["properties"].items()
        },
    }


def _referring(value: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    about = {"description": value["description"]}
    for name, part in parts.items():
        reference = {"$ref": f"#/definitions/{name}"}
        if value == {**about, **part}:
            return {**about, "allOf": [reference]}
        if value.get("items") == part:
            return {**value, "items": reference}
    return value


def schema_text(schema: dict[str, Any]) -> str:
    """Write a schema as its file has it."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def shipped(name: str) -> str:
    """Return the text of one of the files that ship."""
    return files("yg.specgraph").joinpath("schemas", name).read_text(encoding="utf-8")
