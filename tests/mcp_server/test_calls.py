"""A bug of ours costs one answer and is reported; hundreds of answers leak no memory."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from msgspec.structs import replace

from agent import agent, repository, texts
from support import NODE, write_graph
from yg.commands.command import Run
from yg.kernel.document import Document
from yg.surfaces.mcp import calls
from yg.surfaces.mcp.service import Roots, Service
from yg.surfaces.mcp.tools import READING

ADVICE = "Report it with the traceback in the server's log; other calls still work."


def test_a_bug_is_reported_in_a_line_and_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    def fail(_run: Run, _request: object) -> Document:
        raise ValueError("first\nsecond")

    broken = replace(READING[2], command=replace(READING[2].command, ask=fail))
    monkeypatch.setattr(calls, "tools_of", lambda _service: (broken,))
    service = Service(roots=Roots((str(tmp_path),)))
    result = calls.call_tool(service, broken.name, {})
    assert (result.is_error, texts(result)) == (
        True,
        [
            f"error: yg has a bug: ValueError: first\n  {ADVICE}\n",
            f"[root {tmp_path}, not in git]\n",
        ],
    )
    assert "ValueError: first\nsecond" in caplog.text


def test_a_graph_of_another_repository_is_named(tmp_path: Path) -> None:
    root = write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    (root / "inner").mkdir()
    for place in ("objects", "refs"):
        (root / "inner" / ".git" / place).mkdir(parents=True)
    (root / "inner" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    service = Service(roots=Roots((str(root / "inner"), str(root))))
    note = "warning: this git repository has no graph; using ../.yggdrasil\n"
    assert texts(calls.call_tool(service, "tree", {}))[1].startswith(note)
    assert note not in texts(calls.call_tool(service, "tree", {"root": ".."}))[1]


def test_a_bug_behind_a_resource_is_reported_by_the_protocol(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(Service, "state_of", lambda _service, _directory: 1 // 0)
    service = Service(roots=Roots((str(tmp_path),)))
    with pytest.raises(MCPError) as caught:
        calls.read_resource(service, "yg://rules/E004")
    assert caught.value.code == -32603
    assert caught.value.message.startswith("yg has a bug: ZeroDivisionError: ")
    assert "ZeroDivisionError" in caplog.text


class Held(NamedTuple):
    """What a process holds: open files, threads, memory in kB."""

    files: int
    threads: int
    memory: int


def held(process: int) -> Held:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    facts = dict(line.split(":", 1) for line in status.splitlines())
    files = len(os.listdir(f"/proc/{process}/fd"))
    return Held(files, int(facts["Threads"]), int(facts["VmRSS"].split()[0]))


def children() -> set[int]:
    """Return the processes that this one has started."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(word) for path in lists for word in path.read_text(encoding="ascii").split()}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_hundreds_of_calls_leave_nothing_behind(tmp_path: Path) -> None:
    before = children()
    program = (sys.executable, "-m", "yg")
    with agent("-C", str(repository(tmp_path)), program=program) as asking:
        (server,) = children() - before
        asking.ask(call_many, asking.client, 100)
        files, _, memory = held(server)
        asking.ask(call_many, asking.client, 400)
        after = held(server)
        assert after.files <= files + 3  # the index stays open, and SQLite has three files
        assert after.threads <= 5  # the loop, input, output, work, and one that is about to end
        assert after.memory < memory + 4_000  # 10 kB a call would be seen


async def call_many(client: Client, number: int) -> None:
    rare: tuple[tuple[str, dict[str, Any]], ...] = (
        ("find", {"words": "first"}),
        ("tree", {}),
        ("owner", {"files": ["src/a.py"]}),
        ("drift", {}),
        ("deps", {"node": "nowhere"}),
    )
    for at in range(number):
        often = ("explain", {"code": "E004"})
        tool, arguments = rare[at // 20 % len(rare)] if at % 20 == 0 else often
        result = await client.call_tool(tool, arguments)
        assert result.is_error == (tool == "deps")
