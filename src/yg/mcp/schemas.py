"""Output schemas: those of the command line's documents, cut down to what an agent needs."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS = 2  # the document itself, and the entries of its lists
CUT = {"type": "object", "description": "Only if lists were cut: limit, offset, true totals."}


def output_schema(documents: Sequence[str], *, is_paged: bool) -> dict[str, Any]:
    """Return the short schema of what an answer can be.

    It says less than the ones that ship with the package, so it accepts all that they do.
    """
    if len(documents) > 1:
        return {"type": "object", "anyOf": [_document(each, LEVELS - 1) for each in documents]}
    short = {"type": "object", **_document(documents[0], LEVELS)}
    return {**short, "properties": {**short["properties"], "cut": CUT}} if is_paged else short


def _document(name: str, levels: int) -> dict[str, Any]:
    file = files("yg.render").joinpath(f"schemas/yg-{name}.1.schema.json")
    full = json.loads(file.read_text(encoding="utf-8"))
    return _short(full, full.get("$defs", {}), levels, is_document=True)


def _short(
    schema: dict[str, Any], parts: dict[str, Any], levels: int, *, is_document: bool = False
) -> dict[str, Any]:
    """Keep types, names and fixed values down to a level, with references put in place."""
    if "$ref" in schema:
        part = parts[schema["$ref"].removeprefix("#/$defs/")]
        return _short(part, parts, levels, is_document=is_document)
    kept: dict[str, Any] = {key: schema[key] for key in ("type", "const", "enum") if key in schema}
    if "items" in schema:
        kept["items"] = _short(schema["items"], parts, levels)
    if "properties" in schema and levels:
        below = schema["properties"].items()
        kept["properties"] = {name: _short(each, parts, levels - 1) for name, each in below}
        kept |= {"required": schema["required"]} if is_document else {}
    # Several shapes of a document are long enough without their entries. What tells them apart may
    # be gone by now, so that one document can have several: they are no longer exclusive.
    shapes = [
        _short(each, parts, levels - 1, is_document=is_document) for each in schema.get("oneOf", ())
    ]
    return {**kept, "anyOf": shapes} if shapes and all(shapes) else kept
