"""Messages on standard input and output, read and written by daemon threads.

A read or write that blocks cannot be interrupted: a client may leave its end of a pipe open without
writing to it or reading from it. So the server ends while a thread is blocked.
"""

from __future__ import annotations

import asyncio
import logging
import os
from queue import SimpleQueue
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

MAX_MESSAGE = 64_000_000  # bytes of one message
MAX_HEADERS = 8_000  # bytes of the headers of one message
MAX_UNREAD = 256_000_000  # bytes of output that wait for the client
CHUNK = 65_536  # bytes of one read
LAST_WRITE = 1.0  # seconds to wait for the client to read the last output
_LOG = logging.getLogger(__name__)


class FramingError(Exception):
    """The input is not a sequence of messages, so that the next one cannot be found."""


def read_messages(source: BinaryIO) -> Iterator[bytes]:
    """Yield the content of messages until the input ends; raises FramingError."""
    while (length := _read_length(source)) is not None:
        content = _read_content(source, length)
        if content is None:
            return
        yield content


def _read_length(source: BinaryIO) -> int | None:
    """Read the headers of a message and return its length; None if the input ends."""
    length, left = None, MAX_HEADERS
    while line := source.readline(left):
        left -= len(line)
        if not line.strip():
            if length is None:
                raise FramingError("a message has no Content-Length")
            return length
        if left <= 0:
            raise FramingError(f"the headers of a message are longer than {MAX_HEADERS} bytes")
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = _length(value.strip())
    return None


def _length(value: bytes) -> int:
    """Return the value of Content-Length."""
    digits = value.decode("ascii", "replace")
    if not (digits.isascii() and digits.isdigit()):
        raise FramingError("Content-Length is not a number")
    if len(digits) > len(str(MAX_MESSAGE)) or int(digits) > MAX_MESSAGE:
        raise FramingError(f"a message is longer than {MAX_MESSAGE} bytes")
    return int(digits)


def _read_content(source: BinaryIO, length: int) -> bytes | None:
    """Read the content of a message as it arrives; None if the input ends before it does."""
    content = bytearray()
    while len(content) < length:
        chunk = source.read(min(CHUNK, length - len(content)))
        if not chunk:
            return None
        content += chunk
    return bytes(content)


class Output:
    """A queue of chunks that a thread writes to a descriptor in order."""

    def __init__(self, sink: int, on_failed: Callable[[], object]) -> None:
        """Start the thread; it calls `on_failed` when nobody can read its output any more."""
        self._sink = sink
        self._on_failed = on_failed
        self._unread = 0
        self._chunks: SimpleQueue[bytes] = SimpleQueue()
        self._thread = _start_thread(self._run)

    def write(self, data: bytes) -> None:
        """Queue some data, unless the client has stopped reading long ago."""
        if self._unread > MAX_UNREAD:
            _LOG.error("error: the client does not read the output")
            self._on_failed()
            return
        self._unread += len(data)
        self._chunks.put(data)

    def close(self) -> None:
        """End the output, and wait a short time until it is read."""
        self._chunks.put(b"")
        self._thread.join(LAST_WRITE)

    def _run(self) -> None:
        try:
            while chunk := self._chunks.get():
                self._unread -= len(chunk)
                while chunk:
                    chunk = chunk[os.write(self._sink, chunk) :]
        except OSError:
            self._on_failed()


class Connection:
    """The streams of one client."""

    def __init__(self, source: int, sink: int, receive: Callable[[bytes], object]) -> None:
        """Prepare to call a function with each message, in the event loop."""
        self._loop = asyncio.get_running_loop()
        self._source = source
        self._receive = receive
        self.output = Output(sink, lambda: self._in_loop(lambda: self.end(0)))
        self.ended: asyncio.Future[int] = self._loop.create_future()

    def start(self) -> None:
        """Start to read messages."""
        _start_thread(self._read)

    def end(self, code: int) -> None:
        """End the connection with an exit code; the first one counts."""
        if not self.ended.done():
            self.ended.set_result(code)

    def _read(self) -> None:
        """Read messages until the input ends, in a thread."""
        code = 0
        try:
            with open(self._source, "rb", CHUNK, closefd=False) as source:
                for content in read_messages(source):
                    self._deliver(content)
        except FramingError as error:
            _LOG.error("error: cannot read a message: %s", error)
            code = 1
        except OSError as error:
            _LOG.error("error: cannot read standard input: %s", error.strerror)
            code = 1
        self._in_loop(lambda: self.end(code))

    def _deliver(self, content: bytes) -> None:
        """Pass a message on, and wait until it is handled: no more than one is in memory."""
        handled = Event()

        def handle() -> None:
            try:
                self._receive(content)
            finally:
                handled.set()

        self._in_loop(handle)
        handled.wait()

    def _in_loop(self, call: Callable[[], object]) -> None:
        try:
            self._loop.call_soon_threadsafe(call)
        except RuntimeError:
            _LOG.debug("the server has ended")


def _start_thread(run: Callable[[], object]) -> Thread:
    thread = Thread(target=run, daemon=True)
    thread.start()
    return thread
