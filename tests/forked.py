"""Commands as processes of their own, without the time that Python takes to import the program.

A server imports it once; each command is a fork of that. Whatever belongs to the process is real:
environment, hash seed, locale, working directory, standard streams, exit code.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

_SERVER = """\
import importlib, json, os, pkgutil, sys
import yaml
import yg
from yg.__main__ import main

for module in pkgutil.walk_packages(yg.__path__, "yg."):
    if not module.name.startswith("yg.mcp"):
        importlib.import_module(module.name)
calls, replies = os.fdopen(os.dup(0)), os.dup(1)
for line in calls:
    call = json.loads(line)
    if not (child := os.fork()):
        os.chdir(call["cwd"])
        for descriptor, file in enumerate(call["streams"]):
            os.dup2(os.open(file, os.O_RDWR), descriptor)
        sys.argv[1:] = [os.fsdecode(word.encode()) for word in call["argv"]]
        sys.exit(main())
    _, status = os.waitpid(child, 0)
    os.write(replies, b"%d\\n" % os.waitstatus_to_exitcode(status))
"""


class Ran(NamedTuple):
    """Exit code and output of a command."""

    code: int
    out: bytes
    err: bytes


class Forked:
    """A server that runs commands, one at a time."""

    def __init__(self, server: subprocess.Popen[str], folder: Path) -> None:
        self._server = server
        self._streams = [folder / name for name in ("in", "out", "err")]

    def run(self, *argv: str, cwd: Path, stdin: bytes = b"") -> Ran:
        """Run a command."""
        for file, content in zip(self._streams, (stdin, b"", b""), strict=True):
            file.write_bytes(content)
        call = {"argv": argv, "cwd": os.fspath(cwd), "streams": list(map(str, self._streams))}
        assert self._server.stdin
        assert self._server.stdout
        self._server.stdin.write(json.dumps(call) + "\n")
        self._server.stdin.flush()
        code = int(self._server.stdout.readline())
        _, out, err = (file.read_bytes() for file in self._streams)
        return Ran(code, out, err)


@contextmanager
def forked(env: Mapping[str, str]) -> Iterator[Forked]:
    """Start a server with an environment of its own."""
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(
            [sys.executable, "-c", _SERVER],
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        ) as server,
    ):
        yield Forked(server, Path(folder))
