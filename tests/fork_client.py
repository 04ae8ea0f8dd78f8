"""Run Python code in a fork of a server: `python -I -S fork_client.py SOCKET CODE [ARGUMENT ...]`.

The code gets the streams, directory and environment of this process, which passes signals on and
ends as the code ends. It imports so little that it starts in a few milliseconds.
"""

from __future__ import annotations

import _socket
import marshal
import os
import signal
import sys

PASSED_ON = (signal.SIGINT, signal.SIGTERM)
WIDTH = 8  # bytes of a number that the server sends


class Call:
    """Code that a server runs in a process of its own."""

    def __init__(
        self, server: str, code: str, argv: list[str], cwd: str, streams: tuple[int, ...]
    ) -> None:
        self._server = _socket.socket(_socket.AF_UNIX)
        self._server.connect(server)
        rights = b"".join(stream.to_bytes(4, sys.byteorder) for stream in streams)
        self._server.sendmsg([b"\0"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])
        self._server.sendall(marshal.dumps((code, argv, cwd, dict(os.environb))))
        self._server.shutdown(_socket.SHUT_WR)
        self.process = self._number()

    def wait(self) -> int:
        """Return the exit code of the process, or the negative number of the signal it died of."""
        ended = self._number()
        self._server.close()
        return ended

    def _number(self) -> int:
        return int(self._server.recv(WIDTH))


def main() -> int:
    """Run code here; the arguments of this process name the server, the code and its arguments."""
    server, code, *argv = sys.argv[1:]
    call = Call(server, code, argv, os.getcwd(), (0, 1, 2))
    for number in PASSED_ON:
        signal.signal(number, lambda received, _frame: os.kill(call.process, received))
    ended = call.wait()
    for number in PASSED_ON:
        signal.signal(number, signal.SIG_DFL)
    if ended < 0:
        os.kill(os.getpid(), -ended)
    return ended


if __name__ == "__main__":
    sys.exit(main())
