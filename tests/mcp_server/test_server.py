"""Starting, serving and ending."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from agent import HANDSHAKE, agent, repository, texts
from forked import shared
from support import run, write

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CANCEL = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 5}}


def test_drift_sync_is_offered_only_where_it_is_allowed(tmp_path: Path) -> None:
    repository(tmp_path)
    with agent("-C", str(tmp_path), "--allow-sync", era=HANDSHAKE) as asking:
        assert asking.client.server_info is not None
        assert asking.client.server_info.name == "yg"
        assert (asking.client.instructions or "").startswith("This repository contains a graph")
        tool = asking.ask(asking.client.list_tools).tools[-1]
        hints = tool.annotations
        assert (tool.name, hints.read_only_hint, hints.destructive_hint) == (
            "drift-sync",
            False,
            True,
        )
        assert asking.call("drift").structured_content["summary"]["source-drift"] == 1
        result = asking.call("drift-sync", node="a")
        assert result.structured_content["schema"] == "yg-drift-sync/1"
        assert texts(result)[0].startswith("Synchronized: a\n")
        assert asking.call("drift").structured_content["summary"]["ok"] == 1
        write(tmp_path, {"src/a.py": "a = 2\nB = 1\n"})
        (changed,) = asking.call("drift").structured_content["nodes"][0]["source"]
        assert (changed["class"], [name["name"] for name in changed["names"]]) == (
            "signature",
            ["B"],
        )
        assert not asking.call("drift-sync", node="a", reason="B is not for others").is_error
        assert asking.call("drift-sync", node="a", reason=" ").is_error
    state = json.loads((tmp_path / ".yggdrasil" / ".drift-state" / "a.json").read_text())
    assert state["reviews"] == [
        {"reason": "B is not for others", "class": "signature", "names": ["B"]}
    ]
    assert (tmp_path / ".yggdrasil" / ".drift-state" / "a.json").exists()


def serve(
    lines: bytes, root: Path, start: Sequence[str] = ()
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*(start or shared(serves=True).yg), "mcp", "-C", str(root)],
        input=lines,
        capture_output=True,
        check=False,
        timeout=60,
    )


def test_the_server_ends_when_its_input_ends(tmp_path: Path) -> None:
    installed = Path(sys.executable).with_name("yg")
    ended = serve(b"", repository(tmp_path), [str(installed)])
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")


def test_what_was_asked_before_the_input_ended_is_answered(tmp_path: Path) -> None:
    calls = [
        {"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": {"name": "tree"}}
        for at in range(2, 6)
    ]
    lines = [json.dumps(item).encode() for item in (HELLO, INITIALIZED, *calls, CANCEL)]
    ended = serve(b"\n".join(lines) + b"\n", repository(tmp_path))
    messages = [json.loads(line) for line in ended.stdout.splitlines()]
    answered = {message["id"]: message for message in messages}
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert {1, 2, 3, 4} <= set(answered)
    assert answered[4]["result"]["structuredContent"]["schema"] == "yg-tree/1"


def test_a_client_that_no_longer_listens_is_not_an_error(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*shared(serves=True).yg, "mcp", "-C", str(repository(tmp_path))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin
        assert server.stdout
        assert server.stderr
        server.stdout.close()
        server.stdin.write(json.dumps(HELLO).encode() + b"\n")
        server.stdin.close()
        assert (server.wait(60), server.stderr.read()) == (0, b"")


def test_standard_output_carries_only_the_protocol(tmp_path: Path) -> None:
    lines = [json.dumps(HELLO).encode(), b"this is no protocol", b"{", b"\xff"]
    ended = serve(b"\n".join(lines) + b"\n", repository(tmp_path))
    messages = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [message["jsonrpc"] for message in messages] == ["2.0"] * len(messages)
    (hello,) = [message["result"] for message in messages if message["id"] == HELLO["id"]]
    assert hello["protocolVersion"] == "2025-06-18"
    assert ended.returncode == 0


def test_without_standard_input_there_is_nothing_to_serve(tmp_path: Path) -> None:
    ended = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m yg mcp <&-"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    text = b"error: standard input or output is closed\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", text)


def test_a_root_that_is_not_a_directory_is_reported_at_once(tmp_path: Path) -> None:
    outcome = run("mcp", "-C", str(tmp_path), "--root", "nowhere")
    assert (outcome.code, outcome.notes) == (
        1,
        f"error: '{tmp_path}/nowhere' is not a directory\n  --root expects a directory.\n",
    )


def test_without_the_extra_one_sentence_says_how_to_install_it(tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules.update(dict.fromkeys(['mcp', 'mcp_types', 'anyio']))\n"
        "from yg.surfaces.cli.main import main; sys.exit(main(['mcp']))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr.decode()) == (
        1,
        b"",
        "error: the MCP server requires the extra 'mcp': pip install 'yggdrasil-context[mcp]'\n",
    )


def test_no_other_command_imports_the_sdk(tmp_path: Path) -> None:
    script = (
        "import sys; from yg.surfaces.cli.main import main; code = main(['tree'])\n"
        "sys.exit(code or sorted({'mcp', 'anyio', 'pydantic'} & set(sys.modules)) or 0)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script], cwd=repository(tmp_path), capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, b"")
