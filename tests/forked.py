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
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from socket import AF_UNIX, recv_fds, socket
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fork_client import WIDTH, Call

CLIENT = Path(__file__).with_name("fork_client.py")
START = "import sys; from yg.__main__ import main; sys.exit(main())"
# Lets every file be old enough to be trusted, so that nobody has to wait until it is.
TRUSTING = f"from yg.disk.files import stamps; stamps.SETTLED_NS = -(1 << 62); {START}"
# Runs the program without the right to overrule permissions, which root has; nor has a program
# that it starts.
UNPRIVILEGED = f"""\
import ctypes
kernel, header, rights = ctypes.CDLL(None), (ctypes.c_uint32 * 2)(), (ctypes.c_uint32 * 6)()
header[0] = 0x20080522  # the third version of the interface
kernel.capget(header, rights)
rights[0] &= ~0b110  # of those in force: CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH
kernel.capset(header, rights)
for right in (1, 2):
    kernel.prctl(24, right, 0, 0, 0)  # PR_CAPBSET_DROP
{START}
"""


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
def forked(env: Mapping[str, str], *, serves: bool = False) -> Iterator[Forked]:
    """Start a server with an environment of its own; `serves`: for `yg mcp` and `yg lsp`.

    What these two import would make every fork half as slow again.
    """
    with TemporaryDirectory() as folder:
        address = os.path.join(folder, "socket")
        start = [sys.executable, __file__, address, *(["serves"] if serves else [])]
        with subprocess.Popen(
            start, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as server:
            assert server.stdout
            assert server.stdout.readline() == b"ready\n"
            yield Forked(address, Path(folder))


SHARED = ExitStack()  # closed at the end of the session


@cache
def shared(*, serves: bool = False) -> Forked:
    """Return a server of this session; it starts on demand."""
    return SHARED.enter_context(forked(os.environ, serves=serves))


def serve(address: str, *, serves: bool) -> None:
    """Start a process for every call, until standard input ends."""
    import yaml  # noqa: F401

    import yg

    for module in pkgutil.walk_packages(yg.__path__, "yg."):
        if serves or not module.name.startswith(("yg.surfaces.mcp", "yg.surfaces.lsp")):
            importlib.import_module(module.name)
    setattr(os, "fsync", lambda _: None)  # noqa: B010 (the files need not survive a power failure)
    gc.collect()
    gc.freeze()  # so that a fork does not copy what it only looks at
    with socket(AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(100)
        print("ready", flush=True)  # noqa: T201
        answer(listener)


class Running(NamedTuple):
    """A process, the connection to its client, and a pipe that is closed when it ends."""

    process: int
    connection: socket
    alive: int

    def tell(self, number: int) -> None:
        """Send a number to the client, if it is still there."""
        with suppress(BrokenPipeError):
            self.connection.send(b"%*d" % (WIDTH, number))

    def end(self) -> None:
        """Tell the client how the process has ended."""
        _, status = os.waitpid(self.process, 0)
        self.tell(os.waitstatus_to_exitcode(status))
        self.connection.close()
        os.close(self.alive)


def answer(listener: socket) -> None:
    """Start processes until standard input ends; if a client is killed, kill its process too."""
    calls: dict[int, Running] = {}  # by the connection and by the pipe
    poll = select.poll()
    for number in (0, listener.fileno()):
        poll.register(number, select.POLLIN)
    while True:
        for ready, _ in poll.poll():
            if ready == 0:
                return
            if ready == listener.fileno():
                call = start(listener, calls)
                for number in (call.connection.fileno(), call.alive):
                    calls[number] = call
                    poll.register(number, 0)
            elif found := calls.pop(ready, None):
                poll.unregister(ready)
                if ready != found.alive:
                    os.kill(found.process, signal.SIGKILL)
                    continue
                if calls.pop(found.connection.fileno(), None):
                    poll.unregister(found.connection)
                found.end()


def start(listener: socket, others: Iterable[int]) -> Running:
    """Start a process for the next client, which keeps none of the files of the others."""
    connection, _ = listener.accept()
    _, streams, _, _ = recv_fds(connection, 1, 3)
    with connection.makefile("rb") as file:
        request = file.read()
    alive, end = os.pipe()
    process = os.fork()
    if not process:
        for number in (listener.fileno(), connection.fileno(), alive, *others):
            os.close(number)
        code, argv, cwd, env = marshal.loads(request)  # noqa: S302
        os._exit(execute(code, argv, cwd, env, streams))
    for number in (end, *streams):
        os.close(number)
    call = Running(process, connection, alive)
    call.tell(process)
    return call


def execute(
    code: str, argv: list[str], cwd: str, env: Mapping[bytes, bytes], streams: Iterable[int]
) -> int:
    """Run code and return its exit code; what Python cleans up at its end is left as it is."""
    ended = 0
    try:
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(cwd)
        os.environ.clear()
        os.environb.update(env)
        sys.argv[:] = ["-c", *argv]
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
    serve(sys.argv[1], serves=sys.argv[2:] == ["serves"])
