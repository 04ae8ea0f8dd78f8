"""Run tool calls, resource reads and prompts, and handle their errors."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    PromptMessage,
    ReadResourceResult,
    TextContent,
    TextResourceContents,
)

from yg_old.commands.arguments import checked, request_of
from yg_old.commands.command import Run
from yg_old.commands.one_state import of_one_state
from yg_old.formats import SPECGRAPH
from yg_old.kernel.errors import NotFoundError, UsageError, YgError
from yg_old.surfaces.mcp.offered import tools_of
from yg_old.surfaces.mcp.reply import bug_reply, bug_text, error_reply, reply
from yg_old.surfaces.mcp.resources import MIME_TYPE, address_of, prompts_of
from yg_old.surfaces.mcp.service import request_to
from yg_old.text.suggest import did_you_mean, listing, nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from yg_old.commands.command import Command
    from yg_old.kernel.document import Document
    from yg_old.surfaces.mcp.service import RepositoryState, Request, Service
    from yg_old.surfaces.mcp.tools import Tool


def call_tool(service: Service, name: str, given: Mapping[str, Any]) -> CallToolResult:
    """Call a tool; errors become part of the result."""
    state: RepositoryState | None = None
    try:
        tool = _tool(service, name)
        arguments = checked(tool.accepts, given)
        directory = service.roots.resolve(arguments.get("root"))
        state = service.state_of(directory)
        with request_to(service, directory, arguments, state.tracked) as request:

            def answered() -> CallToolResult:
                document = ask(tool.command, request)
                form, window = arguments.get("format", ""), tool.window(arguments)
                notes = request.place_notes
                return reply(tool.command, document, form, window, state, notes)

            return (
                answered() if tool.writes else of_one_state(answered, lambda: request.opened[-1:])
            )
    except YgError as error:
        return error_reply(error, state)
    except Exception as error:  # noqa: BLE001
        return bug_reply(error, state)


def ask(command: Command[Any, Any], call: Request) -> Document:
    """Run a command for a call."""
    usual = SPECGRAPH.name if command.tool and command.tool.only_in_specs else None
    run = Run(
        lambda kind: call.open(kind or usual),
        directory=call.directory,
        may_migrate=call.service.may_sync,
    )
    document: Document = command.ask(run, request_of(command, call.arguments))
    return document


def _tool(service: Service, name: str) -> Tool:
    tools = {tool.name: tool for tool in tools_of(service)}
    if name not in tools:
        known = f"Known tools: {listing(tools, len(tools))}."
        hint = f"{did_you_mean(nearest(name, tools))} {known}".strip()
        raise UsageError(f"unknown tool '{name}'", hint=hint)
    return tools[name]


def read_resource(service: Service, uri: str) -> ReadResourceResult:
    """Read a resource."""
    with _protocol_errors():
        address = address_of(uri)
        directory = service.roots.resolve(address.root)
        state = service.state_of(directory)
        with request_to(service, directory, {}, state.tracked) as request:
            text = address.template.read(request, address.name)
    content = TextResourceContents(uri=uri, mime_type=MIME_TYPE, text=text, _meta=state.meta)
    return ReadResourceResult(contents=[content])


def get_prompt(service: Service, name: str, given: Mapping[str, Any]) -> GetPromptResult:
    """Return a prompt."""
    with _protocol_errors():
        known = prompts_of(service)
        if name not in known:
            hint = f"Known prompts: {listing(known, len(known))}."
            raise NotFoundError(f"unknown prompt '{name}'", hint=hint)
        prompt = known[name]
        arguments = checked(prompt.arguments, given)
        directory = service.roots.resolve(arguments.get("root"))
        state = service.state_of(directory)
        with request_to(service, directory, arguments, state.tracked) as request:
            text = prompt.write(request) + f"\n{state.line}"
    message = PromptMessage(role="user", content=TextContent(text=text))
    return GetPromptResult(description=prompt.about, messages=[message], _meta=state.meta)


@contextmanager
def _protocol_errors() -> Iterator[None]:
    """Raise errors as protocol errors; results of resources and prompts have no error field."""
    try:
        yield
    except YgError as error:
        text = f"{error.message}. {error.hint}" if error.hint else error.message
        raise MCPError(INVALID_PARAMS, text) from error
    except Exception as error:
        raise MCPError(INTERNAL_ERROR, bug_text(error)) from error
