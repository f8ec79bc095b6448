"""
The strip in a browser: a page on loopback that shows the plans of a state folder.

`python -m dsh_reference panel --state-dir DIR [--actions] [--port N]`. It only reads unless
`--actions` is given; then each action needs the token that the served page holds, and must come
from that page. A running host sees what is changed here at its next look at the files: a step that
waits already goes on with the next thing that happens in its session.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections.abc import Callable, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from dsh_reference.errors import Rejected
from dsh_reference.tree.panel import Panel
from dsh_reference.tree.panel_actions import Actions
from dsh_reference.tree.store import Store

LOOPBACK = "127.0.0.1"
DEFAULT_PORT = 8736
LONGEST_BODY = 1_000_000  # Bytes; a result is text that somebody typed.
TOKEN_HEADER = "X-Panel-Token"  # noqa: S105  # The name of a header.
TOKEN_MARK = "{{token}}"  # noqa: S105  # The place in the page.
POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

Json = Any


class PanelServer(ThreadingHTTPServer):
    """
    Serves one state folder; `token` is empty where nothing may be changed.
    """

    daemon_threads = True

    def __init__(self, root: Path, *, port: int, actions: bool) -> None:
        super().__init__((LOOPBACK, port), _Handler)
        self.store = Store(root, _now)
        self.panel = Panel(self.store)
        self.actions = Actions(self.store, _now)
        self.token = secrets.token_urlsafe(24) if actions else ""

    @property
    def origins(self) -> set[str]:
        """
        The addresses under which the page is reached; any other name is somebody else's page.
        """
        port = self.server_address[1]
        return {f"http://{host}:{port}" for host in (LOOPBACK, "localhost")}


class _Handler(BaseHTTPRequestHandler):
    server: PanelServer
    server_version = "dsh-panel"
    sys_version = ""

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        routes: dict[str, Callable[[], None]] = {
            "/": self._page,
            "/sessions": lambda: self._json(self.server.store.sessions()),
            "/strip": lambda: self._strip(parse_qs(url.query).get("session", [""])[0]),
        }
        if not self._is_ours():
            self._error(HTTPStatus.FORBIDDEN, "this server answers to its own address only")
        elif url.path in routes:
            routes[url.path]()
        else:
            self._error(HTTPStatus.NOT_FOUND, f"nothing is served at {url.path}")

    def do_POST(self) -> None:
        if self.path != "/action":
            self._error(HTTPStatus.NOT_FOUND, f"nothing is taken at {self.path}")
        elif not self.server.token:
            self._error(HTTPStatus.FORBIDDEN, "read-only; start with --actions to change plans")
        elif not (self._is_ours() and self._has_token()):
            self._error(HTTPStatus.FORBIDDEN, "actions are taken from the served page only")
        else:
            self._act()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # As the base class.
        """
        Say nothing: a page that polls would fill the terminal.
        """

    def _is_ours(self) -> bool:
        """
        Whether the request was made to our address and, where it says so, by our page.
        """
        host = f"http://{self.headers.get('Host', '')}"
        origin = self.headers.get("Origin", host)
        return host in self.server.origins and origin in self.server.origins

    def _has_token(self) -> bool:
        given = self.headers.get(TOKEN_HEADER, "")
        sent_by_page = self.headers.get("Origin") in self.server.origins
        token = self.server.token
        return sent_by_page and secrets.compare_digest(given.encode(), token.encode())

    def _page(self) -> None:
        page = files(__package__ or "").joinpath("panel.html").read_text("utf-8")
        body = page.replace(TOKEN_MARK, self.server.token).encode()
        self._send(HTTPStatus.OK, "text/html; charset=utf-8", body)

    def _strip(self, session: str) -> None:
        self._json(self.server.panel.strip(session) if session else None)

    def _act(self) -> None:
        try:
            length = int(self.headers.get("Content-Length", ""))
            wanted = json.loads(self.rfile.read(length)) if 0 <= length <= LONGEST_BODY else None
        except (ValueError, RecursionError):
            wanted = None
        if not isinstance(wanted, dict):
            self._error(HTTPStatus.BAD_REQUEST, "the body must be a JSON object")
            return
        try:
            error = self.server.actions.run(wanted)
        except Rejected as failure:
            error = str(failure)
        self._json({"error": error})

    def _json(self, value: Json) -> None:
        body = json.dumps(value).encode()
        self._send(HTTPStatus.OK, "application/json; charset=utf-8", body)

    def _error(self, status: HTTPStatus, text: str) -> None:
        # The body of a refused POST is not read; the connection must not be used again.
        self.close_connection = True
        self._send(status, "text/plain; charset=utf-8", text.encode())

    def _send(self, status: HTTPStatus, content_type: str, body: bytes) -> None:
        self.send_response(status)
        for name, value in (
            ("Content-Type", content_type),
            ("Content-Length", str(len(body))),
            ("Cache-Control", "no-store"),
            ("Content-Security-Policy", POLICY),
            ("X-Content-Type-Options", "nosniff"),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def main(argv: Sequence[str]) -> int:
    """
    Serve until interrupted; return the exit status.
    """
    options = _options(argv)
    root = Path(options.state_dir)
    if not root.is_dir():
        sys.stderr.write(f"--state-dir: {root} is no folder; give the one that holds plans/\n")
        return 2
    try:
        server = PanelServer(root, port=options.port, actions=options.actions)
    except OSError as error:
        sys.stderr.write(f"--port: cannot listen on {LOOPBACK}:{options.port}: {error}\n")
        return 2
    with server:
        mode = "actions allowed" if options.actions else "read-only"
        sys.stdout.write(f"http://{LOOPBACK}:{server.server_address[1]}/ ({mode})\n")
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            return 0
    return 0


def _options(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m dsh_reference panel", description="Show the plans of a state folder."
    )
    parser.add_argument("--state-dir", required=True, help="the folder that holds plans/")
    parser.add_argument(
        "--actions", action="store_true", help="also pause, resume, clear, complete and drop"
    )
    parser.add_argument("--port", type=_port, default=DEFAULT_PORT, help="0 takes any free one")
    return parser.parse_args(argv)


def _port(text: str) -> int:
    if not (text.isdecimal() and int(text) <= 0xFFFF):
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to 65535, got {text!r}")
    return int(text)


def _now() -> int:
    return time.time_ns() // 1_000_000
