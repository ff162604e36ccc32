"""The demo's server: the Messages API over real HTTP on a free loopback port, answered by the script.

It runs in daemon threads of the calling process and needs no key: any is taken. It knows both API versions
(``x-api-key`` or ``Authorization: Bearer``), streams at reading speed, and refuses what is no such request.
"""

from __future__ import annotations

import itertools
import json
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, TypeAlias, cast

from agent_tui.demo.meter import Meter, count_tokens
from agent_tui.demo.script import Reply, reply
from agent_tui.demo.wire import MODEL, events, message, sse
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import AgentTuiError

Script: TypeAlias = Callable[[JsonObject], Reply]

PACE = 0.012
"""Seconds between two words."""

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a request; the real API's limit."""

KEY = "demo"
"""A key that does, for clients that want one."""

CARD: JsonObject = {
    "type": "model",
    "id": MODEL,
    "display_name": "Scripted demo (no model)",
    "created_at": "2026-01-01T00:00:00Z",
    "max_input_tokens": 200_000,
    "max_tokens": 32_000,
}


class DemoServer:
    """A running server. ``url`` is the base URL for a client; leaving the context, or ``close()``, ends it."""

    def __init__(self, script: Script = reply, pace: float = PACE) -> None:
        try:
            self._http = _Http(script, pace)
        except OSError as error:
            raise AgentTuiError(f"the demo can't listen on 127.0.0.1: {error}") from error
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"
        self._thread = threading.Thread(
            target=self._http.serve_forever,
            kwargs={"poll_interval": 0.05},
            name="demo",
            daemon=True,
        )
        self._thread.start()

    def close(self) -> None:
        """Stop, cutting answers that are under way; may be called twice."""
        self._http.stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> DemoServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def start_demo(script: Script = reply, pace: float = PACE) -> DemoServer:
    """Start the server; it takes requests when this returns.

    Args:
        script: gives the reply to a request's body.
        pace: seconds between two words, 0 for at once.

    Raises:
        AgentTuiError: no loopback port can be had.
    """
    return DemoServer(script, pace)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 16

    def __init__(self, script: Script, pace: float) -> None:
        self.script = script
        self.pace = pace
        self.meter = Meter()
        self.stopping = threading.Event()
        self.ids = itertools.count(1)
        self.messages = itertools.count(1)
        super().__init__(("127.0.0.1", 0), _Exchange)

    def server_bind(self) -> None:
        # HTTPServer's own asks the resolver for the host's name, which can take seconds
        socketserver.TCPServer.server_bind(self)
        self.server_name = "127.0.0.1"
        self.server_port = self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: standard error belongs to the terminal."""


class _Refused(Exception):  # noqa: N818 - an answer, not a failure
    def __init__(self, status: int, kind: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.kind = kind


class _Exchange(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Http  # pyright: ignore[reportIncompatibleVariableOverride] - made by no other server
    timeout = 600

    def do_GET(self) -> None:
        self._answer(self._look_up)

    def do_HEAD(self) -> None:
        self._answer(self._look_up)

    def do_POST(self) -> None:
        self._answer(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: standard error belongs to the terminal."""

    def _answer(self, work: Callable[[str], None]) -> None:
        # a client that has gone away is no event: an interrupt looks like this
        with suppress(ConnectionError, TimeoutError):
            try:
                work(self.path.split("?", 1)[0].rstrip("/"))
            except _Refused as refused:
                told = {"type": refused.kind, "message": str(refused)}
                self._send(refused.status, {"type": "error", "error": told})

    def _look_up(self, path: str) -> None:
        if path == "":
            self._send(200, {"service": "agent-tui demo"})
        elif path == "/v1/models":
            ends = {"first_id": MODEL, "last_id": MODEL, "has_more": False}
            self._send(200, {"data": [CARD], **ends})
        elif path == f"/v1/models/{MODEL}":
            self._send(200, CARD)
        else:
            raise _Refused(404, "not_found_error", f"the demo has no {path}")

    def _post(self, path: str) -> None:
        body = self._body()
        if path not in ("/v1/messages", "/v1/messages/count_tokens"):
            raise _Refused(404, "not_found_error", f"the demo has no {path}")
        self._check(body)
        if path.endswith("/count_tokens"):
            self._send(200, {"input_tokens": count_tokens(body)})
            return
        answer = self.server.script(body)
        usage = self.server.meter.usage(body, answer)
        message_id = f"msg_demo_{next(self.server.messages):04}"
        if body.get("stream") is True:
            self._stream(events(answer, message_id, usage))
        else:
            self._send(200, message(answer, message_id, usage))

    def _body(self) -> JsonObject:
        length = self.headers.get("content-length", "")
        if not length.isdigit():
            self.close_connection = True
            raise _Refused(400, "invalid_request_error", "a body with a content-length is needed")
        if int(length) > MAX_BODY:
            self.close_connection = True
            raise _Refused(413, "request_too_large", f"more than {MAX_BODY} bytes")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except ValueError as error:
            raise _Refused(400, "invalid_request_error", f"the body is no JSON: {error}") from error
        if not isinstance(body, dict):
            raise _Refused(400, "invalid_request_error", "the body is no object")
        return cast("JsonObject", body)

    def _check(self, body: JsonObject) -> None:
        if not (self.headers.get("x-api-key") or self.headers.get("authorization")):
            raise _Refused(401, "authentication_error", "x-api-key or authorization is needed")
        if not self.headers.get("anthropic-version"):
            raise _Refused(400, "invalid_request_error", "anthropic-version is needed")
        if not isinstance(body.get("messages"), list) or not body["messages"]:
            raise _Refused(400, "invalid_request_error", "messages: at least one is needed")
        if not isinstance(body.get("model"), str):
            raise _Refused(400, "invalid_request_error", "model: a string is needed")

    def _stream(self, sent: Iterator[JsonObject]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream; charset=utf-8")
        self.send_header("cache-control", "no-cache")
        self.send_header("transfer-encoding", "chunked")
        self._send_id()
        self.end_headers()
        for event in sent:
            if event["type"] == "content_block_delta" and self.server.pace:
                self.server.stopping.wait(self.server.pace)
            if self.server.stopping.is_set():
                self.close_connection = True
                return
            data = sse(event)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.write(b"0\r\n\r\n")

    def _send(self, status: int, value: JsonObject) -> None:
        data = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self._send_id()
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _send_id(self) -> None:
        self.send_header("request-id", f"req_demo_{next(self.server.ids):04}")
