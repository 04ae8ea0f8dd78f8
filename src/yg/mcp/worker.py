"""A thread that runs calls, so that the server keeps reading messages meanwhile."""

from __future__ import annotations

import asyncio
from concurrent.futures import Future, wait
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from yg.mcp.threads import in_loop, start_thread

if TYPE_CHECKING:
    from collections.abc import Callable

    from yg.mcp.streams import Outstanding

T = TypeVar("T")


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

    def finish(self, timeout: float) -> None:
        """Wait for the running call, at most `timeout` seconds."""
        if self._current is not None:
            wait([self._current], timeout)

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
                try:
                    self._current.set_result(call())
                except BaseException as error:  # noqa: BLE001
                    self._current.set_exception(error)
