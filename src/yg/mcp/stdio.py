"""Standard input and output: read and written by threads that the end of the process ignores.

A read or write that blocks cannot be interrupted. A client may keep its end of a pipe open without
ever reading from it, so these threads are daemons: the server can end while one of them blocks.
"""

from __future__ import annotations

import fcntl
import logging
import os
from queue import SimpleQueue
from typing import TYPE_CHECKING

from yg.mcp.messages import MAX_LINE
from yg.mcp.threads import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 65_536  # bytes: the capacity of a pipe on Linux
MAX_LOG = 1_000  # log records kept while nobody reads standard error
STDIN, STDOUT, STDERR = range(3)


def claim() -> tuple[int, int]:
    """Return private descriptors of standard input and output, for the protocol alone.

    From then on standard input is empty, and what is printed goes to standard error.
    """
    wires = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, STDERR + 1) for fd in (STDIN, STDOUT)]
    for wire in wires:
        os.set_blocking(wire, True)
    null = os.open(os.devnull, os.O_RDWR)  # takes the place of standard error if that is closed
    os.dup2(null, STDIN)
    os.dup2(STDERR, STDOUT)
    if null != STDERR:
        os.close(null)
    return wires[0], wires[1]


def read_lines(source: int) -> Iterator[bytes]:
    """Yield lines as they arrive; a line that is too long is cut one byte after the limit."""
    line = bytearray()
    while chunk := os.read(source, CHUNK):
        *parts, rest = chunk.split(b"\n")
        for part in parts:
            yield bytes(line + part)[: MAX_LINE + 1]
            line.clear()
        line += rest[: MAX_LINE + 1 - len(line)]
    if line:
        yield bytes(line)


class Output:
    """Writes chunks of bytes to a descriptor, in order, in a thread of its own."""

    def __init__(
        self,
        sink: int,
        on_written: Callable[[], object] = lambda: None,
        on_failed: Callable[[OSError], object] = lambda _error: None,
    ) -> None:
        """Start writing; both functions are called in the thread, the first after each chunk."""
        self._sink = sink
        self._on_written = on_written
        self._on_failed = on_failed
        self._chunks: SimpleQueue[bytes] = SimpleQueue()
        self._thread = start_thread(self._run)

    @property
    def size(self) -> int:
        """How many chunks wait to be written."""
        return self._chunks.qsize()

    def put(self, chunk: bytes) -> None:
        """Write a chunk after all earlier ones; an empty one ends the output."""
        self._chunks.put(chunk)

    def close(self, timeout: float) -> None:
        """End the output; wait until all of it is written, but no longer than a time in seconds."""
        self.put(b"")
        self._thread.join(timeout)

    def _run(self) -> None:
        try:
            while chunk := self._chunks.get():
                while chunk:
                    chunk = chunk[os.write(self._sink, chunk) :]
                self._on_written()
        except OSError as error:
            self._on_failed(error)


class LogHandler(logging.Handler):
    """Writes the log to standard error; a reader that does not keep up loses records."""

    def __init__(self) -> None:
        super().__init__()
        self._output = Output(STDERR)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        if self._output.size < MAX_LOG:
            self._output.put(f"{self.format(record)}\n".encode("utf-8", "backslashreplace"))

    def finish(self, timeout: float) -> None:
        """Wait until the log is written, but no longer than a time in seconds."""
        self._output.close(timeout)
