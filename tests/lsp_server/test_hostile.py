"""The language server survives its client and the files that it opens, and it always ends."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from forked import START
from lsp_server.editor import MODEL, SHOP, Editor
from lsp_server.raw_editor import RawEditor, framed, notification, raw_editor, request
from raw_client import LIMIT, SlowGit
from support import write
from yg.kernel.errors import YgError
from yg.kernel.issue import AddLine, Fix, Issue, Place, Severity
from yg.kernel.snapshot import MAX_TEXT
from yg.surfaces.lsp import edits as changes
from yg.surfaces.lsp.server import make_server
from yg.surfaces.lsp.transport import MAX_HEADERS, MAX_MESSAGE
from yg.surfaces.lsp.uris import path_of

PARSE_ERROR, INVALID_REQUEST, NOT_FOUND, INVALID_PARAMS = -32700, -32600, -32601, -32602
INTERNAL_ERROR, NOT_INITIALIZED, CANCELLED, FAILED = -32603, -32002, -32800, -32803
ORDERS = f"{MODEL}/orders/yg-node.yaml"
GATEWAY = f"{MODEL}/pay/gateway/interface.md"
# Waits for what hangs at the end of the input no longer than a moment.
IMPATIENT = f"from yg.surfaces.lsp import server; server.GRACE = 0.1; {START}"
# Ends a server that needs much memory.
FRUGAL = f"import resource; resource.setrlimit(resource.RLIMIT_AS, (900_000_000,) * 2); {START}"
START_OF_FILE = {"line": 0, "character": 0}


@contextmanager
def served(
    root: Path, log: Path, *, git: Path | None = None, program: str = START, limit: int = LIMIT
) -> Iterator[RawEditor]:
    """Serve a repository; what the server logs goes to a file."""
    with (
        log.open("wb") as stderr,
        raw_editor(root, git=git, program=program, stderr=stderr, limit=limit) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "stderr"


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory, log: Path) -> Iterator[RawEditor]:
    """Serve one repository to the tests that do not end the server."""
    root = write(tmp_path_factory.mktemp("served"), SHOP)
    with served(root, log, limit=10 * LIMIT) as editor:
        editor.start()
        yield editor
        assert editor.end() == 0
    assert log.read_text(encoding="utf-8") == ""


def asked_at(uri: object) -> dict[str, dict[str, Any]]:
    """Return the valid parameters of every request, for the start of a document."""
    document = {"textDocument": {"uri": uri}}
    place = {**document, "position": START_OF_FILE}
    span = {"start": START_OF_FILE, "end": START_OF_FILE}
    return {
        "textDocument/codeAction": {**document, "range": span, "context": {"diagnostics": []}},
        "textDocument/codeLens": document,
        "textDocument/completion": place,
        "textDocument/definition": place,
        "textDocument/diagnostic": document,
        "textDocument/documentLink": document,
        "textDocument/hover": place,
        "textDocument/prepareRename": place,
        "textDocument/references": {**place, "context": {"includeDeclaration": True}},
        "textDocument/rename": {**place, "newName": "x"},
        "workspace/diagnostic": {"previousResultIds": []},
        "workspace/executeCommand": {"command": "yg.openNode", "arguments": [uri]},
        "workspace/symbol": {"query": "p"},
    }


REQUESTS = tuple(asked_at(""))


def test_these_are_all_requests_that_the_server_offers(tmp_path: Path) -> None:
    server = make_server(str(tmp_path), None)
    server.begin(
        types.InitializeParams(
            types.ClientCapabilities(
                text_document=types.TextDocumentClientCapabilities(
                    diagnostic=types.DiagnosticClientCapabilities()
                )
            )
        )
    )
    offered = {**server.protocol.fm.features, **server.protocol.fm.builtin_features}
    answered = {method for method in offered if types.METHOD_TO_TYPES[method][1] is not None}
    assert answered - {"initialize", "shutdown"} == set(REQUESTS)


# Places that are no ordinary files


def make_fifo(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    home = os.getcwd()
    with socket.socket(socket.AF_UNIX) as made:
        os.chdir(path.parent)  # the address of a socket is short
        try:
            made.bind(path.name)
        finally:
            os.chdir(home)


def make_large(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(4 * MAX_TEXT)


PLACES: dict[str, Callable[[Path], object]] = {
    "fifo": make_fifo,
    "socket": make_socket,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "directory": Path.mkdir,
    "large": make_large,
    "loop": lambda path: path.symlink_to(path.name),
    "unreadable": lambda path: path.symlink_to("/proc/self/mem"),
}
NAMES = (ORDERS, GATEWAY, ".yggdrasil/yg-config.yaml", "src/orders.py")


@pytest.mark.parametrize("kind", PLACES)
@pytest.mark.parametrize("name", NAMES)
def test_a_place_that_is_not_an_ordinary_file_is_answered(
    tmp_path: Path, kind: str, name: str
) -> None:
    root = write(tmp_path / "r", SHOP)
    (root / name).unlink()
    PLACES[kind](root / name)
    with served(root, tmp_path / "log", program=FRUGAL) as editor:
        editor.start()
        editor.open(name, "name: x\n")
        for method, params in asked_at(editor.uri(name)).items():
            assert editor.ask(method, params).get("error", {}).get("code") in (None, FAILED)
        editor.change(name, "name: y\n")
        assert editor.goes_on()
        assert editor.end() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize("place", ["/dev/zero", "/dev/full", "/dev/stdin", "/proc/self/mem", "/"])
def test_a_document_outside_the_repository_is_answered(shop: RawEditor, place: str) -> None:
    shop.open(place, "x")
    for method, params in asked_at(shop.uri(place)).items():
        if method not in ("workspace/symbol", "workspace/diagnostic"):
            answer = shop.ask(method, params)
            assert answer.get("result") in (None, [], {"kind": "full", "items": []})
    shop.send(notification("textDocument/didClose", {"textDocument": {"uri": shop.uri(place)}}))


def test_a_document_that_is_too_large_is_an_issue_until_it_is_smaller(tmp_path: Path) -> None:
    root = write(tmp_path / "r", SHOP)
    with served(root, tmp_path / "log", program=FRUGAL) as editor:
        editor.start()
        editor.open(GATEWAY, "x" * (MAX_TEXT + 1))
        assert "E021" in editor.codes(GATEWAY)
        editor.change(GATEWAY, "y", {"start": START_OF_FILE, "end": START_OF_FILE})
        assert "E021" in editor.codes(GATEWAY)
        editor.change(GATEWAY, SHOP[GATEWAY])
        assert editor.codes(GATEWAY) == []
        end = {"line": 99, "character": 0}
        for text in ("\n" * (MAX_TEXT // 8), *["x" * (MAX_TEXT // 3)] * 3):
            editor.change(GATEWAY, text, {"start": end, "end": end})
        assert "E021" in editor.codes(GATEWAY)
        editor.send(
            notification("textDocument/didSave", {"textDocument": {"uri": editor.uri(GATEWAY)}})
        )
        assert editor.codes(GATEWAY) == []
        assert editor.end() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


# Messages


@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 99999999999999999999\r\n\r\n",
        b"Content-Length: %d\r\n\r\n" % (MAX_MESSAGE + 1),
        b"Content-Length: " + b"9" * 7_000 + b"\r\n\r\n",
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: -0\r\n\r\n",
        b"Content-Length: +5\r\n\r\n12345",
        b"Content-Length: 0x10\r\n\r\n",
        b"Content-Length: 1_0\r\n\r\n",
        b"Content-Length: 1.0\r\n\r\n",
        b"Content-Length: \xb2\r\n\r\n",
        "Content-Length: \u0665\r\n\r\n".encode(),
        b"Content-Length: \r\n\r\n",
        b"Content-Length:\r\n\r\n",
        b"Content-Length: five\r\n\r\n",
        b"Content-Length\r\n\r\n",
        b"\r\n\r\n",
        b"X: y\r\n\r\n{}",
        b"\0\0\0\0\r\n\r\n",
        b"{}\n\n",
        b"X: " + b"y" * 10 * MAX_HEADERS,
        b"X: y\r\n" * 10 * MAX_HEADERS,
        b"\xff" * 10 * MAX_HEADERS,
    ],
)
def test_input_without_messages_ends_the_server_with_one_line(tmp_path: Path, data: bytes) -> None:
    with served(tmp_path, tmp_path / "log", program=FRUGAL) as editor:
        editor.start()
        with suppress(BrokenPipeError):  # it need not read all of it
            editor.write(data)
            editor.input.close()
        assert editor.process.wait() == 1
    (line,) = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
    assert line.startswith("error: cannot read a message: ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"Content",
        b"Content-Length: 5",
        b"Content-Length: 5\r\n",
        b"Content-Length: 5\r\n\r\n",
        b"Content-Length: 5\r\n\r\n{",
        b"Content-Length: %d\r\n\r\n{" % MAX_MESSAGE,
    ],
)
def test_input_that_ends_in_a_message_ends_the_server(tmp_path: Path, data: bytes) -> None:
    with served(tmp_path, tmp_path / "log", program=FRUGAL) as editor:
        editor.start()
        editor.write(data)
        assert editor.end() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    "headers",
    [
        b"content-length: %d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        b"X: y\r\nContent-Length:%d\r\n\r\n",
        b"Content-Length: %d\n\n",
    ],
)
def test_headers_may_be_written_in_other_ways(shop: RawEditor, headers: bytes) -> None:
    content = json.dumps(request("other", "workspace/symbol", {"query": ""})).encode()
    shop.write(headers % len(content) + content)
    assert "result" in shop.until("other")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", PARSE_ERROR),
        (b"{", PARSE_ERROR),
        (b"\xff\xfe", PARSE_ERROR),
        (b"\0", PARSE_ERROR),
        (b"NaN", PARSE_ERROR),
        (b"[" * 100_000, PARSE_ERROR),
        (b'{"a":' * 100_000, PARSE_ERROR),
        (b"9" * 5_000, PARSE_ERROR),
        (b'{"jsonrpc": "2.0", "id": Infinity, "method": "shutdown"}', PARSE_ERROR),
        (b"null", INVALID_REQUEST),
        (b"1", INVALID_REQUEST),
        (b'"text"', INVALID_REQUEST),
        (b"[]", INVALID_REQUEST),
        (b"{}", INVALID_REQUEST),
        (json.dumps([request(1, "shutdown")]).encode(), INVALID_REQUEST),
        (b'{"jsonrpc": "2.0"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "result": 1}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": null, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1e400, "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": [], "method": "shutdown"}', INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', INVALID_REQUEST),
    ],
)
def test_an_invalid_message_is_answered_with_an_error(
    shop: RawEditor, content: bytes, code: int
) -> None:
    shop.send(content)
    assert shop.until(None)["error"]["code"] == code
    assert shop.goes_on()


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"jsonrpc": "1.0", "method": "shutdown"}, INVALID_REQUEST),
        ({"method": "shutdown"}, INVALID_REQUEST),
        ({"jsonrpc": "2.0", "method": 5}, INVALID_REQUEST),
        ({"jsonrpc": "2.0", "method": ""}, INVALID_REQUEST),
        ({"jsonrpc": "2.0", "method": []}, INVALID_REQUEST),
        ({"jsonrpc": "2.0", "method": "no/such"}, NOT_FOUND),
        ({"jsonrpc": "2.0", "method": "\0\ud800" * 1_000}, NOT_FOUND),
        ({"jsonrpc": "2.0", "method": "notebookDocument/didOpen", "params": {}}, NOT_FOUND),
        ({"jsonrpc": "2.0", "method": "initialize", "params": {}}, INVALID_REQUEST),
        ({"jsonrpc": "2.0", "method": "textDocument/hover"}, INVALID_PARAMS),
        ({"jsonrpc": "2.0", "method": "textDocument/hover", "params": [1]}, INVALID_PARAMS),
        ({"jsonrpc": "2.0", "method": "workspace/symbol", "params": {"query": 5}}, INVALID_PARAMS),
    ],
)
@pytest.mark.parametrize("identity", [7, -7, "seven", "", "\0", "\ud800", 10**30])
def test_an_invalid_request_is_answered_under_its_id(
    shop: RawEditor, fields: dict[str, object], code: int, identity: object
) -> None:
    shop.send({**fields, "id": identity})
    assert shop.until(identity)["error"]["code"] == code


def test_invalid_notifications_and_responses_are_ignored(shop: RawEditor) -> None:
    offered = [*REQUESTS, "textDocument/didOpen", "textDocument/didChange", "textDocument/didSave"]
    strange: list[object] = [None, [], {}, 5, {"textDocument": 5}, {"textDocument": {"uri": []}}]
    for method in (*offered, "textDocument/didClose", "$/setTrace", "no/such", "initialized"):
        for params in strange:
            shop.send(notification(method, params))
    for identity in (1, "x", "", "\ud800", -(10**30)):
        shop.send({"jsonrpc": "2.0", "id": identity, "result": {"a": [None]}})
        shop.send({"jsonrpc": "2.0", "id": identity, "error": 5})
    assert shop.goes_on()


# Ids of every JSON type.
IDS = [
    *(b"null", b"1", b"-1", b"1.0", b"1.5", b"1e400", b'"one"', b'""', b'"\\u0000"', b'"\\ud800"'),
    *(b"[]", b"[1]", b"{}", b'{"id": 1}', b"true", b"9" * 30, b"9" * 4_000),
    b'"' + b"9" * 5_000 + b'"',
]


@pytest.mark.parametrize("identity", IDS, ids=lambda identity: repr(identity[:20]))
def test_a_cancel_with_an_id_of_any_type_is_ignored(shop: RawEditor, identity: bytes) -> None:
    for params in (b'{"id": %b}' % identity, b'{"id": %b, "x": 1}' % identity, identity):
        shop.send(b'{"jsonrpc": "2.0", "method": "$/cancelRequest", "params": %b}' % params)
    assert shop.goes_on()


def test_a_cancel_may_come_before_during_and_after_a_request(shop: RawEditor) -> None:
    cancel = notification("$/cancelRequest", {"id": 5})
    hover = request(5, "textDocument/hover", asked_at(shop.uri(ORDERS))["textDocument/hover"])
    shop.send(cancel, hover, cancel, cancel)
    answer = shop.until(5)
    assert answer.get("error", {}).get("code", CANCELLED) == CANCELLED
    shop.send(cancel, cancel)
    assert shop.goes_on()


def test_a_request_comes_after_the_start_and_before_the_end(tmp_path: Path) -> None:
    with served(write(tmp_path / "r", SHOP), tmp_path / "log") as editor:
        for method, params in asked_at(editor.uri(ORDERS)).items():
            assert editor.ask(method, params)["error"]["code"] == NOT_INITIALIZED
        editor.open(ORDERS, "x")
        editor.start()
        editor.send(notification("initialized", {}))
        assert editor.goes_on()
        assert editor.ask("shutdown")["result"] is None
        assert editor.ask("shutdown")["error"]["code"] == INVALID_REQUEST
        editor.open(ORDERS, "x")
        editor.send(notification("exit"))
        assert editor.process.wait() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize(
    "params",
    [
        {"rootUri": "file://[", "rootPath": "\0"},
        {"rootUri": None, "rootPath": "\ud800"},
        {"rootUri": "untitled:x", "workspaceFolders": [{"uri": "%", "name": "\0"}]},
        {"rootUri": "file:///%00"},
        {"rootUri": "file:///no/such/folder"},
        {"processId": -1},
        {"processId": 0},
        {"initializationOptions": [1]},
        {"initializationOptions": {"yg": 5, "diagnostics": {}, "codeLens": []}},
        {"initializationOptions": {"yg": {"codeLens": {}}}},
        {"capabilities": {"general": {"positionEncodings": ["x", "utf-8"]}}},
    ],
)
def test_a_server_starts_with_strange_parameters(tmp_path: Path, params: dict[str, Any]) -> None:
    with served(write(tmp_path / "r", SHOP), tmp_path / "log") as editor:
        assert "result" in editor.start(**params)
        assert editor.goes_on()
        assert editor.end() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


# Parameters


STRANGE = [
    "",
    "x",
    "\0",
    "\ud800",
    "\udcff",
    "untitled:Untitled-1",
    "https://example.org/x",
    "file:relative",
    "file://",
    "file:///",
    "file://host/etc/passwd",
    "file://[",
    "file:///%00",
    "file:///%ff%fe",
    "file:///\ud800",
    "file:///%2e%2e/%2e%2e/etc/passwd",
    "file:///" + "a/" * 5_000,
    "file:///" + "a" * 5_000,
    "../x",
    "a/../../../../x",
    "/etc/passwd",
    "a\\b",
    "*" * 2_000,
]


def strange_uris(root: Path) -> list[str]:
    """Return addresses that start in the repository and lead out of it, or nowhere."""
    top = root.as_uri()
    return [
        top,
        f"{top}/",
        f"{top}/.yggdrasil",
        f"{top}/.yggdrasil/%2e%2e/%2e%2e/x",
        f"{top}/.yggdrasil/model/%2e%2e%2f%2e%2e%2f%2e%2e/etc/passwd",
        f"{top}/{ORDERS}%00",
        f"{top}/{ORDERS}/x",
        f"{top}/.yggdrasil/model/%ff/yg-node.yaml",
        f"{top}/.yggdrasil/model/\ud800/yg-node.yaml",
        f"{top}/{ORDERS}?x#y",
        f"{top}/src/../{ORDERS}",
        f"{top}/.git/config",
    ]


NUMBERS = st.sampled_from([-(2**63), -(2**31), -1, 0, 1, 5, 99, 2**31 - 1, 2**31, 10**30])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    NUMBERS,
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(STRANGE),
    st.text(max_size=20),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)


@st.composite
def damaged(draw: st.DrawFn, value: Any) -> Any:
    """Replace a part of some parameters by another value, or leave it out."""
    if isinstance(value, dict) and value and draw(st.integers(0, 9)):
        name = draw(st.sampled_from(sorted(value)))
        if not draw(st.integers(0, 9)):
            return {key: part for key, part in value.items() if key != name}
        return {**value, name: draw(damaged(value[name]))}
    if isinstance(value, list) and value and draw(st.booleans()):
        return [draw(damaged(value[0])), *value[1:]]
    return draw(NUMBERS if isinstance(value, int) and draw(st.booleans()) else VALUES)


@pytest.mark.parametrize("method", REQUESTS)
@given(data=st.data())
def test_a_request_with_any_parameters_is_answered(
    shop: RawEditor, method: str, data: st.DataObject
) -> None:
    places = [shop.uri(ORDERS), shop.uri("src/pay.py"), *strange_uris(shop.root), *STRANGE]
    params = asked_at(data.draw(st.sampled_from(places)))[method]
    for _ in range(data.draw(st.integers(0, 2))):
        params = data.draw(damaged(params))
    answer = shop.ask(method, params)
    code = answer.get("error", {}).get("code")
    assert code in (None, INVALID_PARAMS, FAILED), answer
    if code is None and method == "textDocument/rename" and answer["result"]:
        for change in answer["result"]["documentChanges"]:
            for uri in filter(None, (change.get("oldUri"), change.get("newUri"))):
                assert str(path_of(uri)).startswith(f"{shop.root}/.yggdrasil/")


@given(data=st.data())
def test_documents_with_any_parameters_leave_the_server_alive(
    shop: RawEditor, data: st.DataObject
) -> None:
    uri = data.draw(st.sampled_from([shop.uri(ORDERS), *strange_uris(shop.root), *STRANGE]))
    document = {"uri": uri, "languageId": "yaml", "version": 1, "text": "name: x\ntype: \ud800\n"}
    span = {"start": START_OF_FILE, "end": {"line": 1, "character": 3}}
    changed = [{"range": span, "text": "\0"}, {"text": "name: 😀\n"}]
    sent: list[tuple[str, Any]] = [
        ("textDocument/didOpen", {"textDocument": document}),
        ("textDocument/didChange", {"textDocument": document, "contentChanges": changed}),
        ("textDocument/didSave", {"textDocument": document, "text": "name: y\n"}),
        ("workspace/didChangeConfiguration", {"settings": {"yg": {"codeLens": "problems"}}}),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]}),
    ]
    messages = [
        notification(method, data.draw(damaged(params)) if data.draw(st.booleans()) else params)
        for method, params in sent
    ]
    closed = notification("textDocument/didClose", {"textDocument": {"uri": uri}})
    shop.send(*messages, closed)
    assert shop.goes_on()


@pytest.mark.parametrize(
    "text",
    [
        "\ud800",
        "name: \ud800\ntype: \udfff\nrelations: [{target: pay\ud83d, type: uses}]\n",
        "\0",
        "name: \0\n",
        "\ufeff\ufeffname: x\n",
        "\r\r\n\x85\u2028",
        "[" * 20_000,
        "{a: " * 20_000,
        "- " * 20_000,
        "&a [*a, *a]",
        "a: &a [x]\n" + "".join(f"b{number}: &b{number} [*a, *a]\n" for number in range(50)),
        "!!python/object:os.system x",
        "%YAML 9.9\n---\n...\n---\n",
        "'" * 20_001,
        "type: " + "x" * 200_000,
        "type: x" + " " * 200_000 + "y",
        "{type" + " " * 200_000 + "}",
        "aspects: [" + "," * 20_000,
        "\n" * 20_000,
    ],
)
@pytest.mark.parametrize("path", [ORDERS, ".yggdrasil/yg-config.yaml", GATEWAY, "src/pay.py"])
def test_a_document_with_any_text_is_answered(shop: RawEditor, path: str, text: str) -> None:
    shop.open(path, text)
    for method, params in asked_at(shop.uri(path)).items():
        answer = shop.ask(method, params)
        assert answer.get("error", {}).get("code") in (None, FAILED), answer
    shop.send(notification("textDocument/didClose", {"textDocument": {"uri": shop.uri(path)}}))
    assert shop.codes(path) == []


def test_a_definition_is_found_in_texts_of_one_long_line(shop: RawEditor) -> None:
    texts = {
        GATEWAY: "`" + "charge " * 50_000,
        "src/pay.py": "text = '" + "def " * 50_000 + "'\n\ndef charge(): pass\n",
        ".yggdrasil/yg-config.yaml": "\n" * 100_000 + SHOP[".yggdrasil/yg-config.yaml"],
    }
    for path, text in texts.items():
        shop.open(path, text)
    document, lines = {"uri": shop.uri(ORDERS)}, SHOP[ORDERS].split("\n")
    for word, line in (("charge", 7), ("service", 1)):
        place = {"line": line, "character": lines[line].index(word)}
        params = {"textDocument": document, "position": place}
        assert shop.ask("textDocument/definition", params)["result"]
    for path in texts:
        closed = {"textDocument": {"uri": shop.uri(path)}}
        shop.send(notification("textDocument/didClose", closed))


def test_a_search_for_many_letters_ends(tmp_path: Path) -> None:
    name = f"{MODEL}/{'a' * 200}/yg-node.yaml"
    with served(
        write(tmp_path / "r", {**SHOP, name: SHOP[f"{MODEL}/pay/yg-node.yaml"]}), tmp_path / "log"
    ) as editor:
        editor.start()
        assert editor.ask("workspace/symbol", {"query": "a" * 30 + "z"})["result"] == []
        assert len(editor.ask("workspace/symbol", {"query": "a" * 30})["result"]) == 1


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../x", "/x", "mail", "a\0b", "a\ud800", "a" * 300]
)
def test_a_refused_rename_is_an_error_and_not_logged(shop: RawEditor, name: str) -> None:
    place = {"line": 5, "character": 14}
    params = {"textDocument": {"uri": shop.uri(ORDERS)}, "position": place, "newName": name}
    answer = shop.ask("textDocument/rename", params)
    assert answer["error"]["code"] == FAILED, answer
    assert "Traceback" not in str(answer)


@pytest.mark.parametrize("answer", [{"result": 5}, {"result": []}, {"error": 5}, {"error": {}}])
def test_a_strange_answer_to_the_server_is_an_error(tmp_path: Path, answer: dict[str, Any]) -> None:
    with served(write(tmp_path / "r", SHOP), tmp_path / "log") as editor:
        window = {"showDocument": {"support": True}}
        editor.start(capabilities={"window": window})
        opened = {"command": "yg.openNode", "arguments": [editor.uri("src/pay.py")]}
        editor.send(request(1, "workspace/executeCommand", opened))
        while (asked := editor.read()).get("method") != "window/showDocument":
            pass
        editor.send({"jsonrpc": "2.0", "id": asked["id"], **answer})
        assert "error" in editor.until(1)
        assert editor.end() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


# Edits


WHOLE = types.Range(types.Position(0, 0), types.Position(99, 0))


@pytest.mark.parametrize("target", ["/outside.md", "responsibility.md", "gone.md"])
def test_no_fix_writes_through_a_link_to_a_file(tmp_path: Path, target: str) -> None:
    editor = Editor(tmp_path / "r")
    outside = write(tmp_path, {"outside.md": "kept\n"}) / "outside.md"
    (editor.root / GATEWAY).unlink()
    (editor.root / GATEWAY).symlink_to(outside if target == "/outside.md" else target)
    editor.type(ORDERS, SHOP[ORDERS].replace("[charge]", "[chrage]"))
    assert "W023" in {issue.code for issue in editor.issues}
    found = changes.actions(editor.view, ORDERS, WHOLE, editor.issues)
    assert [action.title for action in found] == ["Change 'chrage' to 'charge'"]


@pytest.mark.parametrize("file", ["src/pay.py", "x.md", "../x.md", ".yggdrasil/link/x.md"])
def test_no_fix_changes_a_file_outside_the_graph(tmp_path: Path, file: str) -> None:
    editor = Editor(tmp_path / "r")
    (editor.root / ".yggdrasil" / "link").symlink_to(tmp_path)
    fix = Fix("Add a line", AddLine(file, "x"))
    issue = Issue(
        code="W023",
        name="x",
        severity=Severity.WARNING,
        subject="orders",
        message="x",
        place=Place(ORDERS, 1, 1),
        advice=(),
        also=(),
        fix="",
        fixes=(fix,),
    )
    assert changes.actions(editor.view, ORDERS, WHOLE, [issue]) == []


def test_a_rename_into_a_linked_directory_is_refused(tmp_path: Path) -> None:
    editor = Editor(tmp_path / "r")
    (editor.root / MODEL / "link").symlink_to(tmp_path)
    with pytest.raises(YgError, match="link' is not a directory"):
        changes.renamed(*editor.at(ORDERS, "pay/gateway"), "link/gate")


# The end


def repository_in_git(root: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(write(root, SHOP))], check=True)
    return root


def test_the_server_ends_while_git_hangs(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    git = SlowGit(tmp_path / "bin")
    root = repository_in_git(tmp_path / "r")
    try:
        with served(root, tmp_path / "log", git=git.folder, program=IMPATIENT) as editor:
            editor.start()
            editor.send(request(1, "workspace/diagnostic", {"previousResultIds": []}))
            git.wait()
            assert editor.end() == 0
        assert git.is_gone()
    finally:
        git.kill()


@pytest.mark.parametrize("ending", [b"", framed(notification("exit"))])
def test_the_server_ends_when_nobody_reads_its_output(tmp_path: Path, ending: bytes) -> None:
    with served(write(tmp_path / "r", SHOP), tmp_path / "log", program=IMPATIENT) as editor:
        editor.start()
        for number in range(2_000):  # the answers are longer than a pipe
            editor.send(request(number, "workspace/symbol", {"query": ""}))
        editor.input.write(ending)
        editor.input.close()
        assert editor.process.wait() == (1 if ending else 0)
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


def test_the_server_ends_when_its_output_is_closed(tmp_path: Path) -> None:
    with served(write(tmp_path / "r", SHOP), tmp_path / "log") as editor:
        editor.start()
        editor.output.close()
        editor.send(request(1, "workspace/symbol", {"query": ""}))
        assert editor.process.wait() == 0
    assert (tmp_path / "log").read_text(encoding="utf-8") == ""


def test_requests_are_answered_after_the_input_ends(tmp_path: Path) -> None:
    with served(write(tmp_path / "r", SHOP), tmp_path / "log") as editor:
        editor.start()
        editor.send(request(1, "workspace/diagnostic", {"previousResultIds": []}))
        editor.input.close()
        assert "result" in editor.until(1)
        assert editor.process.wait() == 0
