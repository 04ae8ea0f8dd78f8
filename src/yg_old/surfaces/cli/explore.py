"""`yg explore`: show the graph in a browser."""

from __future__ import annotations

import gc
import signal
import threading
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

from msgspec import Meta

from yg_old.commands.command import Place, Server, warnings
from yg_old.commands.explore.document import ExplorerDocument
from yg_old.commands.request import Option, Request, Tokenizer
from yg_old.kernel.errors import YgError
from yg_old.kernel.palette import PLAIN
from yg_old.surfaces.cli import streams
from yg_old.surfaces.cli.arguments import tokenizer_of
from yg_old.workspace.opening import open_workspace

if TYPE_CHECKING:
    from yg_old.surfaces.explorer.server import Server as PageServer
    from yg_old.workspace.opened import OpenWorkspace

HIGHEST = 65_535


class ExploreRequest(Request[Any], frozen=True, kw_only=True):
    """Where to serve the page, and what to compare with."""

    port: Annotated[
        Annotated[int, Meta(ge=0, le=HIGHEST)],
        Option(metavar="N", help="port to listen on (default: a free one)"),
    ] = 0
    no_open: Annotated[bool, Option(help="do not open a browser")] = False
    diff: Annotated[
        str | None, Option(metavar="REV", help="show also what differs from this revision")
    ] = None
    tokenizer: Tokenizer = None


def serve(place: Place, request: ExploreRequest) -> int:
    """Serve the page until the user interrupts it."""
    from yg_old.surfaces.explorer.server import Server as PageServer
    from yg_old.surfaces.explorer.source import PageSource

    tokenizer = tokenizer_of(request)

    def opened() -> OpenWorkspace:
        return open_workspace(
            place.directory, None, place.kind, uses_index=place.uses_index, tokenizer=tokenizer
        )

    source = PageSource(opened, request.diff)
    try:
        server = PageServer(request.port, source)
    except OSError as error:
        hint = "Choose another with --port, or leave --port out."
        message = f"cannot listen on port {request.port}: {error.strerror}"
        raise YgError(message, hint=hint) from error
    gc.enable()  # a server runs for a long time, unlike a command
    with server:
        _serve(server, opens_browser=not request.no_open)
    return 0


def _serve(server: PageServer, *, opens_browser: bool) -> None:
    signal.signal(signal.SIGTERM, _stop)
    streams.answer(f"{server.address}\n", warnings(server.source.notes, PLAIN))
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


COMMAND = Server(request=ExploreRequest, serve=serve, all_documents=(ExplorerDocument,))
