"""Which tools a server has, and which of them it lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from yg_old.commands.table import LISTED, LISTED_IN_SPECS
from yg_old.surfaces.mcp.tools import ONLY_IN_SPECS, READING, SPEC_READING, SYNC, WRITING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from yg_old.surfaces.mcp.service import Service
    from yg_old.surfaces.mcp.tools import Tool


def tools_of(service: Service) -> tuple[Tool, ...]:
    """Return all tools that can be called: a call may name another repository of any kind."""
    return (*READING, *ONLY_IN_SPECS, *_writing(service))


def listed_of(service: Service) -> tuple[Tool, ...]:
    """Return the tools for the kind of graph that is served by default, in a fixed order."""
    reading = SPEC_READING if service.serves_specs else READING
    other = WRITING if not service.serves_specs else SYNC
    if not service.lists_all:
        reading = _few(reading, LISTED_IN_SPECS if service.serves_specs else LISTED)
    return (*reading, *(tool for tool in _writing(service) if tool not in other))


def _few(tools: Sequence[Tool], names: Sequence[str]) -> tuple[Tool, ...]:
    """Return the tools with some names, in the order of these; other tools can be called too."""
    known = {tool.name: tool for tool in tools}
    return tuple(known[name] for name in names if name in known)


def _writing(service: Service) -> tuple[Tool, ...]:
    """Return the tools that write, as far as they are allowed."""
    return (*(SYNC if service.may_sync else ()), *(WRITING if service.may_write else ()))
