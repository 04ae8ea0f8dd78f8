"""The streams between the client and the SDK, and what is left to do when the input ends.

The SDK drops the requests it is working on when its input ends, so that a client which writes its
questions and closes would never get the last answers. `Incoming` delays the end until they are
written.
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
# After the end of the input the server gives up on what hangs: what makes no progress, and uses
# less than a tenth of the processor, for a period of grace. What computes gets several periods.
GRACE = 10  # seconds
PERIODS = 12
IDLE = 0.1


class Outstanding:
    """Counts what has to be done before the server ends: requests, calls and output."""

    def __init__(self) -> None:
        self._count = 0
        self._is_abandoned = False
        self._progress = anyio.Event()

    def add(self) -> None:
        """Count something that has to be done."""
        self._count += 1

    def done(self) -> None:
        """Count something that was done."""
        self._count -= 1
        self._wake()

    def abandon(self) -> None:
        """Stop waiting, because nobody will get the answers."""
        self._is_abandoned = True
        self._wake()

    async def wait(self) -> None:
        """Wait until all is done, or until there is no more progress.

        A client that reads nothing and a call that hangs must not keep the server alive.
        """
        while self._count and not self._is_abandoned:
            if not await self._makes_progress():
                _LOG.warning("warning: the server ends before everything is answered and read")
                self._is_abandoned = True

    async def _makes_progress(self) -> bool:
        """Wait until something more is done; tell whether it was, before time ran out."""
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
    """Messages from the client, as the SDK reads them."""

    def __init__(self, outstanding: Outstanding) -> None:
        self._outstanding = outstanding
        self._sender, self._receiver = anyio.create_memory_object_stream[SessionMessage](math.inf)

    def put(self, message: JSONRPCMessage) -> None:
        """Add a message, unless the stream has ended."""
        metadata = ServerMessageMetadata(on_request_unanswered=self._unanswered)
        try:
            self._sender.send_nowait(SessionMessage(message, metadata))
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            _LOG.debug("dropped a message that came after the end")
            return
        if isinstance(message, JSONRPCRequest):
            self._outstanding.add()

    def end(self) -> None:
        """End the stream after the messages it holds."""
        self._sender.close()

    async def _unanswered(self) -> None:
        """Take note of a request that gets no answer because the client cancelled it."""
        self._outstanding.done()

    async def receive(self) -> SessionMessage:
        """Return the next message; the end comes only when all is answered."""
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
    """Messages to the client, as the SDK writes them."""

    def __init__(self, output: Output, outstanding: Outstanding) -> None:
        self._output = output
        self._outstanding = outstanding

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        self.put(item.message)
        if isinstance(item.message, JSONRPCResponse | JSONRPCError) and item.message.id is not None:
            self._outstanding.done()

    def put(self, message: JSONRPCMessage) -> None:
        """Send a message without waiting; each chunk that the client takes is progress."""
        line = encode(message)
        for start in range(0, len(line), CHUNK):
            self._outstanding.add()
            self._output.put(line[start : start + CHUNK])

    async def aclose(self) -> None:
        """Do nothing: the connection closes the output, after the last errors."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.aclose()
