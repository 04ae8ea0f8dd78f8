"""The schemas that ship with the package, and what they have to say against a document."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from jsonschema import Draft202012Validator

SCHEMAS = {
    json.loads(file.read_text(encoding="utf-8"))["$id"]: file
    for file in resources.files("yg.render").joinpath("schemas").iterdir()
    if file.name.endswith(".schema.json")
}


def faults(text: str | bytes) -> list[str]:
    """Return what a schema has to say against the text of a document."""
    return faults_in(json.loads(text))


def faults_in(document: dict[str, Any]) -> list[str]:
    """Return what a schema has to say against a document."""
    schema = json.loads(SCHEMAS[document["schema"]].read_text(encoding="utf-8"))
    return [error.message for error in Draft202012Validator(schema).iter_errors(document)]
