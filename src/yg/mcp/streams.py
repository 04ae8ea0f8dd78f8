"""Streams that end only when every request has been answered.

The SDK drops the requests it is working on when its input ends, so that a client which writes its
questions and closes would never hear the last answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import anyio
from mcp_types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

if TYPE_CHECKING:
    from mcp.shared._stream_protocols import ReadStream, WriteStream
    from mcp.shared.message import SessionMessage

CANCELLED = "notifications/cancelled"


class Pending:
    """The requests that wait for an answer."""

    def __init__(self) -> None:
        self._ids: set[object] = set()
        self._changed = anyio.Event()

    def read(self, item: SessionMessage | Exception) -> None:
        """Take notice of what came in: a request waits, one that is taken back does not."""
        message = None if isinstance(item, Exception) else item.message
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == CANCELLED:
            self._settle((message.params or {}).get("requestId"))

    def written(self, item: SessionMessage) -> None:
        """Take notice of what went out."""
        if isinstance(item.message, JSONRPCResponse | JSONRPCError):
            self._settle(item.message.id)

    async def settled(self) -> None:
        """Wait until no request waits."""
        while self._ids:
            await self._changed.wait()

    def _settle(self, request: object) -> None:
        self._ids.discard(request)
        self._changed.set()
        self._changed = anyio.Event()


class Incoming:
    """What comes in; its end is held back until all is answered."""

    def __init__(self, stream: ReadStream[SessionMessage | Exception], pending: Pending) -> None:
        self._stream = stream
        self._pending = pending

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message."""
        try:
            item = await self._stream.receive()
        except anyio.EndOfStream:
            await self._pending.settled()
            raise
        self._pending.read(item)
        return item

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()


class Outgoing:
    """What goes out."""

    def __init__(self, stream: WriteStream[SessionMessage], pending: Pending) -> None:
        self._stream = stream
        self._pending = pending

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        await self._stream.send(item)
        self._pending.written(item)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()
