"""The short output schemas accept every document that a command prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from yg.mcp.schemas import output_schema
from yg.mcp.tools import READING, SYNC

GOLDEN = Path(__file__).parent.parent / "golden"
NAMES = tuple(tool.name for tool in (*READING, SYNC))


def documents(name: str) -> list[object]:
    start = f'{{\n  "schema": "yg-{name}/1"'.encode()
    texts = (path.read_bytes() for path in sorted(GOLDEN.iterdir()))
    return [json.loads(text) for text in texts if text.startswith(start)]


@pytest.mark.parametrize("name", NAMES)
def test_a_short_schema_describes_an_object(name: str) -> None:
    schema = output_schema(name, is_paged=True)
    Draft202012Validator.check_schema(schema)
    assert schema["type"] == "object"
    assert schema["properties"]["schema"] == {"const": f"yg-{name}/1"}
    assert "$ref" not in json.dumps(schema)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "drift-sync"])
def test_golden_documents_follow_the_short_schema(name: str) -> None:
    validator = Draft202012Validator(output_schema(name, is_paged=False))
    found = documents(name)
    assert found
    assert [error.message for each in found for error in validator.iter_errors(each)] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_document_of_another_kind_does_not(name: str) -> None:
    validator = Draft202012Validator(output_schema(name, is_paged=True))
    assert not validator.is_valid({"schema": "yg-other/1"})
    assert not validator.is_valid({"schema": f"yg-{name}/1"})
