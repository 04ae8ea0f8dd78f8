"""Protocol descriptions of the tools, resource templates and prompts.

The output schemas of tools are short versions of the JSON schemas of the commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import mcp_types as types

from yg_old.commands.arguments import input_schema
from yg_old.commands.schema import Parts
from yg_old.surfaces.mcp.offered import listed_of
from yg_old.surfaces.mcp.resources import MIME_TYPE, TEMPLATES, prompts_of
from yg_old.surfaces.mcp.tools import SCHEMA_LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.commands.schema import DocumentSchema
    from yg_old.surfaces.mcp.service import Service
    from yg_old.surfaces.mcp.tools import Tool

UNKNOWN = {"type": "object"}  # says nothing about the entries of a list
CUT = {
    "type": "object",
    "description": "If lists were truncated: limit, offset and full lengths.",
}
UNDESCRIBED = ("skipped",)  # lists whose entries are the same everywhere, and rare


def listed_tools(service: Service) -> list[types.Tool]:
    """Return the descriptions of the tools."""
    return [_tool(tool) for tool in listed_of(service)]


def _tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.when,
        input_schema=input_schema(tool.accepts),
        output_schema=output_schema(
            tool.documents, is_paged=tool.limit is not None, levels=tool.levels
        ),
        annotations=types.ToolAnnotations(
            read_only_hint=not tool.writes,
            destructive_hint=tool.writes,  # a new baseline replaces the old one
            idempotent_hint=True,
            open_world_hint=False,
        ),
    )


def listed_templates() -> list[types.ResourceTemplate]:
    """Return the descriptions of the resource templates."""
    return [
        types.ResourceTemplate(
            uri_template=template.address,
            name=template.place,
            title=template.title,
            description=template.about,
            mime_type=MIME_TYPE,
        )
        for template in TEMPLATES
    ]


def listed_prompts(service: Service) -> list[types.Prompt]:
    """Return the descriptions of the prompts."""
    return [
        types.Prompt(
            name=prompt.name,
            title=prompt.title,
            description=prompt.about,
            arguments=[
                types.PromptArgument(
                    name=argument.name, description=argument.about, required=argument.required
                )
                for argument in prompt.arguments
            ],
        )
        for prompt in prompts_of(service).values()
    ]


def output_schema(
    documents: Sequence[DocumentSchema], *, is_paged: bool, levels: int = SCHEMA_LEVELS
) -> dict[str, Any]:
    """Return the short schema of an answer.

    It is less strict than the schemas of the documents: it accepts all that they accept.
    """
    if len(documents) > 1:  # only their names, to save space
        names = {"enum": [schema.name for schema in documents]}
        return {"type": "object", "properties": {"schema": names}, "required": ["schema"]}
    short = {"type": "object", **_document(documents[0], levels)}
    return {**short, "properties": {**short["properties"], "cut": CUT}} if is_paged else short


def _document(schema: DocumentSchema, levels: int) -> dict[str, Any]:
    parts = Parts()
    return _short(schema.describe(parts), parts, levels, is_document=True)


def _short(
    schema: dict[str, Any], parts: Parts, levels: int, *, is_document: bool = False
) -> dict[str, Any]:
    """Keep types, names and constants down to a level, and inline references."""
    if "$ref" in schema:
        part = parts.referred(schema["$ref"]) if levels > 0 else UNKNOWN
        return _short(part, parts, levels, is_document=is_document)
    kept: dict[str, Any] = {key: schema[key] for key in ("type", "const", "enum") if key in schema}
    items = _short(schema["items"], parts, levels) if "items" in schema else UNKNOWN
    if items != UNKNOWN:
        kept["items"] = items
    if "properties" in schema and levels > 0:
        properties = schema["properties"].items()
        kept["properties"] = {
            name: _short(part, parts, 0 if name in UNDESCRIBED else levels - 1)
            for name, part in properties
        }
        kept |= {"required": schema["required"]} if is_document else {}
    # Alternatives are shortened by one more level to save space. A document may then match more
    # than one of them, so `oneOf` becomes `anyOf`.
    shapes = [
        _short(shape, parts, levels - 1, is_document=is_document)
        for shape in schema.get("oneOf", ())
        if levels > 0
    ]
    common = kept.get("properties", {})
    distinct = [_without(shape, common) for shape in shapes]
    return {**kept, "anyOf": distinct} if shapes and all(shapes) else kept


def _without(shape: dict[str, Any], common: dict[str, Any]) -> dict[str, Any]:
    """Leave out the properties of an alternative that all alternatives have."""
    kept = dict(shape)
    if "properties" in shape:
        inner = shape["properties"].items()
        kept["properties"] = {name: part for name, part in inner if common.get(name) != part}
        kept["required"] = [name for name in shape["required"] if name in kept["properties"]]
    return kept
