"""No command opens a socket, looks for another machine or starts anything but git."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from graphs import write
from hostile import commit_all, configure
from security.asking import LINES, SHOP
from yg.commands.table import COMMANDS

DRIVER = """\
import json, os, sys
from yg.surfaces.cli.main import answer
HEARD = ("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "webbrowser.", "ctypes.", "os.exec",
         "os.posix_spawn", "os.spawn", "os.system", "os.fork", "pty.")
heard = []
def listen(event, arguments):
    if event.startswith(HEARD):
        heard.append([event])
    elif event == "subprocess.Popen":
        heard.append([event, os.fsdecode(arguments[0])])
    elif event == "import" and arguments[0] in ("socket", "ssl", "http.client", "urllib.request"):
        heard.append([event, arguments[0]])
sys.addaudithook(listen)
lines, directory = json.loads(sys.argv[1]), sys.argv[2]
codes = {}
for line in lines:
    name, *words = line.split()
    codes[line] = answer([name, "-C", directory, *words]).code
if sys.argv[3:]:
    import socket
    socket.socket().close()
print(json.dumps([codes, heard]))
"""
MORE = (
    "validate --format github",
    "validate --since HEAD",
    "validate --since origin/main",
    "validate --at HEAD",
    "build-context a --at HEAD",
    "build-context a --format markdown",
    "build-context gone",
    "tree --at v9",
    "aspects --at HEAD",
    "flows --at HEAD",
    "owner --at HEAD src/a.py",
    "explain --schema",
    "explain --format markdown",
    "unknown",
)


def heard_by(root: Path, *more: str) -> tuple[dict[str, int], list[list[str]]]:
    """Run every line in one process; return its exit codes and what an audit hook heard."""
    lines = json.dumps([*LINES, *MORE])
    command = [sys.executable, "-c", DRIVER, lines, str(root), *more]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    codes, heard = json.loads(done.stdout)
    return codes, heard


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make a repository that would like to talk to another machine."""
    root = write(tmp_path / "root", SHOP)
    commit_all(root)
    configure(
        root,
        {
            "remote.origin.url": "https://example.org/x.git",
            "remote.origin.promisor": "true",
            "remote.origin.partialCloneFilter": "blob:none",
            "extensions.partialClone": "origin",
            "credential.helper": "!touch sprung",
            "url.https://example.org/.insteadOf": "/",
        },
    )
    return write(root, {"src/a.py": "a = 2\n", "src/new.py": ""})


def test_every_command_is_asked() -> None:
    asked = {line.split()[0] for line in (*LINES, *MORE)}
    assert asked == {command.name for command in COMMANDS} | {"unknown"}


def test_no_command_opens_a_socket_or_starts_anything_but_git(root: Path) -> None:
    codes, heard = heard_by(root)
    assert set(codes.values()) <= {0, 1, 2}
    assert {line for line, code in codes.items() if code > 1} == {"unknown"}
    assert {tuple(event) for event in heard} == {("subprocess.Popen", "git")}
    assert not (root / "sprung").exists()


def test_what_listens_would_hear_a_socket(root: Path) -> None:
    _, heard = heard_by(root, "and open one")
    assert ["socket.__new__"] in heard
