"""`yg mcp`: serve the graph to agents over the Model Context Protocol."""

from __future__ import annotations

import gc
import signal
from typing import Annotated, Any

from yg_old.commands.command import JSON, TEXT, Place, Server
from yg_old.commands.request import Option, Request
from yg_old.kernel.extras import needs_extra
from yg_old.surfaces.cli.streams import check_open


class McpRequest(Request[Any], frozen=True, kw_only=True):
    """Which repositories to serve, and what clients may write."""

    root: Annotated[
        tuple[str, ...],
        Option(metavar="DIR", help="repository to serve; may be repeated (default: here)"),
    ] = ()
    allow_sync: Annotated[bool, Option(help="enable drift-sync, which records baselines")] = False
    allow_writes: Annotated[
        bool, Option(help="enable the tools that write a Spec Graph, such as node-set and link")
    ] = False
    all_tools: Annotated[bool, Option(help="list a tool for every reading command")] = False


def serve(place: Place, request: McpRequest) -> int:
    """Serve until standard input ends."""
    check_open()
    with needs_extra("the MCP server", "mcp"):
        from yg_old.surfaces.mcp.server import serve as serve_agents
        from yg_old.surfaces.mcp.service import Service, roots_of
    service = Service(
        roots=roots_of(place.directory, request.root),
        may_sync=request.allow_sync,
        may_write=request.allow_writes,
        lists_all=request.all_tools,
        kind=place.kind,
        uses_index=place.uses_index,
    )
    gc.enable()  # a server runs for a long time, unlike a command
    # A thread blocked on standard input cannot be woken, so an interrupt ends the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return serve_agents(service)


COMMAND = Server(request=McpRequest, serve=serve, formats=(TEXT, JSON))
