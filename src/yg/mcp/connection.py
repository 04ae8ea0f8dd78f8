"""The connection to one client, over standard input and output."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from yg.mcp.messages import InvalidMessageError, parse
from yg.mcp.stdio import Output, read_lines
from yg.mcp.streams import GRACE, Incoming, Outgoing, Outstanding
from yg.mcp.threads import in_loop, start_thread
from yg.mcp.worker import Worker

_LOG = logging.getLogger(__name__)
LAST_WRITE = 1  # seconds to wait for the client to read the last output


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
            self.worker.finish(GRACE)

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
