"""The short output schemas accept every document that a command prints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from yg.surfaces.mcp.listings import output_schema
from yg.surfaces.mcp.tools import READING, SYNC, Tool

GOLDEN = Path(__file__).parent.parent / "golden"
TOOLS = (*READING, *SYNC)
NAMES = {schema.name for tool in TOOLS for schema in tool.documents}

WITHOUT_GOLDEN = {"yg-drift-sync/1"}  # it writes; the client checks the one that a test asks for


def schema_of(tool: Tool) -> dict[str, Any]:
    return output_schema(tool.documents, is_paged=tool.limit is not None)


def documents(name: str) -> list[object]:
    start = f'{{\n  "schema": "{name}"'.encode()
    texts = (path.read_bytes() for path in sorted(GOLDEN.iterdir()))
    return [json.loads(text) for text in texts if text.startswith(start)]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_short_schema_describes_an_object(tool: Tool) -> None:
    schema = schema_of(tool)
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert "$ref" not in json.dumps(schema)


@pytest.mark.parametrize("name", sorted(NAMES - WITHOUT_GOLDEN))
def test_golden_documents_follow_the_short_schema(name: str) -> None:
    (tool,) = [tool for tool in TOOLS if name in [schema.name for schema in tool.documents]]
    validator = Draft202012Validator(schema_of(tool))
    found = documents(name)
    assert found
    assert [error.message for entry in found for error in validator.iter_errors(entry)] == []


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_a_document_of_another_kind_does_not(tool: Tool) -> None:
    validator = Draft202012Validator(schema_of(tool))
    assert not validator.is_valid({"schema": "yg-other/1"})
    if len(tool.documents) == 1 and tool.name != "impact":  # which returns one of several shapes
        assert not validator.is_valid({"schema": f"yg-{tool.name}/1"})
