"""No command opens a network connection."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import NoReturn

import pytest

from inventories import billing_import
from specgraph.graphs import files_of, node
from support import NODE, run, write, write_graph
from yg.commands.table import COMMANDS

SERVERS = {"explore", "hook", "lsp", "mcp"}  # they answer whoever started them
YGGDRASIL = (
    "init --dry-run -C new",
    "draft --dry-run",
    "completions bash",
    "new node b --dry-run",
    "mv a b --dry-run",
    "rm a --force --dry-run",
    "build-context a",
    "build-context --diff",
    "brief src/a.py",
    "overview",
    "decisions",
    "owner src/a.py",
    "uses main",
    "deps a --code",
    "impact a",
    "impact billing::payments/ledger",
    "impact --diff",
    "plan",
    "find ledger",
    "show main",
    "tree",
    "aspects",
    "flows",
    "status",
    "export",
    "export --format sql",
    "export --format html",
    "validate",
    "inventory --contracts",
    "import add other ../other",
    "import add file ../other.jsonl",
    "import update",
    "import list",
    "drift",
    "review",
    "drift-sync --all",
    "coverage",
    "check-docs",
    "preflight",
    "advise",
    "review",
    "explain E022",
)
SPECGRAPH = (
    "node show A",
    "node add behavior C --title T --statement S --verification true",
    "link C depends_on A",
    "unlink C depends_on A",
    "pin A",
    "lock",
    "verify A --dry-run",
    "build-context A",
)


class Guard(socket.socket):
    """A socket that nobody can make."""

    def __init__(self, *_: object, **__: object) -> None:
        raise AssertionError("a command opens a socket")


def refuse(*_: object, **__: object) -> NoReturn:
    raise AssertionError("a command looks for another machine")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make some repositories where no socket can be opened."""
    relation = '{target: "billing::payments/ledger", type: calls}'
    files = {
        "model/a/yg-node.yaml": f"{NODE}external: [{relation}]\nmapping: {{paths: [src]}}\n",
        "imports/billing.jsonl": billing_import(source="../other"),
    }
    write_graph(tmp_path / "here", files)
    write(tmp_path / "here", {"src/a.py": "import os\n"})
    write_graph(tmp_path / "other", {"model/payments/ledger/yg-node.yaml": NODE})
    specs = {key: node("behavior") for key in ("A", "B")}
    write(tmp_path / "specs", {path: str(text) for path, text in files_of(specs).items()})
    (tmp_path / "new").mkdir()
    run("inventory", "-C", str(tmp_path / "other"), "-o", str(tmp_path / "other.jsonl"))
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(socket, "socket", Guard)
    for name in ("create_connection", "create_server", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, refuse)
    return tmp_path


def test_every_command_but_the_servers_is_asked() -> None:
    asked = {question.split()[0] for question in (*YGGDRASIL, *SPECGRAPH)}
    assert asked == {command.name for command in COMMANDS} - SERVERS


@pytest.mark.parametrize("question", YGGDRASIL)
def test_no_command_opens_a_socket(place: Path, question: str) -> None:
    command, *rest = question.replace("-C new", f"-C {place / 'new'}").split()
    outcome = run(command, *rest)
    assert outcome.code in (0, 1), outcome.notes


@pytest.mark.parametrize("question", SPECGRAPH)
def test_no_command_of_a_spec_graph_opens_a_socket(place: Path, question: str) -> None:
    command, *rest = question.split()
    outcome = run(command, "-C", str(place / "specs"), *rest)
    assert outcome.code in (0, 1), outcome.notes


def test_the_guard_works(place: Path) -> None:
    assert place.is_dir()
    with pytest.raises(AssertionError, match="opens a socket"):
        socket.socket()
