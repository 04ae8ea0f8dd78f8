"""The connection to one client: the streams of the SDK, over standard input and output.

The SDK drops pending requests when its input ends, so a client that writes its requests and closes
the pipe would not get the last responses. `Incoming` delays the end until they are written.
"""

from __future__ import annotations

import asyncio
import logging
import math
from functools import partial
from typing import TYPE_CHECKING, Self

import anyio
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from yg_old.surfaces.mcp.messages import InvalidMessageError, encode, parse
from yg_old.surfaces.mcp.stdio import CHUNK, Output, read_lines
from yg_old.surfaces.mcp.worker import Outstanding, Worker, in_loop, start_thread

if TYPE_CHECKING:
    from mcp_types import JSONRPCMessage

_LOG = logging.getLogger(__name__)
LAST_WRITE = 1  # seconds to wait for the client to read the last output


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


class Connection:
    """The streams for the SDK, the threads that serve them and the worker that runs the calls.

    The reading thread waits only for input, so it always notices the end of the input.
    """

    def __init__(self, source: int, sink: int) -> None:
        """Start reading and writing; call this in the event loop."""
        loop = asyncio.get_running_loop()
        outstanding = Outstanding()
        self._output_failed = False
        self.has_failed = False  # a read or write failed, other than by a disconnect
        self.worker = Worker(outstanding)
        self.incoming = Incoming(outstanding)
        self.output = Output(sink, in_loop(loop, outstanding.done), in_loop(loop, self._close))
        self.outgoing = Outgoing(self.output, outstanding)
        self._outstanding = outstanding
        self._receive = in_loop(loop, self.incoming.put)
        self._send = in_loop(loop, self.outgoing.put)
        self._end = in_loop(loop, self.incoming.end)
        start_thread(partial(self._read, source))

    def finish(self) -> None:
        """Flush the output; if it failed, give the running call time to finish."""
        self.output.close(LAST_WRITE)
        if self._output_failed:
            self.worker.finish()

    def _read(self, source: int) -> None:
        """Read to the end of the input, in a thread."""
        try:
            for line in read_lines(source):
                if line.strip():
                    self._read_line(line)
        except OSError as error:
            self._report("cannot read standard input", error)
        finally:
            self._end()

    def _read_line(self, line: bytes) -> None:
        try:
            message = parse(line)
        except InvalidMessageError as error:
            response = error.answer()
            if response is None:
                _LOG.warning("yg mcp: dropped a message: %s", error)
            else:
                self._send(response)
        else:
            self._receive(message)

    def _close(self, error: OSError) -> None:
        """End the connection after a failed write."""
        self._report("cannot write standard output", error)
        self._output_failed = True
        self._outstanding.abandon()
        self.incoming.end()

    def _report(self, message: str, error: OSError) -> None:
        if not isinstance(error, ConnectionError):
            _LOG.error("error: %s: %s", message, error.strerror)
            self.has_failed = True
