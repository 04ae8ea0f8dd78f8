"""`yg hook`: answer events of agents' harnesses, show the log, or try all events."""

from __future__ import annotations

from typing import Annotated, Any

from yg_old.commands.command import Place, Server
from yg_old.commands.request import Operand, Option, Request
from yg_old.surfaces.cli.streams import answer
from yg_old.surfaces.hook.event import EVENTS, HARNESSES

EPILOG = (
    "Reads the JSON of the event on standard input and prints what the harness expects, or "
    "nothing. The exit code is 0 whatever happens; problems are in the log."
)


class HookRequest(Request[Any], frozen=True, kw_only=True):
    """Which event of which harness; or what to show."""

    harness: Annotated[
        str | None, Operand("HARNESS", "the program that calls", choices=HARNESSES)
    ] = None
    event: Annotated[str | None, Operand("EVENT", "what happened there", choices=EVENTS)] = None
    log: Annotated[bool, Option(help="print the problems that hooks had")] = False
    test: Annotated[
        str | None,
        Option(
            metavar="HARNESS",
            choices=HARNESSES,
            help="show what the model would get at a sample of every event",
        ),
    ] = None


def serve(place: Place, request: HookRequest) -> int:
    """Show the log or the answers to samples, or answer the event."""
    if request.test:
        from yg_old.surfaces.hook.samples import shown

        return answer(shown(place.directory, request.test))
    if request.log:
        from yg_old.surfaces.hook.log import read

        return answer(read(place.directory) or "No problems.\n")
    if request.harness is None or request.event is None:
        return answer(f"{EPILOG}\nTry 'yg hook --help'.\n")
    from yg_old.surfaces.hook.main import main

    return main((request.harness, request.event))


COMMAND = Server(request=HookRequest, serve=serve, epilog=EPILOG)
