"""The MCP server over standard input and output."""

from __future__ import annotations

import asyncio
import logging
import os
from functools import partial
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server import Server

from yg_old.disk.git.process import stop_all
from yg_old.surfaces.mcp import calls
from yg_old.surfaces.mcp.connection import LAST_WRITE, Connection
from yg_old.surfaces.mcp.listings import listed_prompts, listed_templates, listed_tools
from yg_old.surfaces.mcp.stdio import LogHandler, claim
from yg_old.version import __version__

if TYPE_CHECKING:
    from mcp.server import ServerRequestContext

    from yg_old.surfaces.mcp.service import Service
    from yg_old.surfaces.mcp.worker import Worker

    Context = ServerRequestContext[Any]
    Page = types.PaginatedRequestParams | None

INSTRUCTIONS = """\
This repository contains a graph that describes its code: the purpose of each part, its contracts \
and the rules that apply to it. Before you change code, call owner with the file or find with the \
topic, then build-context, and read all of it. Name all nodes or files of a task in one call of \
build-context. If you need another node later, pass the nodes whose packages you still have as \
have: what they contain is left out. Before you change an interface that others use, call impact. \
After you edit graph files, call validate. Keep code and graph in sync; drift shows where they \
differ."""

SPEC_INSTRUCTIONS = """\
This repository contains a Spec Graph: typed nodes that say what the software must do, linked to \
the decisions, policies and contracts behind it. Before you change code, call find with the topic, \
then build-context for the node, and read all of it. Name all nodes of a task in one call. If you \
need another node later, pass the nodes whose contexts you still have as have: equal entries that \
are not binding are left out. Obey what is binding: what constrains the node or its groups, what \
its layers decide, and every hard policy. Change the code to fit the specification, not the other \
way round; if the specification is wrong, ask. Then do what the Verification of the context says. \
node returns one node in full, impact what a change to a node affects, validate the errors of the \
graph."""


class Handlers:
    """Request handlers of the server."""

    def __init__(self, service: Service, worker: Worker) -> None:
        self._service = service
        self._worker = worker

    async def list_tools(self, _context: Context, _page: Page) -> types.ListToolsResult:
        """List the tools."""
        tools = await self._worker.run(partial(listed_tools, self._service))
        return types.ListToolsResult(tools=tools)

    async def call_tool(
        self, _context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        """Call a tool."""
        task = partial(calls.call_tool, self._service, params.name, params.arguments or {})
        return await self._worker.run(task)

    async def list_resources(self, _context: Context, _page: Page) -> types.ListResourcesResult:
        """Return an empty list: `tree` and `find` list the nodes."""
        return types.ListResourcesResult(resources=[])

    async def list_templates(
        self, _context: Context, _page: Page
    ) -> types.ListResourceTemplatesResult:
        """List the resource templates."""
        return types.ListResourceTemplatesResult(resource_templates=listed_templates())

    async def read_resource(
        self, _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        """Read a resource."""
        return await self._worker.run(partial(calls.read_resource, self._service, params.uri))

    async def list_prompts(self, _context: Context, _page: Page) -> types.ListPromptsResult:
        """List the prompts."""
        prompts = await self._worker.run(partial(listed_prompts, self._service))
        return types.ListPromptsResult(prompts=prompts)

    async def get_prompt(
        self, _context: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        """Return a prompt."""
        task = partial(calls.get_prompt, self._service, params.name, params.arguments or {})
        return await self._worker.run(task)


def server_of(service: Service, worker: Worker) -> Server[Any]:
    """Create the server; the SDK negotiates the protocol version with the client."""
    handlers = Handlers(service, worker)
    return Server(
        "yg",
        version=__version__,
        title="yg",
        description="The deterministic memory of a repository for AI coding agents.",
        instructions=SPEC_INSTRUCTIONS if service.serves_specs else INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
        on_list_resources=handlers.list_resources,
        on_list_resource_templates=handlers.list_templates,
        on_read_resource=handlers.read_resource,
        on_list_prompts=handlers.list_prompts,
        on_get_prompt=handlers.get_prompt,
    )


def serve(service: Service) -> int:
    """Serve until standard input ends, and return the exit code.

    A client that disconnects or stops reading is not an error.
    """
    source, sink = claim()
    log = LogHandler()
    logging.basicConfig(format="%(message)s", handlers=[log])
    connection = asyncio.run(_serve(service, source, sink))
    code = int(connection.has_failed)
    log.finish(LAST_WRITE)
    if connection.worker.is_busy:
        # A hanging call, for example in git, would block the shutdown of the interpreter, which
        # waits for the child processes of the call.
        stop_all()
        os._exit(code)
    return code


async def _serve(service: Service, source: int, sink: int) -> Connection:
    connection = Connection(source, sink)
    server = server_of(service, connection.worker)
    options = server.create_initialization_options()
    await server.run(connection.incoming, connection.outgoing, options)
    connection.finish()
    return connection
