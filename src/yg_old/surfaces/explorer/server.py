"""A server of the page on this machine, which only reads.

It answers GET requests for the page, its data and their version. It listens on the loopback address
alone, and answers only what the browser on this machine asks for this page: another host name, or a
request that another site makes, is refused.
"""

from __future__ import annotations

from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from yg_old.commands.explore.page import policy

if TYPE_CHECKING:
    from yg_old.surfaces.explorer.source import PageSource

HOST = "127.0.0.1"
NAMES = (HOST, "localhost")
SITES = ("same-origin", "none")
HTML, JSON, TEXT = (
    f"{kind}; charset=utf-8" for kind in ("text/html", "application/json", "text/plain")
)
WAIT = 30  # seconds for a request to arrive


class Server(ThreadingHTTPServer):
    """The server; `source` provides what it serves."""

    daemon_threads = True  # a browser keeps its connections open
    request_queue_size = 32

    def __init__(self, port: int, source: PageSource) -> None:
        super().__init__((HOST, port), Handler)
        self.source = source
        self.hosts = frozenset(f"{name}:{self.server_port}" for name in NAMES)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://{HOST}:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore a connection that the browser closed early."""
        import sys

        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    """One connection."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "yg"
    sys_version = ""
    timeout = WAIT

    def do_GET(self) -> None:
        """Answer a request."""
        self._answer(has_body=True)

    def do_HEAD(self) -> None:
        """Answer a request for the headers alone."""
        self._answer(has_body=False)

    def do_POST(self) -> None:
        """Refuse a request that would write."""
        self.close_connection = True  # its body is not read
        refusal = self._refusal() or HTTPStatus.METHOD_NOT_ALLOWED
        self._send(refusal, TEXT, f"{refusal.phrase}\n".encode(), has_body=True)

    do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_POST  # noqa: N815

    def _answer(self, *, has_body: bool) -> None:
        refusal = self._refusal()
        if refusal is not None:
            self._send(refusal, TEXT, f"{refusal.phrase}\n".encode(), has_body=has_body)
            return
        source = self.server.source
        match self.path.split("?", 1)[0]:
            case "/":
                found = HTML, source.page()
            case "/data.json":
                found = JSON, source.data()
            case "/events":
                found = TEXT, source.version().encode()
            case _:
                self._send(HTTPStatus.NOT_FOUND, TEXT, b"Not Found\n", has_body=has_body)
                return
        self._send(HTTPStatus.OK, *found, has_body=has_body)

    def _refusal(self) -> HTTPStatus | None:
        """Return why a request is refused: it names another host, or comes from another site."""
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0].strip().lower() not in self.server.hosts:
            return HTTPStatus.MISDIRECTED_REQUEST
        origins = self.headers.get_all("Origin", [])
        sites = self.headers.get_all("Sec-Fetch-Site", [])
        is_ours = all(origin.strip() == f"http://{hosts[0].strip()}" for origin in origins)
        if not is_ours or any(site.strip() not in SITES for site in sites):
            return HTTPStatus.FORBIDDEN
        return None

    def _send(self, status: HTTPStatus, kind: str, body: bytes, *, has_body: bool) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Allow", "GET, HEAD")
        self.send_header("Cache-Control", "no-store")
        self.send_header(
            "Content-Security-Policy", f"{policy(is_served=True)}; frame-ancestors 'none'"
        )
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        if has_body:
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Log nothing."""
