"""The page over HTTP, for this machine only.

| path        | method | what                                   |
|-------------|--------|----------------------------------------|
| `/`         | GET    | the page                               |
| `/page.css` | GET    | its style                              |
| `/page.js`  | GET    | its script                             |
| `/ask`      | POST   | a question as JSON, the answer as JSON |

The server listens on the loopback address and answers nobody else: a `Host` that is not this address (a
foreign name that was made to point here) and an `Origin` of another site are refused, as is every other path,
every other method and every body that is no JSON or too long. Answers are computed, never stored, and nothing
on the disk can be reached.
"""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import BoundedSemaphore, Thread, current_thread
from typing import Any

from modecontrol.page import bundle

LOOPBACK = "127.0.0.1"
PREFERRED = 8017
"""The port that is tried when none is asked for, so that links keep working."""
LONGEST = 64 * 1024
"""Bytes of a question."""
PATIENCE = 30.0
"""Seconds without a byte after which a connection is closed."""
FAREWELL = 5.0
"""Seconds that an answer under way may still take when the server ends."""
CONNECTIONS = 64
"""Connections at a time; more are closed at once."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

log = logging.getLogger("modecontrol.page")
Answer = Callable[[Any], dict[str, Any]]


class PageServer(ThreadingHTTPServer):
    """A server of one page; `answer(question)` computes what it shows.

    Parameters
    ----------
    answer
        Called with parsed JSON, gives plain data.
    port
        Port; None takes the preferred one, or any free one when that is in use. 0 takes any free one.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer: Answer, port: int | None = None) -> None:
        self.answer = answer
        self._room = BoundedSemaphore(CONNECTIONS)
        self._open: dict[Thread, socket.socket] = {}
        self.files = {
            "/": (bundle.read("page.html"), "text/html"),
            "/page.css": (bundle.read("page.css"), "text/css"),
            "/page.js": (bundle.script() + 'start(document.getElementById("page"));\n', "text/javascript"),
        }
        try:
            super().__init__((LOOPBACK, PREFERRED if port is None else port), PageHandler)
        except OSError as error:
            if port is not None:
                raise ValueError(
                    f"port {port} cannot be used ({error.strerror}); choose another with --port, or leave it "
                    "out for a free one"
                ) from None
            super().__init__((LOOPBACK, 0), PageHandler)

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://{LOOPBACK}:{self.server_port}/"

    @property
    def names(self) -> frozenset[str]:
        """What a request may call this server."""
        return frozenset(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))

    def process_request(self, request: Any, client_address: Any) -> None:
        """Hand a connection to a thread while there is room."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a connection, then make room for another."""
        self._open[current_thread()] = request
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._open.pop(current_thread(), None)
            self._room.release()

    def server_close(self) -> None:
        """End the connections, too: browsers keep theirs open, and a thread that waits would outlive its model."""
        super().server_close()
        for thread, request in list(self._open.items()):
            with suppress(OSError):
                request.shutdown(socket.SHUT_RDWR)
            thread.join(FAREWELL)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A broken connection is the other side's affair."""
        log.debug("connection ended with an error", exc_info=True)


class PageHandler(BaseHTTPRequestHandler):
    """One connection."""

    server: PageServer
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "modecontrol", ""
    timeout = PATIENCE

    def setup(self) -> None:
        """Answers go out at once: they are small, and a slider waits for them."""
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)

    def do_GET(self) -> None:
        """One of the page's three files."""
        if not self._welcome():
            return
        if self.path not in self.server.files:
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        text, kind = self.server.files[self.path]
        self._send(HTTPStatus.OK, text.encode(), f"{kind}; charset=utf-8")

    def do_POST(self) -> None:
        """A question."""
        if not self._welcome():
            return
        if self.path != "/ask":
            self._refuse(HTTPStatus.NOT_FOUND, "there is no such page")
            return
        if (self.headers.get("Content-Type") or "").partition(";")[0].strip().lower() != "application/json":
            self._refuse(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "expected application/json")
            return
        length = self.headers.get("Content-Length") or ""
        if self.headers.get("Transfer-Encoding") or not (length.isascii() and length.isdigit()):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "expected the length of the question")
            return
        if len(length) > 9 or int(length) > LONGEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a question has at most {LONGEST} bytes")
            return
        body = self.rfile.read(int(length))
        try:
            question = json.loads(body.decode("utf-8"), parse_constant=_no_number)
        except (ValueError, RecursionError):
            self._refuse(HTTPStatus.BAD_REQUEST, "the question is no JSON")
            return
        try:
            text = json.dumps(self.server.answer(question), allow_nan=False)
        except Exception:
            log.exception("a question could not be answered")
            self._refuse(
                HTTPStatus.INTERNAL_SERVER_ERROR, "the question could not be answered; the log says why"
            )
            return
        self._send(HTTPStatus.OK, text.encode(), "application/json; charset=utf-8")

    def _welcome(self) -> bool:
        """Whether the request is meant for this server and comes from its own page."""
        hosts, origins = self.headers.get_all("Host") or [], self.headers.get_all("Origin") or []
        if len(hosts) != 1 or hosts[0].lower() not in self.server.names:
            self._refuse(HTTPStatus.MISDIRECTED_REQUEST, "this server answers to its own address only")
            return False
        if any(origin.lower() not in {f"http://{name}" for name in self.server.names} for origin in origins):
            self._refuse(HTTPStatus.FORBIDDEN, "questions from other sites are not answered")
            return False
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(HTTPStatus.FORBIDDEN, "questions from other sites are not answered")
            return False
        return True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """What the base class refuses (a line that is no request, a method without a name here) is refused in
        our way.
        """
        self._refuse(HTTPStatus(code), message or HTTPStatus(code).phrase)

    def _refuse(self, status: HTTPStatus, text: str) -> None:
        """Say why and end the connection: what follows on it cannot be trusted to be a request."""
        self.close_connection = True
        self._send(status, json.dumps({"error": text}).encode(), "application/json; charset=utf-8")

    def _send(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", kind),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Requests go to the log, not to the terminal."""
        log.debug(format, *args)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON")
