"""Protocol descriptions of the tools, resource templates and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mcp_types as types

from yg.mcp.arguments import input_schema
from yg.mcp.prompts import WORK_ON_NODE
from yg.mcp.resources import MIME_TYPE, TEMPLATES
from yg.mcp.schemas import output_schema
from yg.mcp.tools import tools_of

if TYPE_CHECKING:
    from yg.mcp.tools import Tool


def listed_tools(*, may_sync: bool) -> list[types.Tool]:
    """Return the descriptions of the tools."""
    return [_tool(tool) for tool in tools_of(may_sync=may_sync)]


def _tool(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.when,
        input_schema=input_schema(tool.accepts),
        output_schema=output_schema(
            tool.documents or (tool.name,), is_paged=tool.limit is not None
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


def listed_prompts() -> list[types.Prompt]:
    """Return the descriptions of the prompts."""
    arguments = [
        types.PromptArgument(
            name=argument.name, description=argument.about, required=argument.required
        )
        for argument in WORK_ON_NODE.arguments
    ]
    return [
        types.Prompt(
            name=WORK_ON_NODE.name,
            title=WORK_ON_NODE.title,
            description=WORK_ON_NODE.about,
            arguments=arguments,
        )
    ]
