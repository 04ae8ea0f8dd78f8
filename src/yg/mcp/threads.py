"""Daemon threads, and calls from a thread into the event loop."""

from __future__ import annotations

import logging
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

_LOG = logging.getLogger(__name__)


def start_thread(run: Callable[[], object]) -> Thread:
    """Start a daemon thread."""
    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread


def in_loop(loop: AbstractEventLoop, function: Callable[..., object]) -> Callable[..., None]:
    """Return a thread-safe function that schedules another one in the event loop."""

    def call(*arguments: object) -> None:
        try:
            loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            _LOG.debug("the event loop ended before calling %r", function)

    return call
