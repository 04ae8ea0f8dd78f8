"""An editor that writes any bytes to a real language server, and reads its messages."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import IO, Any

from forked import START, shared
from raw_client import LIMIT

CAPABILITIES: dict[str, Any] = {"textDocument": {"diagnostic": {}}}


def framed(content: bytes | object) -> bytes:
    """Return a message with its headers; bytes are its content as it is."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(data), data)


def request(identity: object, method: str, params: object = None) -> dict[str, Any]:
    """Make a request."""
    return {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}


def notification(method: str, params: object = None) -> dict[str, Any]:
    """Make a notification."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


class RawEditor:
    """A server, and both ends of its pipes."""

    def __init__(self, process: subprocess.Popen[bytes], root: Path) -> None:
        assert process.stdin
        assert process.stdout
        self.process = process
        self.root = root
        self.input: IO[bytes] = process.stdin
        self.output: IO[bytes] = process.stdout
        self.pushed: list[dict[str, Any]] = []  # diagnostics, in their order
        self._ids = 1_000_000

    def uri(self, path: str) -> str:
        """Return the URI of a file of the repository, or of an absolute path."""
        return (self.root / path).as_uri()

    def write(self, data: bytes) -> None:
        """Write bytes as they are."""
        self.input.write(data)
        self.input.flush()

    def send(self, *messages: object) -> None:
        """Write messages; bytes are the content of one."""
        self.write(b"".join(map(framed, messages)))

    def read(self) -> dict[str, Any]:
        """Return the next message."""
        length = 0
        while line := self.output.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name == b"Content-Length" else length
        assert length, f"the server ended with {self.process.wait()}"
        message: dict[str, Any] = json.loads(self.output.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.pushed.append(message["params"])
        return message

    def until(self, identity: object) -> dict[str, Any]:
        """Return the response with an id; requests and notifications of the server are skipped."""
        while True:
            message = self.read()
            if "method" not in message and message["id"] == identity:
                return message

    def ask(self, method: str, params: object = None) -> dict[str, Any]:
        """Send a request, and return its response."""
        self._ids += 1
        self.send(request(self._ids, method, params))
        return self.until(self._ids)

    def start(self, **params: object) -> dict[str, Any]:
        """Initialise the server."""
        given = {"processId": None, "rootUri": self.root.as_uri(), "capabilities": CAPABILITIES}
        answer = self.ask("initialize", {**given, **params})
        self.send(notification("initialized", {}))
        return answer

    def open(self, path: str, text: str) -> None:
        """Open a document."""
        document = {"uri": self.uri(path), "languageId": "yaml", "version": 1, "text": text}
        self.send(notification("textDocument/didOpen", {"textDocument": document}))

    def change(self, path: str, text: str, place: object = None) -> None:
        """Change an open document: all of it, or a range."""
        change = {"text": text} if place is None else {"text": text, "range": place}
        document = {"uri": self.uri(path), "version": 2}
        params = {"textDocument": document, "contentChanges": [change]}
        self.send(notification("textDocument/didChange", params))

    def codes(self, path: str) -> list[str]:
        """Return the codes of the diagnostics of a file, as they are now."""
        answer = self.ask("textDocument/diagnostic", {"textDocument": {"uri": self.uri(path)}})
        return [found["code"] for found in answer["result"]["items"]]

    def goes_on(self) -> bool:
        """Show that the server still answers."""
        return "result" in self.ask("workspace/symbol", {"query": ""})

    def end(self) -> int:
        """End the input, read the rest of the output, and return the exit code."""
        self.input.close()
        self.output.read()
        return self.process.wait()


@contextmanager
def raw_editor(
    root: Path,
    *,
    git: Path | None = None,
    program: str = START,
    stderr: IO[bytes] | int = subprocess.DEVNULL,
    limit: int = LIMIT,
) -> Iterator[RawEditor]:
    """Start a server, with another git if one is named; it is killed after `limit` seconds."""
    path = os.pathsep.join((*([str(git)] if git else ()), os.environ["PATH"]))
    with subprocess.Popen(
        [*shared(serves=True).python(program), "lsp", "-C", str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={**os.environ, "PATH": path},
    ) as process:
        timer = Timer(limit, process.kill)
        timer.start()
        try:
            yield RawEditor(process, root)
        finally:
            timer.cancel()
            process.kill()
