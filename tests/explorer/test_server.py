"""The server answers this machine's browser, about this page, and no other."""

from __future__ import annotations

import http.client
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from forked import shared
from support import NODE, run, write_graph
from yg.surfaces.explorer.server import Server
from yg.surfaces.explorer.source import PageSource
from yg.workspace.opening import open_workspace


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    root = write_graph(tmp_path_factory.mktemp("served"), {"model/a/yg-node.yaml": NODE})
    source = PageSource(lambda: open_workspace(str(root), uses_index=False))
    with Server(0, source) as found:
        threading.Thread(target=found.serve_forever, daemon=True).start()
        yield found
        found.shutdown()


def ask(
    server: Server, path: str = "/", method: str = "GET", **headers: str
) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path, headers=names)
    response = connection.getresponse()
    response.body = response.read()  # type: ignore[attr-defined]
    connection.close()
    return response


def test_it_serves_the_page_its_data_and_their_version(server: Server) -> None:
    page, data, events = (ask(server, path) for path in ("/", "/data.json", "/events"))
    assert [item.status for item in (page, data, events)] == [200, 200, 200]
    assert page.getheader("Content-Type") == "text/html; charset=utf-8"
    assert data.body.startswith(b'{"schema":"yg-explorer/1"')  # type: ignore[attr-defined]
    assert f'data-version="{events.body.decode()}"'.encode() in page.body  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "path",
    [
        "/x",
        "/../etc/passwd",
        "/.yggdrasil/yg-config.yaml",
        "/%2e%2e/",
        "/events/",
        "/?/../x/",
    ],
)
def test_it_serves_nothing_else(server: Server, path: str) -> None:
    assert ask(server, path).status == (200 if path.startswith("/?") else 404)


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_nothing_writes(server: Server, method: str) -> None:
    assert ask(server, method=method).status == 405
    assert ask(server, method=method, Host="evil.example").status == 421


def test_another_host_is_refused(server: Server) -> None:
    port = server.server_port
    names = [
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1",
        "127.0.0.1:1",
        f"127.1:{port}",
        "",
    ]
    assert {ask(server, Host=name).status for name in names} == {421}
    known = [f"127.0.0.1:{port}", f"localhost:{port}", f"LOCALHOST:{port}"]
    assert {ask(server, Host=name).status for name in known} == {200}
    assert ask(server, "/events", Host="evil.example").status == 421


def test_a_request_without_or_with_two_host_names_is_refused(server: Server) -> None:
    ours = f"Host: 127.0.0.1:{server.server_port}\r\n"
    for headers in ("", ours + "Host: evil.example\r\n", ours + ours):
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=30) as line:
            line.sendall(f"GET / HTTP/1.1\r\n{headers}Connection: close\r\n\r\n".encode())
            assert b" 421 " in line.recv(100)


def test_another_origin_is_refused(server: Server) -> None:
    port = server.server_port
    others = [
        "https://evil.example",
        "null",
        "http://127.0.0.1",
        f"http://127.0.0.1:{port + 1}",
        f"https://127.0.0.1:{port}",
        f"http://localhost:{port}",  # the page was asked for under another name
    ]
    assert {ask(server, Origin=origin).status for origin in others} == {403}
    assert ask(server, "/data.json", Origin=f"http://127.0.0.1:{port}").status == 200


def test_a_request_of_another_site_is_refused(server: Server) -> None:
    sites = {
        site: ask(server, Sec_Fetch_Site=site).status
        for site in ("same-origin", "none", "same-site", "cross-site", "x")
    }
    assert sites == {"same-origin": 200, "none": 200, "same-site": 403, "cross-site": 403, "x": 403}


def test_its_answers_allow_only_our_script_and_style(server: Server) -> None:
    policy = ask(server).getheader("Content-Security-Policy") or ""
    parts = dict(part.split(" ", 1) for part in policy.split("; "))
    assert parts["default-src"] == "'none'"
    assert re.fullmatch(r"'sha256-[\w+/=]{44}'", parts["script-src"])
    assert re.fullmatch(r"'sha256-[\w+/=]{44}'", parts["style-src"])
    assert parts["connect-src"] == "'self'"
    assert parts["frame-ancestors"] == "'none'"


def test_it_listens_on_loopback_alone(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_used_port_is_an_error(server: Server, tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    outcome = run("explore", "-C", str(tmp_path), "--no-open", "--port", str(server.server_port))
    assert outcome.code == 1
    assert f"port {server.server_port}" in outcome.notes


@pytest.mark.parametrize("number", ["-1", "65536", "x", "1e3"])
def test_a_port_is_a_number(number: str) -> None:
    assert run("explore", "--no-open", f"--port={number}").code == 2


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_address_is_the_first_line_and_an_interrupt_ends_it(
    tmp_path: Path, end: signal.Signals
) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    command = [*shared().yg, "explore", "-C", str(tmp_path), "--no-open"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as process:
        assert process.stdout is not None
        address = process.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\n", address)
        assert found
        connection = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=30)
        connection.request("GET", "/events")
        assert connection.getresponse().read() != b""
        connection.close()
        process.send_signal(end)
        output, errors = process.communicate(timeout=30)
        assert (process.returncode, output, errors) == (0, "", "")


def test_a_changed_file_gives_a_new_version(tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    source = PageSource(lambda: open_workspace(str(tmp_path), uses_index=False))
    first = source.version()
    source._next_look = 0.0
    assert source.version() == first
    write_graph(tmp_path, {"model/b/yg-node.yaml": NODE})
    source._next_look = 0.0
    assert source.version() != first
    assert b'"path":"b"' in source.data()


def test_a_graph_that_is_gone_keeps_its_last_state(tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/a/yg-node.yaml": NODE})
    source = PageSource(lambda: open_workspace(str(tmp_path), uses_index=False))
    first = source.version()
    (tmp_path / ".yggdrasil").rename(tmp_path / "away")
    source._next_look = 0.0
    assert source.version() == first
    (tmp_path / "away").rename(tmp_path / ".yggdrasil")
    source._next_look = 0.0
    assert source.version() == first


def test_a_graph_that_is_gone_is_not_replaced_by_one_above(tmp_path: Path) -> None:
    write_graph(tmp_path, {"model/outer/yg-node.yaml": NODE})
    inner = write_graph(tmp_path / "inner", {"model/a/yg-node.yaml": NODE})
    source = PageSource(lambda: open_workspace(str(inner), uses_index=False))
    first = source.data()
    (inner / ".yggdrasil").rename(tmp_path / "away")
    source._next_look = 0.0
    assert source.data() == first
