"""`yg lsp`: serve the graph to editors over the Language Server Protocol."""

from __future__ import annotations

import gc
from typing import Annotated, Any

from yg_old.commands.command import Place, Server
from yg_old.commands.request import Option, Request
from yg_old.kernel.extras import needs_extra
from yg_old.surfaces.cli.streams import check_open

GARBAGE = 50_000  # objects between two collections: a check makes many, few of them in cycles


class LspRequest(Request[Any], frozen=True, kw_only=True):
    """How to talk to the editor."""

    stdio: Annotated[bool, Option(help="use standard input and output (the only way)")] = False


def serve(place: Place, _request: LspRequest) -> int:
    """Serve until the client is gone."""
    check_open()
    with needs_extra("the language server", "lsp"):
        from yg_old.surfaces.lsp.server import serve as serve_editor
    gc.set_threshold(GARBAGE)
    gc.enable()  # a server runs for a long time, unlike a command
    serve_editor(place.directory, place.kind, uses_index=place.uses_index)


COMMAND = Server(request=LspRequest, serve=serve)
