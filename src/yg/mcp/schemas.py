"""Output schemas: those of the command line's documents, cut down to what an agent needs."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

LEVELS = 2  # the document itself, and the entries of its lists
CUT = {"type": "object", "description": "Only if lists were cut: limit, offset, true totals."}


def output_schema(document: str, *, is_paged: bool) -> dict[str, Any]:
    """Return the short schema of a document.

    It says less than the one that ships with the package, so it accepts all that one does.
    """
    file = files("yg.render").joinpath(f"schemas/yg-{document}.1.schema.json")
    full = json.loads(file.read_text(encoding="utf-8"))
    short = {"type": "object", **_short(full, full.get("$defs", {}), LEVELS)}
    return {**short, "properties": {**short["properties"], "cut": CUT}} if is_paged else short


def _short(schema: dict[str, Any], parts: dict[str, Any], levels: int) -> dict[str, Any]:
    """Keep types, names and fixed values down to a level, with references put in place."""
    if "$ref" in schema:
        return _short(parts[schema["$ref"].removeprefix("#/$defs/")], parts, levels)
    kept: dict[str, Any] = {key: schema[key] for key in ("type", "const", "enum") if key in schema}
    if "items" in schema:
        kept["items"] = _short(schema["items"], parts, levels)
    if "oneOf" in schema:  # several shapes of one document are long enough without their entries
        kept["oneOf"] = [_short(each, parts, levels - 1) for each in schema["oneOf"]]
    if "properties" in schema and levels:
        below = schema["properties"].items()
        kept["properties"] = {name: _short(each, parts, levels - 1) for name, each in below}
        kept |= {"required": schema["required"]} if levels == LEVELS else {}
    return kept
