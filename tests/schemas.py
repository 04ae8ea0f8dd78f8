"""The schemas of all documents, and what they have to say against one."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator

from yg.commands.schema import all_schemas

SCHEMAS: dict[str, dict[str, Any]] = {schema.name: schema.content() for schema in all_schemas()}


def faults(text: str | bytes) -> list[str]:
    """Return what a schema has to say against the text of a document."""
    return faults_in(json.loads(text))


def faults_in(document: dict[str, Any]) -> list[str]:
    """Return what a schema has to say against a document."""
    return [error.message for error in validator(document["schema"]).iter_errors(document)]


def validator(name: str) -> Draft202012Validator:
    """Return the validator of the documents with a name."""
    return Draft202012Validator(SCHEMAS[name])
