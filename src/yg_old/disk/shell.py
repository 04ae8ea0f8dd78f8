"""Run a command of a graph: the only place that executes anything but git."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from contextlib import contextmanager, suppress
from threading import Thread, current_thread, main_thread
from typing import IO, TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST = 200_000  # bytes of output that are kept, from the end
PIECE = 65_536
PATIENCE = 2.0  # seconds to end after SIGTERM, and for the last output


class Ran(Struct, frozen=True, kw_only=True):
    """What became of a command."""

    code: int | None = None  # exit code, negative for a signal; None if it did not end by itself
    failure: str = ""  # why there is no exit code
    output: bytes = b""  # its standard output and error
    omitted: int = 0  # bytes before the output


def run_shell(
    command: str, directory: str, environment: Mapping[str, str], seconds: float | None
) -> Ran:
    """Run a command by `sh -c`; at the end, also end all processes that it started.

    Its input is empty.
    """
    with _requests() as requests:
        try:
            process = subprocess.Popen(  # noqa: S603
                ["/bin/sh", "-c", command],
                cwd=directory,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # and so a process group of its own
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            return Ran(failure=f"cannot be run: {reason}")
        return _result(process, seconds, requests)


def _result(process: subprocess.Popen[bytes], seconds: float | None, requests: _Requests) -> Ran:
    output = _Output(process.stdout)
    failure = ""
    try:
        requests.answer()
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        failure = f"timed out after {seconds:g} s"
        _end(process, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
    finally:
        _end(process, signal.SIGKILL)
        process.wait()
    kept, omitted = output.finish()
    code = None if failure else process.returncode
    return Ran(code=code, failure=failure, output=kept, omitted=omitted)


def _end(process: subprocess.Popen[bytes], number: int) -> None:
    """Send a signal to the process group of a command."""
    with suppress(ProcessLookupError, PermissionError):  # all have ended; macOS says the latter
        os.killpg(process.pid, number)


class _Output:
    """The end of the output of a process, read by a thread so that the process never waits."""

    def __init__(self, source: IO[bytes] | None) -> None:
        self._source = source
        self._pieces: deque[bytes] = deque()
        self._length = 0  # of the pieces
        self._total = 0
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        while self._source and (piece := os.read(self._source.fileno(), PIECE)):
            self._pieces.append(piece)
            self._total += len(piece)
            self._length += len(piece)
            while self._length - len(self._pieces[0]) >= MOST:
                self._length -= len(self._pieces.popleft())

    def finish(self) -> tuple[bytes, int]:
        """Return the output that was kept, and the number of bytes before it."""
        # A process that has left the group may keep the pipe open for ever.
        self._thread.join(PATIENCE)
        if self._source and not self._thread.is_alive():
            self._source.close()
        kept = b"".join(self._pieces.copy())[-MOST:]
        return kept, self._total - len(kept)


class _Requests:
    """Requests to end this process; each becomes an exception, so that the command is ended too.

    One that comes while the command is being started waits: nobody could end the command yet.
    """

    def __init__(self) -> None:
        self._has_come = False
        self._can_answer = False

    def take(self, _number: int, _frame: object) -> None:
        """Handle a signal."""
        self._has_come = True
        if self._can_answer:
            raise KeyboardInterrupt

    def answer(self) -> None:
        """Raise KeyboardInterrupt if a request has come, and whenever one comes from now on."""
        self._can_answer = True
        if self._has_come:
            raise KeyboardInterrupt


@contextmanager
def _requests() -> Iterator[_Requests]:
    """Take requests to end this process until the command has ended."""
    requests = _Requests()
    if current_thread() is not main_thread():
        yield requests
        return
    before = {number: signal.signal(number, requests.take) for number in _SIGNALS}
    try:
        yield requests
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
