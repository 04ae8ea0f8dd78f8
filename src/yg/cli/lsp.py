"""`yg lsp`: run the language server."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser, kind_of, uses_index
from yg.cli.outcome import Outcome
from yg.cli.streams import check_open
from yg.kernel.extras import needs_extra

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call

GARBAGE = 50_000  # objects between two collections: a check makes many, few of them in cycles


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ())
    result.add_argument(
        "--stdio", action="store_true", help="use standard input and output (the only way)"
    )
    return result


def run(call: Call) -> Outcome:
    """Serve until the client is gone."""
    args = call.args
    check_open()
    with needs_extra("the language server", "lsp"):
        from yg.lsp.server import serve
    gc.set_threshold(GARBAGE)
    gc.enable()  # a server runs for a long time, unlike a command
    return Outcome("", serve(args.directory, kind_of(args), uses_index=uses_index(args)))
