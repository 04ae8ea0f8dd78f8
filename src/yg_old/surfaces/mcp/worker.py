"""Pending work of a server, and the threads that do it.

One thread runs the calls, so that the server keeps reading messages meanwhile.
"""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import Future, wait
from queue import SimpleQueue
from threading import Thread
from time import process_time
from typing import TYPE_CHECKING, Any, TypeVar

import anyio

from yg_old.disk.git import timeouts

if TYPE_CHECKING:
    from asyncio import AbstractEventLoop
    from collections.abc import Callable

T = TypeVar("T")
_LOG = logging.getLogger(__name__)
# After the end of the input, the server waits GRACE seconds for progress and then gives up. A call
# that uses more than a tenth of the processor meanwhile gets up to PERIODS such waits.
GRACE = 10  # seconds
PERIODS = 12
IDLE = 0.1


class Outstanding:
    """A counter of pending work: requests, calls and output."""

    def __init__(self) -> None:
        self._count = 0
        self._is_abandoned = False
        self._progress = anyio.Event()

    def add(self) -> None:
        """Add one pending item."""
        self._count += 1

    def done(self) -> None:
        """Remove one pending item."""
        self._count -= 1
        self._wake()

    def abandon(self) -> None:
        """Stop waiting, because the client is gone."""
        self._is_abandoned = True
        self._wake()

    async def wait(self) -> None:
        """Wait until nothing is pending, or until there is no more progress.

        A client that reads nothing and a call that hangs must not keep the server alive.
        """
        while self._count and not self._is_abandoned:
            if not await self._makes_progress():
                _LOG.warning("warning: the server exits with pending requests or unread output")
                self._is_abandoned = True

    async def _makes_progress(self) -> bool:
        """Wait for progress; return False on timeout."""
        for _ in range(PERIODS):
            used = process_time()
            with anyio.move_on_after(GRACE) as scope:
                await self._progress.wait()
            if not scope.cancelled_caught:
                return True
            if process_time() - used < GRACE * IDLE:
                return False
        return False

    def _wake(self) -> None:
        self._progress.set()
        self._progress = anyio.Event()


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


class Worker:
    """A daemon thread that runs one call at a time."""

    def __init__(self, outstanding: Outstanding) -> None:
        self._outstanding = outstanding
        self._calls: SimpleQueue[tuple[Callable[[], Any], Future[Any]]] = SimpleQueue()
        self._current: Future[Any] | None = None
        start_thread(self._run)

    @property
    def is_busy(self) -> bool:
        """Whether a call is running, even if its request was cancelled."""
        return self._current is not None and self._current.running()

    def finish(self) -> None:
        """Wait for the running call, at most GRACE seconds."""
        if self._current is not None:
            wait([self._current], GRACE)

    async def run(self, call: Callable[[], T]) -> T:
        """Run a call after all earlier ones, unless it is cancelled before it starts."""
        future: Future[T] = Future()
        done = in_loop(asyncio.get_running_loop(), self._outstanding.done)
        self._outstanding.add()
        future.add_done_callback(lambda _future: done())
        self._calls.put((call, future))
        return await asyncio.wrap_future(future)

    def _run(self) -> None:
        while True:
            call, self._current = self._calls.get()
            if self._current.set_running_or_notify_cancel():
                timeouts.forget()
                try:
                    self._current.set_result(call())
                except BaseException as error:  # noqa: BLE001
                    self._current.set_exception(error)
