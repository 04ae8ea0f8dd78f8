"""The MCP server survives its client: whatever comes in is answered or ignored, and it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from agent import ALPHA, repository
from forked import TRUSTING, shared
from raw_client import (
    HELLO,
    IMPATIENT,
    INITIALIZED,
    LIMIT,
    RawClient,
    SlowGit,
    call,
    cancel,
    raw_client,
    request,
)
from support import private_folder, write_graph

PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
MANY = 10**5  # nested brackets
# Values of every JSON type, none of which is the id of request 1.
OTHER_IDS = (
    b"null",
    b"2",
    b"-1",
    b"1.0",
    b"1.5",
    b"1e400",
    b'"one"',
    b'""',
    b'"\\u0000"',
    b'"\\ud800"',
    b'"\xff"',
    b"[]",
    b"[1]",
    b"[[[]]]",
    b"{}",
    b'{"id": 1}',
    b"true",
    b"false",
    b"9" * 30,
    b"9" * 5_000,
    b'"' + b"9" * 5_000 + b'"',
)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RawClient]:
    """Serve one repository to the tests that do not end the server."""
    with raw_client(repository(tmp_path_factory.mktemp("served"))) as connected:
        connected.start()
        yield connected


@pytest.fixture
def slow_git(tmp_path: Path) -> Iterator[SlowGit]:
    """Make a git that hangs until it is released."""
    folder = tmp_path / "bin"
    folder.mkdir()
    git = SlowGit(folder)
    yield git
    git.kill()


def in_git(root: Path) -> Path:
    """Make a repository in which the server has something to ask git."""
    repository(root)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def answered(messages: list[dict[str, Any]]) -> dict[object, str]:
    """Tell for each id how it was answered."""
    return {message["id"]: "result" if "result" in message else "error" for message in messages}


def cancel_line(identity: bytes) -> bytes:
    return json.dumps(cancel(requestId=0)).encode().replace(b": 0}", b": " + identity + b"}")


@pytest.mark.parametrize("identity", OTHER_IDS, ids=lambda identity: repr(identity[:20]))
def test_a_cancel_with_an_id_of_any_type_is_ignored(client: RawClient, identity: bytes) -> None:
    client.send(cancel_line(identity), cancel_line(identity))
    assert client.ping() == []


def test_a_cancel_with_another_id_leaves_a_request_alone(tmp_path: Path, slow_git: SlowGit) -> None:
    with raw_client(in_git(tmp_path / "r"), git=slow_git.folder) as client:
        client.start()
        client.send(call(1, "tree"))
        slow_git.wait()
        client.send(*map(cancel_line, OTHER_IDS))
        client.input.close()
        slow_git.release()
        assert answered([json.loads(line) for line in client.output]) == {1: "result"}


def test_a_cancel_without_an_id_is_ignored(client: RawClient) -> None:
    client.send(cancel(), cancel(reason="because"), {**cancel(), "params": None})
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled"})
    client.send({**cancel(), "params": []}, {**cancel(), "params": 1})
    assert client.ping() == []


@pytest.mark.parametrize("identity", [2, "two"])
def test_a_cancel_before_or_after_the_request_is_ignored(
    client: RawClient, identity: object
) -> None:
    client.send(cancel(requestId=identity))
    assert "result" in client.ask(call(identity, "tree"))
    client.send(cancel(requestId=identity), cancel(requestId=identity))
    assert "result" in client.ask(call(identity, "tree"))


@pytest.mark.parametrize("identity", [1, "1"])
def test_a_request_that_was_cancelled_does_not_delay_the_end(
    tmp_path: Path, slow_git: SlowGit, identity: object
) -> None:
    with raw_client(in_git(tmp_path / "r"), git=slow_git.folder) as client:
        client.start()
        client.send(call(1, "tree"), call(2, "tree"), call(3, "tree"))
        slow_git.wait()
        client.send(cancel(requestId=identity), cancel(requestId=2), cancel(requestId=identity))
        client.ping()
        slow_git.release()
        assert answered(client.end()) == {3: "result"}


def test_requests_with_the_same_id_are_all_answered_before_the_end(
    tmp_path: Path, slow_git: SlowGit
) -> None:
    with raw_client(in_git(tmp_path / "r"), git=slow_git.folder) as client:
        client.start()
        client.send(*[call(1, "tree")] * 3)
        client.ping()
        client.input.close()
        slow_git.release()
        messages = [json.loads(line) for line in client.output]
        assert [("result" in message, message["id"]) for message in messages] == [(True, 1)] * 3


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("build-context", {"node": "a\0"}),
        ("build-context", {"file": "src/a.py\0"}),
        ("build-context", {"node": "a", "format": "\0"}),
        ("find", {"words": "\0"}),
        ("tree", {"node": "a\0"}),
        ("tree", {"root": "\0"}),
        ("tree", {"kind": "\0"}),
        ("tree", {"no\0de": "a"}),
        ("tr\0ee", {}),
        ("owner", {"files": ["src/a.py", "src/a.py\0"]}),
        ("deps", {"node": "\0"}),
        ("impact", {"node": "a", "method": "\0"}),
        ("impact", {"aspect": "\0"}),
        ("impact", {"flow": "\0"}),
        ("impact", {"diff": "HEAD\0"}),
        ("validate", {"scope": "\0"}),
        ("drift", {"scope": "\0"}),
        ("plan", {"node": "\0"}),
        ("explain", {"code": "\0"}),
    ],
    ids=repr,
)
def test_nul_in_an_argument_is_an_error_of_the_call(
    client: RawClient, tool: str, arguments: dict[str, object]
) -> None:
    result = client.ask(call(1, tool, **arguments))["result"]
    text = result["content"][0]["text"]
    assert (result["isError"], text[:7]) == (True, "error: ")
    assert "yg has a bug" not in text
    assert "\0" not in text
    assert client.ping() == []


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {"uri": "yg://node/a\0"}),
        ("resources/read", {"uri": "yg://node/a%00"}),
        ("resources/read", {"uri": "yg://context/%00"}),
        ("resources/read", {"uri": "yg://rules/%00"}),
        ("resources/read", {"uri": "yg://node/a?root=%00"}),
        ("resources/read", {"uri": "yg\0://node/a"}),
        ("prompts/get", {"name": "work-on-node", "arguments": {"node": "a\0"}}),
        ("prompts/get", {"name": "work-on-node", "arguments": {"node": "a", "root": "\0"}}),
        ("prompts/get", {"name": "\0", "arguments": {}}),
    ],
    ids=repr,
)
def test_nul_in_an_address_or_a_prompt_is_an_error(
    client: RawClient, method: str, params: dict[str, Any]
) -> None:
    error = client.ask(request(1, method, **params))["error"]
    assert error["code"] == INVALID_PARAMS
    assert client.ping() == []


DEPS = json.dumps(call(5, "deps", node="NODE")).encode()


@pytest.mark.parametrize(
    ("line", "identity", "code"),
    [
        # Lone surrogates, and bytes that are not UTF-8.
        (DEPS.replace(b"NODE", b"\\ud800"), 5, INVALID_REQUEST),
        (DEPS.replace(b"NODE", b"\\udfff\\ud800"), 5, INVALID_REQUEST),
        (DEPS.replace(b'"node"', b'"\\ud800"'), 5, INVALID_REQUEST),
        (DEPS.replace(b'"deps"', b'"\\ud800"'), 5, INVALID_REQUEST),
        (DEPS.replace(b"tools/call", b"\\ud800"), 5, INVALID_REQUEST),
        (DEPS.replace(b"5,", b'"\\ud800",'), None, INVALID_REQUEST),
        (DEPS.replace(b"NODE", b"\xff"), 5, INVALID_REQUEST),
        (DEPS.replace(b"NODE", b"\xed\xa0\x80"), 5, INVALID_REQUEST),
        (b"\xff\xfe\xfd", None, PARSE_ERROR),
        # No JSON, or not one object.
        (b"hello", None, PARSE_ERROR),
        (DEPS[:-1], None, PARSE_ERROR),
        (DEPS + DEPS, None, PARSE_ERROR),
        (b"\0", None, PARSE_ERROR),
        (b"[]", None, INVALID_REQUEST),
        (b"[" + DEPS + b"]", None, INVALID_REQUEST),
        (b"3", None, INVALID_REQUEST),
        (b"null", None, INVALID_REQUEST),
        (b'"hello"', None, INVALID_REQUEST),
        # No request.
        (b"{}", None, INVALID_REQUEST),
        (b'{"id": 5, "method": "ping"}', 5, INVALID_REQUEST),
        (b'{"method": "ping"}', None, INVALID_REQUEST),
        (b'{"jsonrpc": "1.0", "id": 5, "method": "ping"}', 5, INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 5, "method": 1}', 5, INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 5, "method": "ping", "params": [1]}', 5, INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', None, INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": [5], "method": "ping"}', None, INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}', None, INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', None, INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 5.5, "method": "ping"}', None, INVALID_REQUEST),
        (DEPS.replace(b"5,", b"9" * 5_000 + b","), None, INVALID_REQUEST),
        # Too deep, too long.
        (b"[" * MANY, None, PARSE_ERROR),
        (b"[" * MANY + b"]" * MANY, None, PARSE_ERROR),
        (DEPS.replace(b'"NODE"', b'{"a":' * MANY + b"1" + b"}" * MANY), None, PARSE_ERROR),
        (DEPS.replace(b"NODE", b"x" * 70_000_000), None, INVALID_REQUEST),
        (b"x" * 5_000_000, None, PARSE_ERROR),
    ],
    ids=lambda value: repr(value[:60]) if isinstance(value, bytes) else None,
)
def test_a_line_that_is_not_a_message_is_answered_by_an_error(
    client: RawClient, line: bytes, identity: object, code: int
) -> None:
    client.send(line)
    (answer,) = client.ping()
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", identity, code)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"   ",
        b"\r",
        b'{"jsonrpc": "2.0", "method": "notifications/\\ud800"}',
        b'{"jsonrpc": "2.0", "method": "notifications/x", "params": {"a": "\xff"}}',
        b'{"jsonrpc": "2.0", "id": 5, "result": 1}',
        b'{"jsonrpc": "2.0", "id": 5, "result": {}}',
        b'{"jsonrpc": "2.0", "id": [5], "error": {}}',
    ],
    ids=repr,
)
def test_what_is_never_answered_is_ignored(client: RawClient, line: bytes) -> None:
    client.send(line)
    assert client.ping() == []


@pytest.mark.parametrize(
    "value",
    [
        "x" * 5_000_000,
        "a/" * 2_500_000,
        ["x"] * 100,
        {"a": 1},
        True,
        1e300,
        json.loads("[" * 900 + "]" * 900),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_an_argument_of_any_type_and_size_is_answered(client: RawClient, value: object) -> None:
    for message in (call(5, "deps", node=value), call(5, "tree", root=value)):
        result = client.ask(message)["result"]
        assert result["isError"]
        assert "yg has a bug" not in result["content"][0]["text"]
    assert client.ping() == []


def test_names_that_are_not_utf8_are_replaced_in_every_answer(tmp_path: Path) -> None:
    root = Path(os.fsdecode(os.fsencode(tmp_path) + b"/r\xff"))
    write_graph(repository(root), {"model/a/yg-node.yaml": ALPHA.replace("src/a.py", "src")})
    (root / "src" / os.fsdecode(b"f\xff.py")).touch()
    shown = f"{tmp_path}/r?"
    with raw_client(os.fsencode(root)) as client:
        client.start()
        for tool in ("tree", "drift", "validate", "plan"):
            result = client.ask(call(1, tool))["result"]
            assert result["_meta"]["yg/state"]["root"] == shown
        for message in (
            request(1, "resources/read", uri="yg://node/a"),
            request(1, "prompts/get", name="work-on-node", arguments={"node": "a"}),
        ):
            assert "result" in client.ask(message)
        (root / ".yggdrasil" / "model" / os.fsdecode(b"n\xff")).mkdir()
        (root / ".yggdrasil" / "model" / os.fsdecode(b"n\xff/yg-node.yaml")).touch()
        assert "error" in client.ask(request(1, "resources/read", uri="yg://context/a?root=/"))
        assert "error" in client.ask(request(1, "resources/read", uri="yg://context/a"))
        assert client.ask(call(1, "build-context", node="a"))["result"]["isError"]
        assert client.ask(call(1, "tree", root="/"))["result"]["isError"]
        assert client.end() == []


def flood(client: RawClient) -> None:
    """Ask for more than a pipe can hold, without reading any of it."""
    client.send(HELLO, INITIALIZED, *(request(at, "tools/list") for at in range(1, 30)))


@pytest.mark.slow
def test_the_server_ends_with_its_input_when_nobody_reads_its_output(tmp_path: Path) -> None:
    with raw_client(repository(tmp_path), program=IMPATIENT) as client:
        flood(client)
        client.input.close()
        assert client.process.wait(LIMIT) == 0


def test_a_client_that_reads_late_still_gets_every_answer(tmp_path: Path) -> None:
    with raw_client(repository(tmp_path)) as client:
        flood(client)
        assert answered(client.end()) == dict.fromkeys(range(30), "result")


@pytest.mark.slow
def test_a_log_that_nobody_reads_stops_nothing(tmp_path: Path) -> None:
    with raw_client(repository(tmp_path), stderr=subprocess.PIPE) as client:
        client.start()
        client.send(*[cancel(requestId=[])] * 2_000)
        assert client.ping() == []
        assert "result" in client.ask(call(1, "tree"))
        assert client.end() == []


def test_the_server_ends_when_its_output_is_closed(tmp_path: Path) -> None:
    with raw_client(repository(tmp_path)) as client:
        client.start()
        client.output.close()
        client.send(request(1, "tools/list"))
        assert client.process.wait(LIMIT) == 0  # its input is still open


def test_a_call_that_writes_is_finished_when_the_output_is_closed(
    tmp_path: Path, slow_git: SlowGit
) -> None:
    root = in_git(tmp_path / "r")
    with raw_client(root, "--allow-sync", git=slow_git.folder) as client:
        client.start()
        client.send(call(1, "drift-sync", node="a"))
        slow_git.wait()
        client.output.close()
        client.send(request(2, "ping"))
        sleep(0.5)  # the server cannot tell us any more that it has noticed
        slow_git.release()
        assert client.process.wait(LIMIT) == 0
    assert (root / ".yggdrasil" / ".drift-state" / "a.json").exists()


def test_input_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with open(tmp_path / "file", "wb") as only_for_writing:
        ended = subprocess.run(
            [*shared(serves=True).yg, "mcp", "-C", str(tmp_path)],
            stdin=only_for_writing,
            capture_output=True,
            check=False,
            timeout=LIMIT,
        )
    text = b"error: cannot read standard input: Bad file descriptor\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", text)


def test_output_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [*shared(serves=True).yg, "mcp", "-C", str(repository(tmp_path))],
            input=json.dumps(HELLO).encode() + b"\n",
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            timeout=LIMIT,
        )
    assert (ended.returncode, ended.stderr.decode()) == (
        1,
        "error: cannot write standard output: No space left on device\n",
    )


@pytest.mark.slow
@pytest.mark.parametrize("is_cancelled", [False, True])
def test_the_server_ends_with_its_input_while_git_hangs(
    tmp_path: Path, slow_git: SlowGit, *, is_cancelled: bool
) -> None:
    with raw_client(in_git(tmp_path / "r"), git=slow_git.folder, program=IMPATIENT) as client:
        client.start()
        client.send(call(1, "tree"))
        slow_git.wait()
        if is_cancelled:
            client.send(cancel(requestId=1))
        client.ping()
        assert answered(client.end()) == ({} if is_cancelled else {1: "error"})
    assert slow_git.is_gone()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_whatever_it_does(
    tmp_path: Path, slow_git: SlowGit, number: signal.Signals
) -> None:
    with raw_client(in_git(tmp_path / "r"), git=slow_git.folder) as client:
        client.start()
        client.send(call(1, "tree"))
        slow_git.wait()
        flood(client)
        client.process.send_signal(number)
        assert client.process.wait(LIMIT) == -number


def test_what_a_refused_call_found_out_is_saved(tmp_path: Path) -> None:
    relation = "relations: [{target: nowhere, type: calls}]\n"
    roots = {name: str(tmp_path / name) for name in ("resource", "prompt", "tool")}
    for root in roots.values():
        write_graph(Path(root), {"model/a/yg-node.yaml": ALPHA + relation})
    prompt = {"node": "a", "root": roots["prompt"]}
    messages = {
        "resource": request(1, "resources/read", uri=f"yg://context/a?root={roots['resource']}"),
        "prompt": request(1, "prompts/get", name="work-on-node", arguments=prompt),
        "tool": call(1, "build-context", node="a", root=roots["tool"]),
    }
    with raw_client(tmp_path, program=TRUSTING) as client:
        client.start()
        for name, message in messages.items():
            answer = client.ask(message)
            assert "error" in answer or answer["result"]["isError"]
            assert list(private_folder(tmp_path / name).glob("index*")), name
