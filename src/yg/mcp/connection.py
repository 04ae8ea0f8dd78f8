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
LAST_WRITE = 1  # second for the client to take what was written last


class Connection:
    """Two streams for the SDK, the threads behind them, and the worker that runs the calls.

    The thread that reads never waits for anything but input, so that it sees the end of the input
    whatever the rest of the server does.
    """

    def __init__(self, source: int, sink: int) -> None:
        """Start to read and write; to be called in the event loop."""
        loop = asyncio.get_running_loop()
        outstanding = Outstanding()
        self._is_cut = False  # the output ended before the input
        self.has_failed = False  # to read or to write, other than by a client that has left
        self.worker = Worker(outstanding)
        self.incoming = Incoming(outstanding)
        self.output = Output(sink, in_loop(loop, outstanding.done), in_loop(loop, self._close))
        self.outgoing = Outgoing(self.output, outstanding)
        self._outstanding = outstanding
        self._receive = in_loop(loop, self.incoming.put)
        self._refuse = in_loop(loop, self.outgoing.put)
        self._end = in_loop(loop, self.incoming.end)
        start_thread(partial(self._read, source))

    def finish(self) -> None:
        """Write what is left; give a running call its time, unless it has had that already."""
        self.output.close(LAST_WRITE)
        if self._is_cut:
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
            answer = error.answer()
            if answer is None:
                _LOG.warning("yg mcp: dropped a message: %s", error)
            else:
                self._refuse(answer)
        else:
            self._receive(message)

    def _close(self, error: OSError) -> None:
        """End the connection, because nobody takes the output."""
        self._report("cannot write standard output", error)
        self._is_cut = True
        self._outstanding.abandon()
        self.incoming.end()

    def _report(self, what: str, error: OSError) -> None:
        if not isinstance(error, ConnectionError):
            _LOG.error("error: %s: %s", what, error.strerror)
            self.has_failed = True
