"""`yg hook HARNESS EVENT`: answer an event of a harness, and do no harm whatever happens.

The answer is found in a child process. This process only reads the input and waits, so it ends in
time even if the child hangs in git, in a loop or in a library. It ends with 0, always.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import time

TYPE_CHECKING = False  # importing `typing` takes time; type checkers accept this
if TYPE_CHECKING:
    from collections.abc import Sequence

INPUT_LIMIT = 1.0  # seconds
LIMIT = 3.0  # seconds for everything
MARGIN = 0.2  # seconds before the limit at which the child stops by itself
LATE = f"no answer within {LIMIT:.0f} seconds; yg status brings the index up to date"
PAUSE = 0.05  # seconds without input after which it may be complete
MOST_INPUT = 4_000_000  # bytes
MOST_OUTPUT = 1_000_000
_PIECE = 1 << 16


def main(words: Sequence[str]) -> int:
    """Answer the event on standard input."""
    end = time.monotonic() + LIMIT
    try:
        data = _input()
        output = _from_child(words, data, end)
        _print(output)
    except (OSError, KeyboardInterrupt):
        pass  # no streams, no processes, or the harness has ended: there is nobody to answer
    return 0


def _input() -> bytes:
    """Read standard input to its end, or until it is complete JSON, or for a limited time."""
    end = time.monotonic() + INPUT_LIMIT
    pieces: list[bytes] = []
    size = 0
    while size < MOST_INPUT and (left := end - time.monotonic()) > 0:
        if not select.select([0], [], [], min(PAUSE, left))[0]:
            if _is_complete(pieces):
                break  # a harness may keep it open
            continue
        piece = os.read(0, _PIECE)
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces)[:MOST_INPUT]


def _is_complete(pieces: Sequence[bytes]) -> bool:
    if not pieces or not pieces[-1].rstrip().endswith(b"}"):
        return False
    import json

    try:
        json.loads(b"".join(pieces))
    except (ValueError, RecursionError):
        return False
    return True


def _from_child(words: Sequence[str], data: bytes, end: float) -> bytes:
    """Return what a child process answers; empty if it does not answer in time."""
    output, given = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setpgid(0, 0)
            os.close(output)
            _answer(words, data, given, end)
        finally:
            os._exit(0)
    os.close(given)
    _make_group(child)
    pieces: list[bytes] = []
    try:
        while (left := end - time.monotonic()) > 0:
            if select.select([output], [], [], left)[0]:
                piece = os.read(output, _PIECE)
                if not piece:
                    return _complete(b"".join(pieces))
                pieces.append(piece)
        return b""
    finally:
        os.killpg(child, signal.SIGKILL)  # with git
        os.waitpid(child, 0)
        os.close(output)


def _make_group(child: int) -> None:
    """Give a child process a group; it does the same, because nobody knows who is first."""
    try:
        os.setpgid(child, child)
    except OSError:
        pass  # it has ended already, and was first


_DONE = b"\0"  # at the end of a complete answer


def _complete(answer: bytes) -> bytes:
    return answer.removesuffix(_DONE) if answer.endswith(_DONE) else b""


def _answer(words: Sequence[str], data: bytes, given: int, end: float) -> None:
    """Find the answer in the child process."""
    signal.signal(signal.SIGALRM, lambda _signal, _frame: _give_up(words))
    signal.setitimer(signal.ITIMER_REAL, max(0.01, end - MARGIN - time.monotonic()))
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):  # nothing that is printed by mistake reaches the harness
        os.dup2(null, stream)
    from yg_old.disk.git import groups
    from yg_old.surfaces.hook.respond import respond

    groups.share()
    text = respond(words, data, time.time)
    left = memoryview(text.encode("utf-8", "replace")[:MOST_OUTPUT] + _DONE)
    while left:
        left = left[os.write(given, left) :]


def _give_up(words: Sequence[str]) -> None:
    """End the child process, and git with it."""
    try:
        git, log = map(sys.modules.get, ("yg_old.disk.git.process", "yg_old.surfaces.hook.log"))
        if git is not None:
            git.stop_all()
        if log is not None:
            message = f"{' '.join(words[:2])}: {LATE}"
            log.note(os.getcwd(), message, time.time)
    finally:
        os._exit(0)


def _print(output: bytes) -> None:
    left = memoryview(output)
    while left:
        left = left[os.write(1, left) :]
