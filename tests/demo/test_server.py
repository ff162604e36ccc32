from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from agent_tui.demo.script import Reply
from agent_tui.demo.server import KEY, MAX_BODY, DemoServer, start_demo
from agent_tui.protocol.content import TextBlock

BODY: dict[str, Any] = {
    "model": "demo",
    "max_tokens": 1000,
    "messages": [{"role": "user", "content": "hello"}],
    "tools": [{"name": "Glob", "input_schema": {"type": "object"}}],
}
NEW = {"authorization": f"Bearer {KEY}", "anthropic-version": "2026-10-21"}
OLD = {"x-api-key": KEY, "anthropic-version": "2023-06-01"}


@pytest.fixture
def demo() -> Iterator[DemoServer]:
    with start_demo(pace=0) as server:
        yield server


def exchange(
    demo: DemoServer, method: str, path: str, body: object = None, headers: dict[str, str] = NEW
) -> tuple[int, dict[str, str], bytes]:
    raw = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
    client = http.client.HTTPConnection(urlsplit(demo.url).netloc, timeout=10)
    try:
        client.request(method, path, raw, headers)
        answer = client.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        client.close()


def error_of(answer: tuple[int, dict[str, str], bytes]) -> tuple[int, str]:
    told = json.loads(answer[2])
    assert told["type"] == "error"
    return answer[0], told["error"]["type"]


@pytest.mark.parametrize("headers", [NEW, OLD], ids=["newer", "older"])
def test_the_anthropic_package_understands_the_stream(
    demo: DemoServer, headers: dict[str, str]
) -> None:
    import anthropic

    client = anthropic.Anthropic(
        api_key="any", base_url=demo.url, max_retries=0, default_headers=headers
    )
    with client, client.messages.stream(**BODY) as stream:
        final = stream.get_final_message()
    assert [b.type for b in final.content] == ["thinking", "text", "tool_use"]
    call = final.content[2]
    assert call.type == "tool_use"
    assert (call.name, list(call.input)) == ("Glob", ["pattern"])
    assert str(call.input["pattern"]).startswith("./{README*,")
    assert (final.stop_reason, final.model) == ("tool_use", "demo")
    assert final.usage.output_tokens > 50
    assert final.id.startswith("msg_demo_")


def test_a_reply_can_be_had_in_one_piece(demo: DemoServer) -> None:
    status, headers, data = exchange(demo, "POST", "/v1/messages?beta=true", BODY)
    whole = json.loads(data)
    assert status == 200
    assert headers["request-id"].startswith("req_demo_")
    assert whole["content"][-1]["name"] == "Glob"
    assert whole["usage"]["input_tokens"] > 0


def test_a_connection_is_kept_for_the_next_request(demo: DemoServer) -> None:
    client = http.client.HTTPConnection(urlsplit(demo.url).netloc, timeout=10)
    for _ in range(3):
        client.request("POST", "/v1/messages", json.dumps({**BODY, "stream": True}), NEW)
        kept = client.sock
        assert client.getresponse().read().endswith(b'data: {"type": "message_stop"}\n\n')
        assert client.sock is kept
    client.close()


@pytest.mark.parametrize("path", ["/", "/v1/models", "/v1/models/demo"])
def test_it_can_be_looked_up(demo: DemoServer, path: str) -> None:
    status, _, data = exchange(demo, "GET", path)
    assert status == 200
    assert "demo" in data.decode()
    assert exchange(demo, "HEAD", path)[::2] == (200, b"")


def test_the_model_is_listed_with_its_window(demo: DemoServer) -> None:
    (card,) = json.loads(exchange(demo, "GET", "/v1/models")[2])["data"]
    assert (card["id"], card["max_input_tokens"]) == ("demo", 200_000)


def test_tokens_are_counted(demo: DemoServer) -> None:
    counted = json.loads(exchange(demo, "POST", "/v1/messages/count_tokens", BODY)[2])
    assert 10 < counted["input_tokens"] < 100


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "expected"),
    [
        ("GET", "/v2/else", None, NEW, (404, "not_found_error")),
        ("GET", "/v1/models/gpt", None, NEW, (404, "not_found_error")),
        ("POST", "/v1/complete", BODY, NEW, (404, "not_found_error")),
        ("POST", "/v1/messages", BODY, {}, (401, "authentication_error")),
        ("POST", "/v1/messages", BODY, {"x-api-key": "k"}, (400, "invalid_request_error")),
        ("POST", "/v1/messages", b"{", NEW, (400, "invalid_request_error")),
        ("POST", "/v1/messages", b"[]", NEW, (400, "invalid_request_error")),
        ("POST", "/v1/messages", {"model": "demo"}, NEW, (400, "invalid_request_error")),
        ("POST", "/v1/messages", {"messages": [1]}, NEW, (400, "invalid_request_error")),
        (
            "POST",
            "/v1/messages",
            None,
            {**NEW, "content-length": str(MAX_BODY + 1)},
            (413, "request_too_large"),
        ),
    ],
)
def test_what_is_no_such_request_is_refused(
    demo: DemoServer,
    method: str,
    path: str,
    body: object,
    headers: dict[str, str],
    expected: tuple[int, str],
) -> None:
    assert error_of(exchange(demo, method, path, body, headers)) == expected


def test_the_server_goes_on_after_a_client_that_hung_up(demo: DemoServer) -> None:
    with start_demo(lambda body: Reply((TextBlock("word " * 20_000),)), pace=0) as server:
        host, port = urlsplit(server.url).netloc.split(":")
        raw = json.dumps({**BODY, "stream": True}).encode()
        head = "POST /v1/messages HTTP/1.1\r\nHost: x\r\nx-api-key: k\r\nanthropic-version: 1\r\n"
        with socket.create_connection((host, int(port)), timeout=10) as client:
            client.sendall(f"{head}Content-Length: {len(raw)}\r\n\r\n".encode() + raw)
            assert client.recv(10) == b"HTTP/1.1 2"
        assert exchange(server, "GET", "/v1/models")[0] == 200


def test_closing_cuts_a_slow_answer_and_frees_the_port() -> None:
    server = start_demo(lambda body: Reply((TextBlock("word " * 500),)), pace=60)
    client = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=10)
    client.request("POST", "/v1/messages", json.dumps({**BODY, "stream": True}), NEW)
    answer = client.getresponse()
    assert b"message_start" in answer.readline() + answer.readline()
    server.close()
    server.close()
    with pytest.raises(http.client.IncompleteRead):
        answer.read()
    answer.close()
    client.close()
    with pytest.raises(ConnectionRefusedError):
        exchange(server, "GET", "/")
    assert not [thread for thread in threading.enumerate() if thread.name == "demo"]


def test_it_listens_on_loopback_only_and_says_nothing_on_standard_error(
    demo: DemoServer, capfd: pytest.CaptureFixture[str]
) -> None:
    assert urlsplit(demo.url).hostname == "127.0.0.1"
    exchange(demo, "GET", "/nothing")
    assert capfd.readouterr() == ("", "")
