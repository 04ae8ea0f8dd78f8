"""Processes that run the program, without the time that Python takes to import it.

A server imports it once; each process is a fork of that. Whatever belongs to the process is real:
environment, working directory, standard streams, signals, exit code. Hash seed and locale are those
with which the server was started; and Python is not torn down at the end, which would take as long
as to import all that.
"""

from __future__ import annotations

import gc
import importlib
import marshal
import os
import pkgutil
import select
import shlex
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from socket import AF_UNIX, recv_fds, socket
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fork_client import WIDTH, Call

CLIENT = Path(__file__).with_name("fork_client.py")
START = "import sys; from yg.__main__ import main; sys.exit(main())"


class Ran(NamedTuple):
    """Exit code and output of a command."""

    code: int
    out: bytes
    err: bytes


class Forked:
    """A server that starts processes."""

    def __init__(self, address: str, folder: Path) -> None:
        self._address = address
        self._streams = [folder / name for name in ("in", "out", "err")]
        self._bin = folder / "bin"
        self._bin.mkdir()
        script = self._bin / "yg"
        script.write_text(f'#!/bin/sh\nexec {shlex.join(self.python(START))} "$@"\n')
        script.chmod(0o755)

    @property
    def path(self) -> str:
        """The variable PATH with which a shell finds `yg` here."""
        return os.pathsep.join(
            [str(self._bin), os.path.dirname(sys.executable), os.environ["PATH"]]
        )

    @property
    def yg(self) -> tuple[str, ...]:
        """The command line of the program, without its arguments."""
        return self.python(START)

    def python(self, code: str) -> tuple[str, ...]:
        """Return what `python -c` is without a server; all that `yg` consists of is imported."""
        return (sys.executable, "-I", "-S", str(CLIENT), self._address, code)

    def run(self, *argv: str, cwd: Path, stdin: bytes = b"") -> Ran:
        """Run a command without even a process that waits for it."""
        for file, content in zip(self._streams, (stdin, b"", b""), strict=True):
            file.write_bytes(content)
        with ExitStack() as stack:
            files = [stack.enter_context(open(path, "r+b")) for path in self._streams]
            streams = tuple(file.fileno() for file in files)
            code = Call(self._address, START, list(argv), os.fspath(cwd), streams).wait()
        _, out, err = (file.read_bytes() for file in self._streams)
        return Ran(code, out, err)


@contextmanager
def forked(env: Mapping[str, str], *, serves_mcp: bool = False) -> Iterator[Forked]:
    """Start a server with an environment of its own."""
    with TemporaryDirectory() as folder:
        address = os.path.join(folder, "socket")
        start = [sys.executable, __file__, address, *(["mcp"] if serves_mcp else [])]
        with subprocess.Popen(
            start, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdout
            assert server.stdout.readline() == b"ready\n"
            yield Forked(address, Path(folder))


SHARED = ExitStack()  # closed at the end of the session


@cache
def shared() -> Forked:
    """Return the server of this session, which can also be an MCP server; it starts on demand."""
    return SHARED.enter_context(forked(os.environ, serves_mcp=True))


def serve(address: str, *, serves_mcp: bool) -> None:
    """Start a process for every call, until standard input ends."""
    import yaml  # noqa: F401

    import yg

    for module in pkgutil.walk_packages(yg.__path__, "yg."):
        if serves_mcp or not module.name.startswith("yg.mcp"):
            importlib.import_module(module.name)
    gc.collect()
    gc.freeze()  # so that a fork does not copy what it only looks at
    with socket(AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(100)
        print("ready", flush=True)  # noqa: T201
        while select.select([0, listener.fileno()], [], [])[0] != [0]:
            connection, _ = listener.accept()
            reap()
            if not os.fork():
                listener.close()
                supervise(connection)
            connection.close()


def reap() -> None:
    """Forget the children that have ended; their time counts as that of this process."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def supervise(connection: socket) -> None:
    """Start one process, and tell the client how it ends; if the client is killed, kill it too."""
    _, streams, _, _ = recv_fds(connection, 1, 3)
    with connection.makefile("rb") as file:
        code, argv, cwd, env = marshal.loads(file.read())  # noqa: S302
    alive, end = os.pipe()
    process = os.fork()
    if not process:
        connection.close()
        os.chdir(cwd)
        os.environ.clear()
        os.environb.update(env)
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        sys.argv[:] = ["-c", *argv]
        os._exit(execute(code))
    os.close(end)
    for stream in (0, 1, 2, *streams):
        os.close(stream)
    connection.send(b"%*d" % (WIDTH, process))
    poll = select.poll()
    poll.register(alive, 0)
    poll.register(connection, 0)
    if (alive, select.POLLHUP) not in poll.poll():
        os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    connection.send(b"%*d" % (WIDTH, os.waitstatus_to_exitcode(status)))
    os._exit(0)


def execute(code: str) -> int:
    """Run code and return its exit code; what Python cleans up at its end is left as it is."""
    ended = 0
    try:
        exec(code, {"__name__": "__main__"})  # noqa: S102
    except SystemExit as asked:
        ended = int(asked.code or 0)
    except BaseException:  # noqa: BLE001
        traceback.print_exc()
        ended = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return ended


if __name__ == "__main__":
    serve(sys.argv[1], serves_mcp=sys.argv[2:] == ["mcp"])
