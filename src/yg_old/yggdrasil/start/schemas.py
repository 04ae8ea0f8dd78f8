"""The JSON Schemas that `yg init` writes for editors, from the keys that the readers use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from yg_old.yggdrasil.read.config_shapes import CodeKeys
from yg_old.yggdrasil.read.keys import keys_of
from yg_old.yggdrasil.read.shapes import FILES

if TYPE_CHECKING:
    from yg_old.yggdrasil.read.keys import Key, Keys

DRAFT = "http://json-schema.org/draft-07/schema#"
JSON_SCHEMAS = {file.replace(".yaml", ".schema.json"): file for file in FILES}
_AFTER_DESCRIPTION = ("oneOf", "propertyNames", "properties", "additionalProperties")


def json_schema(name: str) -> str:
    """Return the text of one of the schemas, draft 7."""
    file = JSON_SCHEMAS[name]
    shape = FILES[file]
    schema = {"$schema": DRAFT, "title": file, "description": shape.about, **_mapping(shape.keys)}
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _mapping(mapping: type[Keys]) -> dict[str, Any]:
    return {"type": "object", **_properties(mapping)}


def _properties(mapping: type[Keys]) -> dict[str, Any]:
    keys = keys_of(mapping)
    required = [key.name for key in keys if key.is_required]
    return {
        **({"required": required} if required else {}),
        **({"anyOf": [{"required": [name]} for name in mapping.one_of]} if mapping.one_of else {}),
        "properties": {
            key.name: _value(key, may_be_null=key.name not in (*required, *mapping.one_of))
            for key in keys
        },
    }


def _value(key: Key[Any], *, may_be_null: bool) -> dict[str, Any]:
    schema = _with_keys(key)
    if may_be_null:
        schema = _or_null(schema)
    after = [word for word in _AFTER_DESCRIPTION if word in schema]
    if key is CodeKeys.accepted:  # as in the files of all versions
        after.append("items")
    last = {word: schema.pop(word) for word in after}
    return {**schema, "description": key.about, **last}


def _with_keys(key: Key[Any]) -> dict[str, Any]:
    """Return the schema of a value with the keys inside, if it has any."""
    schema = dict(key.schema)
    if key.inside is None:
        return schema
    if "oneOf" in schema:
        schema["oneOf"] = [*schema["oneOf"], _mapping(key.inside)]
    elif not key.each:
        schema |= _properties(key.inside)
    else:
        word = "items" if schema["type"] == "array" else "additionalProperties"
        schema[word] = _mapping(key.inside)
    return schema


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {**schema, "enum": [*schema["enum"], None]} if "enum" in schema else schema
