"""A Messages API without checks and pauses, told by the prompt what to answer; runs as a process of its own.

Prompts: ``BENCH tag text BYTES DELTAS_PER_SECOND`` (0: as fast as it is read), ``BENCH tag blocks COUNT``,
``BENCH tag read COUNT PATH`` (one Read call per response, COUNT times), ``BENCH tag wait SECONDS`` (nothing at all for so long). Every answer ends with ``end_of(tag)``, which
the prompt itself doesn't show.
``GET /gaps`` gives the seconds between the last byte of each tool_use response and the next request, and forgets them.
"""

from __future__ import annotations

import itertools
import json
import re
import socketserver
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

DELTA = 20

PARAGRAPH = (
    "## Part {n}\n\nSome **bold** text and `code` with a [link](https://example.com/{n}), long enough to be wrapped "
    "on a usual screen, as answers are.\n\n- a point\n- another point, number {n}\n\n"
    "```python\ndef part_{n}(value: int) -> int:\n    return value * {n}  # a comment\n```\n\n"
)

Event = dict[str, Any]


def end_of(tag: str) -> str:
    """The last words of the answer to the prompt with this tag."""
    return f"FIN-{tag.upper()}"


def prose(size: int, tag: str) -> str:
    """Markdown of about ``size`` bytes with the end mark."""
    parts: list[str] = []
    length = 0
    for number in itertools.count(1):
        parts.append(PARAGRAPH.format(n=number))
        length += len(parts[-1])
        if length >= size:
            return "".join(parts) + end_of(tag)
    raise AssertionError


def text_events(texts: list[str]) -> Iterator[Event]:
    """Each text as a block, in deltas of twenty characters."""
    for index, text in enumerate(texts):
        yield {
            "type": "content_block_start",
            "index": index,
            "content_block": {"type": "text", "text": ""},
        }
        for at in range(0, len(text), DELTA):
            delta = {"type": "text_delta", "text": text[at : at + DELTA]}
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}


def call_events(call_id: str, path: str) -> Iterator[Event]:
    """One Read call."""
    block: Event = {"type": "tool_use", "id": call_id, "name": "Read", "input": {}}
    yield {"type": "content_block_start", "index": 0, "content_block": block}
    delta = {"type": "input_json_delta", "partial_json": json.dumps({"file_path": path})}
    yield {"type": "content_block_delta", "index": 0, "delta": delta}
    yield {"type": "content_block_stop", "index": 0}


def asked(body: dict[str, Any]) -> tuple[list[str], int]:
    """The words after the newest ``BENCH``, and how many tool results have come since."""
    words: list[str] = []
    results = 0
    for message in body["messages"]:
        if message["role"] != "user":
            continue
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks:
            found = re.search(r"BENCH (.*)", block.get("text", ""))
            if found:
                words, results = found.group(1).split(), 0
            results += block["type"] == "tool_result"
    return words, results


class Server(ThreadingHTTPServer):
    """The server and its clock."""

    daemon_threads = True

    def __init__(self) -> None:
        self.ids = itertools.count(1)
        self.gaps: list[float] = []
        self.called = 0.0
        super().__init__(("127.0.0.1", 0), Exchange)

    def server_bind(self) -> None:
        """Bind without asking for the host's name."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: the programs measured are killed in mid-talk."""


class Exchange(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride] - made by no other server

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""

    def do_GET(self) -> None:
        """Give the gaps."""
        data = json.dumps(self.server.gaps).encode()
        self.server.gaps = []
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_HEAD(self) -> None:
        """Say that we are there."""
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        """Stream an answer."""
        if self.server.called:
            self.server.gaps.append(time.perf_counter() - self.server.called)
            self.server.called = 0.0
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        words, results = asked(body)
        number = next(self.server.ids)
        rate, calls = 0.0, False
        match words:
            case [tag, "text", size, per_second]:
                rate = float(per_second)
                events = text_events([prose(int(size), tag)])
            case [tag, "blocks", count]:
                texts = [PARAGRAPH.format(n=n) for n in range(int(count) - 1)]
                events = text_events([*texts, end_of(tag)])
            case [_, "read", count, path] if results < int(count):
                calls = True
                events = call_events(f"toolu_bench_{number}", path)
            case [tag, "wait", seconds]:
                time.sleep(float(seconds))
                events = text_events([end_of(tag)])
            case [tag, *_]:
                events = text_events([end_of(tag)])
            case _:
                events = text_events(["no BENCH in the prompt"])
        self._stream(number, events, rate, "tool_use" if calls else "end_turn")
        if calls:
            self.server.called = time.perf_counter()

    def _stream(self, number: int, events: Iterator[Event], rate: float, reason: str) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        usage = {"input_tokens": 10, "output_tokens": 1}
        message = {"id": f"msg_{number}", "type": "message", "role": "assistant", "model": "bench"}
        rest: Event = {"content": [], "stop_reason": None, "stop_sequence": None, "usage": usage}
        self._event({"type": "message_start", "message": {**message, **rest}})
        due = time.perf_counter()
        for event in events:
            if rate and event["type"] == "content_block_delta":
                due += 1 / rate
                time.sleep(max(0.0, due - time.perf_counter()))
            self._event(event)
        ended = {"stop_reason": reason, "stop_sequence": None}
        self._event({"type": "message_delta", "delta": ended, "usage": usage})
        self._event({"type": "message_stop"}, last=True)

    def _event(self, event: Event, *, last: bool = False) -> None:
        data = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) + (b"0\r\n\r\n" if last else b""))


@contextmanager
def model_server() -> Generator[str]:
    """Run the server in a process of its own; gives its base URL."""
    command = [sys.executable, "-m", "bench.model_server"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


if __name__ == "__main__":
    server = Server()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
