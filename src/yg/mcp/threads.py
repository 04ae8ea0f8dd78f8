"""Threads that the end of the process ignores, and their way back into the event loop."""

from __future__ import annotations

import logging
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

_LOG = logging.getLogger(__name__)


def start_thread(run: Callable[[], object]) -> Thread:
    """Start a thread that does not keep the process alive."""
    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def in_loop(loop: AbstractEventLoop, function: Callable[..., object]) -> Callable[..., None]:
    """Return a function for any thread, which has another one called in the event loop."""

    def call(*arguments: object) -> None:
        try:
            loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            _LOG.debug("the event loop has ended before %r", function)

    return call
