"""The `explore` command: show the graph in a browser."""

from __future__ import annotations

import argparse
import gc
import signal
import threading
from typing import TYPE_CHECKING, NoReturn

from yg.answers.answer import warnings
from yg.cli import streams
from yg.cli.arguments import add_tokenizer, command_parser, kind_of, tokenizer_of, uses_index
from yg.cli.outcome import Outcome
from yg.kernel.errors import YgError
from yg.render.plain import PLAIN
from yg.workspace import open_workspace

if TYPE_CHECKING:
    from yg.cli.arguments import Parser
    from yg.cli.outcome import Call
    from yg.explorer.server import Server
    from yg.workspace import OpenWorkspace

HIGHEST = 65_535


def parser(name: str, summary: str) -> Parser:
    """Return the parser of the command."""
    result = command_parser(name, summary, ())
    result.add_argument(
        "--port", type=port, default=0, metavar="N", help="port to listen on (default: a free one)"
    )
    result.add_argument("--no-open", action="store_true", help="do not open a browser")
    result.add_argument("--diff", metavar="REV", help="show also what differs from this revision")
    add_tokenizer(result)
    return result


def port(text: str) -> int:
    """Parse a port number."""
    if not (text.isascii() and text.isdigit() and int(text[:6]) <= HIGHEST):
        raise argparse.ArgumentTypeError(f"expected a number from 0 to {HIGHEST}, got '{text}'")
    return int(text)


def run(call: Call) -> Outcome:
    """Serve the page until the user interrupts it."""
    from yg.explorer.server import Server
    from yg.explorer.source import PageSource

    args = call.args
    kind, tokenizer = kind_of(args), tokenizer_of(args)

    def opened() -> OpenWorkspace:
        return open_workspace(
            args.directory, None, kind, uses_index=uses_index(args), tokenizer=tokenizer
        )

    source = PageSource(opened, args.diff)
    try:
        server = Server(args.port, source)
    except OSError as error:
        hint = "Choose another with --port, or leave --port out."
        raise YgError(f"cannot listen on port {args.port}: {error.strerror}", hint=hint) from error
    gc.enable()  # a server runs for a long time, unlike a command
    with server:
        _serve(server, opens_browser=not args.no_open)
    return Outcome("")


def _serve(server: Server, *, opens_browser: bool) -> None:
    signal.signal(signal.SIGTERM, _stop)
    streams.answer(f"{server.address}\n", warnings(server.source.notes)(PLAIN))
    if opens_browser:
        import webbrowser

        threading.Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return


def _stop(_signal: int, _frame: object) -> NoReturn:
    """End like an interrupt."""
    raise KeyboardInterrupt
