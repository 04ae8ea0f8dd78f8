"""`yg lsp`: run the language server."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING

from yg.cli.arguments import command_parser, kind_of, uses_index
from yg.cli.outcome import Outcome
from yg.kernel.errors import YgError

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call

GARBAGE = 50_000  # objects between two collections: a check makes many, few of them in cycles


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary)
    result.add_argument(
        "--stdio", action="store_true", help="use standard input and output (the only way)"
    )
    return result


def run(call: Call) -> Outcome:
    """Serve until the client is gone."""
    args = call.args
    if sys.stdin is None or sys.stdout is None:
        raise YgError("standard input or output is closed")
    try:
        from yg.lsp.server import serve
    except ImportError as error:
        if (error.name or "").startswith("yg"):
            raise
        install = "pip install 'yggdrasil-context[lsp]'"
        raise YgError(f"the language server requires the extra 'lsp': {install}") from error
    gc.set_threshold(GARBAGE)
    gc.enable()  # a server runs for a long time, unlike a command
    return Outcome("", serve(args.directory, kind_of(args), uses_index=uses_index(args)))
