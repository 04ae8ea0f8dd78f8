"""Standard input and output, read and written by daemon threads.

A read or write that blocks cannot be interrupted. A client may keep its end of a pipe open without
ever reading from it, so these threads are daemons: the server can end while one of them blocks.
"""

from __future__ import annotations

import fcntl
import logging
import os
from queue import SimpleQueue
from typing import TYPE_CHECKING

from yg_old.surfaces.mcp.messages import MAX_LINE
from yg_old.surfaces.mcp.worker import start_thread

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CHUNK = 65_536  # bytes: the capacity of a pipe on Linux
MAX_LOG = 1_000  # log records kept while nobody reads standard error
STDIN, STDOUT, STDERR = range(3)


def claim() -> tuple[int, int]:
    """Return private descriptors of standard input and output, for the protocol only.

    Afterwards standard input is empty, and printed text goes to standard error.
    """
    descriptors = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, STDERR + 1) for fd in (STDIN, STDOUT)]
    for descriptor in descriptors:
        os.set_blocking(descriptor, True)
    null = os.open(os.devnull, os.O_RDWR)  # becomes standard error if that is closed
    os.dup2(null, STDIN)
    os.dup2(STDERR, STDOUT)
    if null != STDERR:
        os.close(null)
    return descriptors[0], descriptors[1]


def read_lines(source: int) -> Iterator[bytes]:
    """Yield lines as they arrive; a line that is too long is truncated one byte after the limit."""
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
    """A queue of chunks that a thread writes to a descriptor in order."""

    def __init__(
        self,
        sink: int,
        on_written: Callable[[], object] = lambda: None,
        on_failed: Callable[[OSError], object] = lambda _error: None,
    ) -> None:
        """Start the thread; it calls `on_written` after each chunk and `on_failed` on an error."""
        self._sink = sink
        self._on_written = on_written
        self._on_failed = on_failed
        self._chunks: SimpleQueue[bytes] = SimpleQueue()
        self._thread = start_thread(self._run)

    @property
    def size(self) -> int:
        """The number of chunks not yet written."""
        return self._chunks.qsize()

    def put(self, chunk: bytes) -> None:
        """Queue a chunk; an empty chunk ends the output."""
        self._chunks.put(chunk)

    def close(self, timeout: float) -> None:
        """End the output and wait until it is written, at most `timeout` seconds."""
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
    """Log handler for standard error; it drops records if nobody reads them."""

    def __init__(self) -> None:
        super().__init__()
        self._output = Output(STDERR)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one record."""
        if self._output.size < MAX_LOG:
            self._output.put(f"{self.format(record)}\n".encode("utf-8", "backslashreplace"))

    def finish(self, timeout: float) -> None:
        """Wait until the log is written, at most `timeout` seconds."""
        self._output.close(timeout)
