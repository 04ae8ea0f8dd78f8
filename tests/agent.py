"""An agent: the official MCP client over real standard input and output, used without async."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult

from forked import shared
from support import NODE, write, write_graph

ALPHA = "name: Alpha\ntype: service\nmapping: {paths: [src/a.py]}\n"
GRAPH: dict[str, str | bytes] = {
    "model/a/yg-node.yaml": ALPHA,
    "model/a/responsibility.md": "Does what has to be done first, and nothing but that.\n",
    "model/a/b/yg-node.yaml": NODE,
    "model/a/b/responsibility.md": "Does the rest of it, whatever that may turn out to be.\n",
}
SPEC_GRAPH: dict[str, str | bytes] = {
    "specgraph/graph.json": json.dumps(
        {
            "specgraphVersion": "1.0.0",
            "nodes": [
                {"id": "MAIL", "path": "nodes/MAIL.json"},
                {"id": "MAIL-01", "path": "nodes/MAIL-01.json"},
            ],
        }
    ),
    "specgraph/nodes/MAIL.json": json.dumps(
        {
            "id": "MAIL",
            "type": "feature",
            "title": "Mail",
            "description": "Telling people by mail.",
            "links": {"contains": ["MAIL-01"]},
        }
    ),
    "specgraph/nodes/MAIL-01.json": json.dumps(
        {
            "id": "MAIL-01",
            "type": "behavior",
            "title": "Confirm an order",
            "expectation": "One mail is sent for each order that was placed.",
            "verification": "pytest tests/mail",
        }
    ),
}
HANDSHAKE, MODERN = "legacy", "2026-07-28"


class Agent:
    """A client that is connected to a server of its own."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self._portal = portal
        self.client = client

    def ask(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """Send a request with a method of the client, and wait for what comes back."""
        return self._portal.call(partial(method, *arguments))

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """Call a tool."""
        result = self.ask(self.client.call_tool, tool, arguments)
        assert isinstance(result, CallToolResult)
        return result


def texts(result: CallToolResult) -> list[str]:
    """Return the texts of an answer."""
    return [content.text for content in result.content if content.type == "text"]


@contextmanager
def agent(
    *options: str, era: str = MODERN, log: Path | None = None, program: Sequence[str] = ()
) -> Iterator[Agent]:
    """Start a server, and connect to it by one era of the protocol."""
    command, *arguments = program or shared(serves=True).yg
    parameters = StdioServerParameters(
        command=command, args=[*arguments, "mcp", *options], env=dict(os.environ)
    )
    with (
        open(log or os.devnull, "w", encoding="utf-8") as errors,
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(
            Client(stdio_client(parameters, errors), mode=era)
        ) as client,
    ):
        yield Agent(portal, client)


def repository(root: Path) -> Path:
    """Write a small graph and the one source file that it maps."""
    return write(write_graph(root, GRAPH), {"src/a.py": "a = 1\n"})


def node_names(asking: Agent, **arguments: Any) -> list[str]:
    """Ask for the names of all nodes."""
    content = asking.call("tree", **arguments).structured_content
    return [node["name"] for node in content["nodes"]]
