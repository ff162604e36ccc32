"""The HTTP server: a strict stand-in for the Messages API on the loopback address."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO, cast

from .cache import PromptCache
from .rules import (
    Json,
    ModelFacts,
    RefusedError,
    Seen,
    SentThinking,
    Settings,
    credentials,
    enforce,
    facts_of,
    parse,
    prompt_tokens,
)
from .script import (
    ERROR_TYPES,
    ApiRequest,
    Fault,
    Predicate,
    Reply,
    ReplySource,
    Rule,
    Script,
    message_of,
)
from .wire import End, Ids, Message, Send, Wait, plan, resolve

_POLL = 0.02
_SECRETS = frozenset({"authorization", "x-api-key", "proxy-authorization"})


class ApiServer:
    """A Messages API on `127.0.0.1`, answering from a script.

    Works as a context manager::

        with ApiServer("Hello.", reply(tool("Read", file_path="a"))) as api:
            client = Client(base_url=api.url)
            ...
            assert api.requests[0].model == "claude-opus-5-5"
            api.check()

    Attributes:
        settings: Limits and strictness; may be replaced while the server runs.
        script: Where the replies come from.
        cache: The prompt cache.
        seen: The thinking blocks sent so far.
        errors: Tracebacks of faults in the script or the server itself.
    """

    def __init__(
        self,
        *replies: ReplySource,
        rules: Iterable[Rule] = (),
        default: ReplySource | None = None,
        script: Script | None = None,
        settings: Settings | None = None,
        clock: Callable[[], float] = time.time,
        cache: PromptCache | None = None,
        seen: Seen | None = None,
        seed: str | None = None,
        port: int = 0,
        log: str | Path | None = None,
        keep: int | None = None,
    ) -> None:
        """Prepares a server; `start` or entering it as a context opens the port.

        Args:
            *replies: The queue of replies.
            rules: Replies for requests that fit; asked before the queue.
            default: The reply when nothing else is left; without it the answer is status 500.
            script: A ready script, instead of the three above.
            settings: Limits and strictness.
            clock: Gives the time for the records and the cache.
            cache: A cache to share with another server.
            seen: Thinking sent by another server, for a conversation that goes on here.
            seed: Makes the ids repeatable.
            port: The port; 0 takes a free one.
            log: A file to which requests and responses are added as JSON lines.
            keep: How many of the newest requests keep their bodies, for runs of thousands; None keeps all.
        """
        self.settings = settings or Settings()
        self.script = script or Script(replies, rules=rules, default=default)
        self.cache = cache or PromptCache(clock)
        self.seen = seen or Seen()
        self.errors: list[str] = []
        self.clock = clock
        self.ids = Ids(seed)
        self._port = port
        self._log_path = log
        self._keep = keep
        self._log: TextIO | None = None
        self._changed = threading.Condition()
        self._requests: list[ApiRequest] = []
        self._connections: set[socket.socket] = set()
        self._silent: set[socket.socket] = set()
        self._stopping = threading.Event()
        self._http: _Http | None = None
        self._thread: threading.Thread | None = None

    # --- life ---

    def start(self) -> ApiServer:
        """Opens the port and begins to serve."""
        if self._log_path is not None:
            self._log = Path(self._log_path).open("a", encoding="utf-8")  # noqa: SIM115
        self._http = _Http(self, self._port)
        self._thread = threading.Thread(
            target=self._http.serve_forever,
            kwargs={"poll_interval": _POLL},
            name="api-server",
            daemon=True,
        )
        self._thread.start()
        return self

    def stop(self) -> None:
        """Closes the port and every connection."""
        if self._http is None:
            return
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()
        with self._changed:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
            self._changed.wait_for(lambda: not self._connections, timeout=5)
        if self._thread is not None:
            self._thread.join(5)
        if self._log is not None:
            self._log.close()
            self._log = None
        self._http = None

    def __enter__(self) -> ApiServer:
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    # --- what a test uses ---

    @property
    def port(self) -> int:
        """The port it listens on."""
        if self._http is None:
            raise RuntimeError("the server is not running")
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        """The base URL to give to a client."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def requests(self) -> list[ApiRequest]:
        """Every request so far, in the order in which they came."""
        with self._changed:
            return [*self._requests]

    @property
    def messages(self) -> list[ApiRequest]:
        """The requests for a model reply, without token counts and model lists."""
        return [one for one in self.requests if one.is_message]

    @property
    def refused(self) -> list[ApiRequest]:
        """The requests that broke a rule of the API."""
        return [one for one in self.requests if one.refused is not None]

    @property
    def unscripted(self) -> list[ApiRequest]:
        """The requests for which the script had no reply."""
        return [one for one in self.requests if one.unscripted]

    @property
    def connections_open(self) -> int:
        """How many connections are open."""
        with self._changed:
            return len(self._connections)

    def enqueue(self, *replies: ReplySource) -> None:
        """Adds replies to the queue."""
        self.script.enqueue(*replies)

    def add_rule(self, when: Predicate, reply: ReplySource, *, times: int | None = None) -> Rule:
        """Adds a rule after the others."""
        return self.script.add_rule(when, reply, times=times)

    def wait_requests(self, count: int, timeout: float = 5.0) -> list[ApiRequest]:
        """Waits until so many requests have come, and gives all of them.

        Raises:
            TimeoutError: They did not come in time.
        """
        self.wait_until(lambda: len(self._requests) >= count, timeout, f"{count} requests")
        return self.requests

    def wait_finished(self, count: int, timeout: float = 5.0) -> list[ApiRequest]:
        """Waits until the first requests, so many, are done with, and gives all of them.

        Raises:
            TimeoutError: It took too long.
        """

        def done() -> bool:
            return sum(one.finished for one in self._requests[:count]) == count

        self.wait_until(done, timeout, f"the end of {count} requests")
        return self.requests

    def wait_until(
        self, condition: Callable[[], bool], timeout: float = 5.0, what: str = "a condition"
    ) -> None:
        """Waits for a condition, which is asked again and again.

        Raises:
            TimeoutError: It did not become true in time.
        """
        end = time.monotonic() + timeout
        with self._changed:
            while not condition():
                if time.monotonic() >= end:
                    raise TimeoutError(
                        f"waited {timeout} s for {what}; {len(self._requests)} requests came"
                    )
                self._changed.wait(_POLL)

    def check(self) -> None:
        """Raises an `AssertionError` if anything went wrong.

        That is: a refused request, a request without a reply in the script, a reply that nobody
        asked for, or an error in a scripted function.
        """
        wrong = [f"request {one.number} was refused: {one.refused}" for one in self.refused]
        wrong += [f"request {one.number} had no reply in the script" for one in self.unscripted]
        wrong += self.errors
        if self.script.left:
            wrong.append(f"{self.script.left} scripted replies were not asked for")
        if wrong:
            raise AssertionError("\n".join(wrong))

    def remember_thinking(self, signature: str, text: str, model: str | None = None) -> None:
        """Makes the server accept a thinking block that it did not send itself."""
        self.seen.thinking[signature] = SentThinking(text, model)

    def silence_open_connections(self) -> None:
        """Makes the open connections dead without closing them, as after a long sleep.

        Requests that come on them are neither answered nor recorded; new connections work.
        """
        with self._changed:
            self._silent |= self._connections

    # --- what the handler uses ---

    @property
    def stopping(self) -> bool:
        """Whether the server is being stopped."""
        return self._stopping.is_set()

    def opened(self, connection: socket.socket) -> None:
        """Notes a new connection."""
        with self._changed:
            self._connections.add(connection)
            self._changed.notify_all()

    def closed(self, connection: socket.socket) -> None:
        """Notes the end of a connection."""
        with self._changed:
            self._connections.discard(connection)
            self._silent.discard(connection)
            self._changed.notify_all()

    def is_silent(self, connection: socket.socket) -> bool:
        """Whether a connection was made dead."""
        with self._changed:
            return connection in self._silent

    def record(
        self, method: str, target: str, headers: Mapping[str, str], raw: bytes
    ) -> ApiRequest:
        """Adds a request to the records."""
        path, _, query = target.partition("?")
        with self._changed:
            request = ApiRequest(
                number=len(self._requests) + 1,
                method=method,
                path=path,
                query=query,
                headers={name.lower(): value for name, value in headers.items()},
                raw=raw,
                at=self.clock(),
            )
            with contextlib.suppress(RefusedError):
                request.body = parse(raw) if raw else {}
            self._requests.append(request)
            if self._keep is not None and len(self._requests) > self._keep:
                past = self._requests[-self._keep - 1]
                past.raw, past.body = b"", {}
            self._changed.notify_all()
        self._write(
            request,
            "request",
            method=method,
            path=target,
            headers={
                name: "…" if name in _SECRETS else value for name, value in request.headers.items()
            },
            body=request.body or raw[:2000].decode("utf-8", "replace"),
        )
        return request

    def finish(self, request: ApiRequest) -> None:
        """Notes that a request is done with."""
        with self._changed:
            request.finished = True
            self._changed.notify_all()
        self._write(
            request,
            "response",
            status=request.status,
            refused=request.refused,
            unscripted=request.unscripted,
            disconnected=request.disconnected,
            usage=request.usage,
        )

    def failed(self) -> str:
        """Notes the exception at hand as an error of the server or its script."""
        trace = traceback.format_exc()
        with self._changed:
            self.errors.append(trace)
        return trace

    def _write(self, request: ApiRequest, what: str, **rest: object) -> None:
        with self._changed:
            if self._log is None:
                return
            row = {"event": what, "number": request.number, "at": self.clock(), **rest}
            self._log.write(json.dumps(row) + "\n")
            self._log.flush()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, api: ApiServer, port: int) -> None:
        self.api = api
        super().__init__(("127.0.0.1", port), _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            self.api.failed()


class _GoneError(Exception):
    """The client went away."""


class _StopError(Exception):
    """The response ends here and the connection with it."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def api(self) -> ApiServer:
        return cast("_Http", self.server).api

    def setup(self) -> None:
        super().setup()
        self.api.opened(self.connection)

    def finish(self) -> None:
        try:
            super().finish()
        finally:
            self.api.closed(self.connection)

    def handle(self) -> None:
        with contextlib.suppress(OSError):
            super().handle()

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        self._serve()

    def do_GET(self) -> None:
        self._serve()

    def do_HEAD(self) -> None:
        self._serve()

    def do_PUT(self) -> None:
        self._serve()

    def do_DELETE(self) -> None:
        self._serve()

    # --- one request ---

    def _serve(self) -> None:
        raw, size = self._read_body()
        if self.api.is_silent(self.connection):
            with contextlib.suppress(_GoneError, _StopError):
                self._wait(None)
            self.close_connection = True
            return
        request = self.api.record(self.command, self.path, dict(self.headers.items()), raw)
        try:
            self._answer(request, size)
        except RefusedError as refusal:
            request.refused = refusal.message
            self._refuse(request, refusal)
        except (_GoneError, OSError):
            request.disconnected = not self.api.stopping
            self.close_connection = True
        except _StopError:
            self.close_connection = True
        finally:
            self.api.finish(request)

    def _read_body(self) -> tuple[bytes, int]:
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            pieces: list[bytes] = []
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            raw = b"".join(pieces)
            return raw, len(raw)
        size = int(self.headers.get("content-length", "0") or 0)
        if size <= self.api.settings.max_body:
            return self.rfile.read(size), size
        left = size
        while left:
            piece = self.rfile.read(min(left, 1 << 20))
            if not piece:
                break
            left -= len(piece)
        return b"", size

    def _answer(self, request: ApiRequest, size: int) -> None:
        settings = self.api.settings
        if size > settings.max_body:
            raise RefusedError(
                "Request exceeds the maximum size", status=413, kind="request_too_large"
            )
        where = (request.method, request.path.rstrip("/"))
        counting = where == ("POST", "/v1/messages/count_tokens")
        if where == ("POST", "/v1/messages") or counting:
            body = parse(request.raw)
            enforce(
                body,
                request.headers,
                seen_thinking=self.api.seen,
                settings=settings,
                counting=counting,
            )
            if counting:
                self._json(request, 200, {"input_tokens": prompt_tokens(body)})
            else:
                self._message(request)
        elif request.method == "GET" and where[1].startswith("/v1/models"):
            for wrong in credentials(request.headers, settings):
                raise wrong
            self._models(request, where[1].removeprefix("/v1/models").strip("/"))
        else:
            self._error(request, 404, f"Not found: {request.method} {request.path}")

    def _refuse(self, request: ApiRequest, refusal: RefusedError) -> None:
        try:
            self._error(request, refusal.status, refusal.message, kind=refusal.kind)
        except (_GoneError, OSError):
            request.disconnected = True
            self.close_connection = True

    def _models(self, request: ApiRequest, name: str) -> None:
        known = self.api.settings.models
        if name:
            facts = facts_of(name, self.api.settings)
            if facts is None:
                self._error(request, 404, f"model: {name}")
            else:
                self._json(request, 200, _model_row(facts))
            return
        rows = [_model_row(facts) for facts in known.values()]
        self._json(
            request,
            200,
            {
                "data": rows,
                "has_more": False,
                "first_id": rows[0]["id"] if rows else None,
                "last_id": rows[-1]["id"] if rows else None,
            },
        )

    # --- model replies ---

    def _message(self, request: ApiRequest) -> None:
        api = self.api
        warm_up = request.body.get("max_tokens") == 0
        try:
            reply = Reply() if warm_up else api.script.next(request)
        except Exception:
            self._error(request, 500, f"The script failed: {api.failed()}", retry=False)
            return
        if reply is None:
            request.unscripted = True
            last = request.last_user_text[-200:]
            self._error(
                request,
                500,
                f"The script has no reply for request {request.number} "
                f"({len(request.messages)} messages, last text of the user: {last!r})",
                retry=False,
            )
            return
        if reply.before:
            self._wait(reply.before)
        fault = reply.fault
        if fault is not None and fault.kind == "http":
            self._http_fault(request, reply, fault)
            return
        if fault is not None and fault.block is None and self._early(request, reply, fault):
            return
        accounting = api.cache.look(request.body, api.settings)
        message = resolve(
            reply, request, accounting, ids=api.ids, seen=api.seen, settings=api.settings
        )
        api.cache.store(accounting)
        request.usage = message.usage_end
        if request.body.get("stream") is True:
            self._stream(request, reply, message)
        else:
            self._whole(request, reply, message)

    def _http_fault(self, request: ApiRequest, reply: Reply, fault: Fault) -> None:
        extra = {**reply.headers, **fault.headers}
        if fault.retry_after is not None:
            extra["retry-after"] = str(fault.retry_after)
        if fault.body is not None:
            extra["content-type"] = fault.content_type
            self._bytes(request, fault.status, fault.body.encode(), extra)
        else:
            error = fault.error
            body: Json = {"type": "error", "error": error}
            self._json(request, fault.status, body, extra)

    def _early(self, request: ApiRequest, reply: Reply, fault: Fault) -> bool:
        """A fault before the head of the response; True if there is no response after it."""
        if fault.kind == "stall":
            self._wait(fault.seconds)
            return False
        if fault.kind == "raw" and fault.head:
            extra = {**reply.headers, "content-type": fault.content_type, "connection": "close"}
            self._head(request, fault.status, extra)
            self.wfile.write(fault.data)
        elif fault.kind == "raw":
            request.status = fault.status
            self.wfile.write(fault.data)
        elif fault.kind == "cut":
            self._reset()
        elif fault.kind not in ("eof", "hangup"):
            raise AssertionError(f"{fault.kind} needs a place in the stream")
        raise _StopError

    def _stream(self, request: ApiRequest, reply: Reply, message: Message) -> None:
        chunked = reply.wire.chunked
        extra = {
            "content-type": "text/event-stream; charset=utf-8",
            "cache-control": "no-cache",
            **({"transfer-encoding": "chunked"} if chunked else {"connection": "close"}),
            **reply.headers,
        }
        self._head(request, 200, extra)
        for step in plan(message, reply):
            if isinstance(step, Wait):
                self._wait(step.seconds)
            elif isinstance(step, Send):
                self._check_there()
                size = f"{len(step.data):x}\r\n".encode()
                self.wfile.write(size + step.data + b"\r\n" if chunked else step.data)
            else:
                self._end(step)
        if not chunked:
            raise _StopError
        self.wfile.write(b"0\r\n\r\n")

    def _end(self, step: End) -> None:
        if step.how == "cut":
            self._reset()
        if step.how != "eof":
            raise _StopError

    def _whole(self, request: ApiRequest, reply: Reply, message: Message) -> None:
        data = json.dumps(message.whole(), ensure_ascii=reply.wire.ascii).encode()
        extra = {"content-type": "application/json", **reply.headers}
        fault = reply.fault if reply.fault is not None and reply.fault.block is not None else None
        kind = None if fault is None else fault.kind
        if fault is not None and kind == "stall":
            self._wait(fault.seconds)
        elif fault is not None and kind == "raw":
            data = fault.data
        elif fault is not None and kind == "sse_error":
            statuses = {name: status for status, name in ERROR_TYPES.items()}
            status = statuses.get(str(fault.error["type"]), 500)
            self._json(request, status, {"type": "error", "error": fault.error}, reply.headers)
            return
        elif kind in ("eof", "malformed_sse"):
            data = data[: len(data) // 2]
        elif kind in ("cut", "hangup"):
            self._head(request, 200, {**extra, "content-length": str(len(data))})
            self.wfile.write(data[: len(data) // 2])
            self._end(End("cut" if kind == "cut" else "hangup"))
        self._bytes(request, 200, data, extra)

    # --- plain responses ---

    def _error(
        self,
        request: ApiRequest,
        status: int,
        message: str | None = None,
        *,
        kind: str | None = None,
        retry: bool = True,
    ) -> None:
        name = kind or ERROR_TYPES.get(status, "api_error")
        body: Json = {
            "type": "error",
            "error": {"type": name, "message": message or message_of(name)},
        }
        self._json(request, status, body, {} if retry else {"x-should-retry": "false"})

    def _json(
        self,
        request: ApiRequest,
        status: int,
        body: Json,
        extra: Mapping[str, str] | None = None,
    ) -> None:
        identity = self.api.ids.new("req_")
        if body.get("type") == "error":
            body = {**body, "request_id": identity}
        headers = {
            "content-type": "application/json",
            "request-id": identity,
            **(extra or {}),
        }
        data = json.dumps(body, ensure_ascii=False).encode("utf-8", "backslashreplace")
        self._bytes(request, status, data, headers)

    def _bytes(
        self, request: ApiRequest, status: int, data: bytes, headers: Mapping[str, str]
    ) -> None:
        self._head(request, status, {**headers, "content-length": str(len(data))})
        if self.command != "HEAD":
            self.wfile.write(data)

    def _head(self, request: ApiRequest, status: int, headers: Mapping[str, str]) -> None:
        request.status = status
        self.send_response_only(status)
        names = {name.lower() for name in headers}
        if "request-id" not in names:
            self.send_header("request-id", self.api.ids.new("req_"))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    # --- the connection ---

    def _reset(self) -> None:
        """Ends the connection with a reset, once what was sent has had time to arrive."""
        time.sleep(_POLL)
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.connection.close()

    def _check_there(self) -> None:
        if self.api.stopping:
            raise _StopError
        readable, _, _ = select.select([self.connection], [], [], 0)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise _GoneError

    def _wait(self, seconds: float | None) -> None:
        """Waits; raises if the client leaves or the server stops meanwhile."""
        end = None if seconds is None else time.monotonic() + seconds
        for left in _remaining(end):
            self._check_there()
            time.sleep(min(left, _POLL))


def _remaining(end: float | None) -> Iterator[float]:
    while True:
        left = _POLL if end is None else end - time.monotonic()
        if left <= 0:
            return
        yield left


def _model_row(facts: ModelFacts) -> Json:
    words = facts.id.split("-")
    title = " ".join(word.capitalize() for word in words[:2])
    return {
        "type": "model",
        "id": facts.id,
        "display_name": f"{title} {'.'.join(words[2:])}",
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
        "line": words[1] if len(words) > 1 else None,
        "deprecated_at": None,
        "retires_at": None,
        "max_input_tokens": facts.window,
        "max_tokens": facts.max_output,
    }
