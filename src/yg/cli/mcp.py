"""`yg mcp`: run the MCP server."""

from __future__ import annotations

import gc
import signal
from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser, kind_of, uses_index
from yg.cli.outcome import Outcome
from yg.cli.streams import check_open
from yg.kernel.extras import needs_extra

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "--root",
        action="append",
        default=[],
        metavar="DIR",
        help="repository to serve; may be repeated (default: here)",
    )
    result.add_argument(
        "--allow-sync", action="store_true", help="enable drift-sync, which records baselines"
    )
    result.add_argument(
        "--allow-writes",
        action="store_true",
        help="enable the tools that write a Spec Graph, such as node-set and link",
    )
    return result


def run(call: Call) -> Outcome:
    """Serve until standard input ends."""
    args = call.args
    check_open()
    with needs_extra("the MCP server", "mcp"):
        from yg.mcp.server import serve
        from yg.mcp.service import Service, roots_of
    service = Service(
        roots=roots_of(args.directory, args.root),
        may_sync=args.allow_sync,
        may_write=args.allow_writes,
        kind=kind_of(args),
        uses_index=uses_index(args),
    )
    gc.enable()  # a server runs for a long time, unlike a command
    # A thread blocked on standard input cannot be woken, so an interrupt ends the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return Outcome("", serve(service))
