"""A client that writes any bytes to a real MCP server, and reads what comes back line by line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from time import sleep
from typing import IO, Any

from forked import START, shared

LIMIT = 120  # seconds until a test gives up on a server
# Waits a second instead of ten for what hangs at the end of its input. Only for tests in which
# something does hang: on a busy machine, anything can take a second.
IMPATIENT = f"from yg.surfaces.mcp import worker; worker.GRACE = 1; {START}"
PING = 1_000_000  # the first id of the pings that show that the server goes on
HELLO = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def request(identity: object, method: str, **params: object) -> dict[str, Any]:
    """Make a request."""
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def call(identity: object, tool: str, **arguments: object) -> dict[str, Any]:
    """Make a request that calls a tool."""
    return request(identity, "tools/call", name=tool, arguments=arguments)


def cancel(**params: object) -> dict[str, Any]:
    """Make a notification that cancels a request."""
    return {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}


class RawClient:
    """A server, and both ends of its pipes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self.input: IO[bytes] = process.stdin
        self.output: IO[bytes] = process.stdout
        self._pings = PING

    def send(self, *messages: Mapping[str, Any] | bytes) -> None:
        """Write messages; bytes are written as they are."""
        for message in messages:
            line = message if isinstance(message, bytes) else json.dumps(message).encode()
            self.input.write(line + b"\n")
        self.input.flush()

    def read(self) -> dict[str, Any]:
        """Return the next message."""
        line = self.output.readline()
        assert line, f"the server ended with {self.process.wait()}"
        message: dict[str, Any] = json.loads(line)
        return message

    def until(self, identity: object) -> list[dict[str, Any]]:
        """Return all messages up to the answer to a request."""
        messages = [self.read()]
        while messages[-1]["id"] != identity:
            messages.append(self.read())
        return messages

    def start(self) -> None:
        """Shake hands."""
        self.send(HELLO, INITIALIZED)
        self.until(HELLO["id"])

    def ping(self) -> list[dict[str, Any]]:
        """Show that the server goes on; return what it says before it answers."""
        self._pings += 1
        self.send(request(self._pings, "ping"))
        *before, answer = self.until(self._pings)
        assert answer["result"] == {}
        return before

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request, and return its answer."""
        self.send(message)
        return self.until(message["id"])[-1]

    def end(self) -> list[dict[str, Any]]:
        """End the input, and return what still comes; the server ends by itself."""
        self.input.close()
        rest = [json.loads(line) for line in self.output]
        assert self.process.wait() == 0
        return rest


@contextmanager
def raw_client(
    root: Path | bytes,
    *options: str,
    git: Path | None = None,
    program: str = START,
    stderr: IO[bytes] | int | None = subprocess.DEVNULL,
) -> Iterator[RawClient]:
    """Start a server, with another git if one is named; it is killed if it takes too long."""
    path = os.pathsep.join((*([str(git)] if git else ()), os.environ["PATH"]))
    with subprocess.Popen(
        [*shared(serves=True).python(program), "mcp", "-C", os.fsencode(root), *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**os.environ, "PATH": path},
    ) as process:
        timer = Timer(LIMIT, process.kill)
        timer.start()
        try:
            yield RawClient(process)
        finally:
            timer.cancel()
            process.kill()


class SlowGit:
    """A git that does nothing until it is allowed to."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._gate, self._waiting = folder / "gate", folder / "waiting"
        script = folder / "git"
        script.write_text(
            "#!/bin/sh\n"
            f"echo $$ >>'{self._waiting}'\n"
            f"while [ ! -e '{self._gate}' ]; do sleep 0.05; done\n"
            f"exec '{shutil.which('git')}' \"$@\"\n",
            encoding="utf-8",
        )
        script.chmod(0o755)

    def wait(self) -> None:
        """Wait until somebody has called it."""
        for _ in range(LIMIT * 20):
            if self._waiting.exists():
                return
            sleep(0.05)
        raise AssertionError("nobody called git")

    def is_gone(self) -> bool:
        """Wait until none of those that were started is running any more."""
        started = self._waiting.read_text(encoding="utf-8").split()
        for _ in range(LIMIT * 20):
            if not any(map(_is_running, started)):
                return True
            sleep(0.05)
        return False

    def release(self) -> None:
        """Let it work, now and from now on."""
        self._gate.touch()

    def kill(self) -> None:
        """End every one that was started and may still be waiting."""
        self.release()
        started = (
            self._waiting.read_text(encoding="utf-8").split() if self._waiting.exists() else ()
        )
        for process in map(int, started):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue


def _is_running(pid: str) -> bool:
    try:
        state = Path("/proc", pid, "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except FileNotFoundError:
        return False
    return state[0] != "Z"
