"""The streams between the client and the SDK, and a clean shutdown at the end of the input.

The SDK drops pending requests when its input ends, so a client that writes its requests and closes
the pipe would not get the last responses. `Incoming` delays the end until they are written.
"""

from __future__ import annotations

import logging
import math
from time import process_time
from typing import TYPE_CHECKING, Self

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from yg.mcp.messages import encode
from yg.mcp.stdio import CHUNK

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage

    from yg.mcp.stdio import Output

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


class Incoming:
    """Stream of messages from the client, read by the SDK."""

    def __init__(self, outstanding: Outstanding) -> None:
        self._outstanding = outstanding
        self._sender, self._receiver = anyio.create_memory_object_stream[SessionMessage](math.inf)

    def put(self, message: JSONRPCMessage) -> None:
        """Add a message, unless the stream has ended."""
        metadata = ServerMessageMetadata(on_request_unanswered=self._unanswered)
        try:
            self._sender.send_nowait(SessionMessage(message, metadata))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            _LOG.debug("dropped a message after the end of the stream")
            return
        if isinstance(message, JSONRPCRequest):
            self._outstanding.add()

    def end(self) -> None:
        """End the stream after the messages it holds."""
        self._sender.close()

    async def _unanswered(self) -> None:
        """Remove a request that the client cancelled; it gets no response."""
        self._outstanding.done()

    async def receive(self) -> SessionMessage:
        """Return the next message; signal the end only when nothing is pending."""
        try:
            return await self._receiver.receive()
        except anyio.EndOfStream:
            await self._outstanding.wait()
            raise

    async def aclose(self) -> None:
        """Close the stream."""
        await self._receiver.aclose()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()


class Outgoing:
    """Stream of messages to the client, written by the SDK."""

    def __init__(self, output: Output, outstanding: Outstanding) -> None:
        self._output = output
        self._outstanding = outstanding

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        self.put(item.message)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError) and item.message.id is not None:
            self._outstanding.done()

    def put(self, message: JSONRPCMessage) -> None:
        """Queue a message; each chunk read by the client counts as progress."""
        line = encode(message)
        for start in range(0, len(line), CHUNK):
            self._outstanding.add()
            self._output.put(line[start : start + CHUNK])

    async def aclose(self) -> None:
        """Do nothing: the connection closes the output later."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()
