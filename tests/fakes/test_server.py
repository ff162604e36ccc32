"""The Messages API server over real HTTP."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import cast

import pytest

from tests.fakes.api_server import (
    ApiRequest,
    ApiServer,
    Fault,
    Reply,
    Script,
    Settings,
    cut,
    eof,
    hangup,
    has_tool_result,
    http_error,
    is_summary,
    last_user_contains,
    malformed_sse,
    raw,
    reply,
    rule,
    script_of,
    sse_error,
    stall,
    text,
    thinking,
    tool,
)
from tests.fakes.api_server.rules import Json, as_object, objects

HEADERS = {"anthropic-version": "2026-10-21", "authorization": "Bearer k"}
USER: Json = {"role": "user", "content": "hi"}


def ask(*messages: Json, **fields: object) -> Json:
    base: Json = {"model": "claude-opus-5", "max_tokens": 100, "stream": True}
    return {**base, "messages": [*(messages or (USER,))], **fields}


class Answer:
    """A response, read to its end or to the error that ended it."""

    def __init__(self, connection: http.client.HTTPConnection) -> None:
        self.error: Exception | None = None
        self.data = b""
        response = connection.getresponse()
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        try:
            while piece := response.read1(65536):
                self.data += piece
        except (OSError, http.client.HTTPException) as error:
            self.error = error
        finally:
            response.close()

    @property
    def json(self) -> Json:
        return cast("Json", json.loads(self.data))

    @property
    def error_body(self) -> Json:
        return as_object(self.json["error"]) or {}

    @property
    def events(self) -> list[Json]:
        lines = self.data.decode().replace("\r\n", "\n").split("\n")
        return [json.loads(line[5:]) for line in lines if line.startswith("data:")]

    @property
    def kinds(self) -> list[str]:
        return [str(event["type"]) for event in self.events if event["type"] != "ping"]

    def of(self, kind: str) -> list[Json]:
        return [event for event in self.events if event["type"] == kind]

    @property
    def blocks(self) -> list[Json]:
        """The content put together from the events, as a client does it."""
        blocks: list[Json] = []
        for event in self.events:
            if event["type"] == "content_block_start":
                blocks.append({**(as_object(event["content_block"]) or {}), "json": ""})
            elif event["type"] == "content_block_delta":
                delta = as_object(event["delta"]) or {}
                for field in ("text", "thinking", "signature", "partial_json"):
                    if field in delta:
                        name = "json" if field == "partial_json" else field
                        blocks[-1][name] = str(blocks[-1][name]) + str(delta[field])
        return blocks


def connect(api: ApiServer) -> http.client.HTTPConnection:
    return http.client.HTTPConnection("127.0.0.1", api.port, timeout=5)


def post(
    api: ApiServer,
    body: Json | bytes | None = None,
    path: str = "/v1/messages?beta=true",
    connection: http.client.HTTPConnection | None = None,
    **headers: str,
) -> Answer:
    body = ask() if body is None else body
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    used = connection or connect(api)
    used.request("POST", path, data, HEADERS | headers)
    try:
        return Answer(used)
    finally:
        if connection is None:
            used.close()


def usage_of(event: Json) -> Json:
    return as_object((as_object(event.get("message")) or event).get("usage")) or {}


def test_a_plain_answer() -> None:
    with ApiServer(reply("Hello, world.", chunk=5)) as api:
        answer = post(api)
        assert answer.status == 200
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["request-id"].startswith("req_")
        assert answer.kinds == [
            "message_start",
            "content_block_start",
            *["content_block_delta"] * 3,
            "content_block_stop",
            "message_delta",
            "message_stop",
        ]
        assert answer.blocks[0]["text"] == "Hello, world."
        assert as_object(answer.of("message_delta")[0]["delta"]) == {
            "stop_reason": "end_turn",
            "stop_sequence": None,
        }
        start = usage_of(answer.of("message_start")[0])
        assert (start["input_tokens"], start["output_tokens"]) == (1, 1)
        assert usage_of(answer.of("message_delta")[0])["output_tokens"] == 4
        (request,) = api.wait_finished(1)
        assert (request.path, request.query) == ("/v1/messages", "beta=true")
        assert request.last_user_text == "hi"
        assert not request.disconnected
        api.check()


def test_not_streamed() -> None:
    with ApiServer(reply("Hi.", tool("Read", file_path="a"))) as api:
        answer = post(api, ask(stream=False)).json
        assert answer["stop_reason"] == "tool_use"
        assert [one["type"] for one in objects(answer["content"])] == ["text", "tool_use"]


def test_a_tool_loop_with_thinking() -> None:
    with ApiServer(
        reply(thinking("hm, a file"), tool("Read", file_path="a.txt"), chunk=3), "Done."
    ) as api:
        shown: Json = {"type": "adaptive", "display": "summarized"}
        first = post(api, ask(thinking=shown))
        thought, call = first.blocks
        assert thought["thinking"] == "hm, a file"
        assert call["input"] == {}
        assert json.loads(str(call["json"])) == {"file_path": "a.txt"}
        assert str(call["id"]).startswith("toolu_")

        def go(text: object) -> Answer:
            back: Json = {"type": "thinking", "thinking": text, "signature": thought["signature"]}
            used: Json = {"type": "tool_use", "id": call["id"], "name": "Read", "input": {"a": 1}}
            result: Json = {"type": "tool_result", "tool_use_id": call["id"], "content": "x"}
            turn: Json = {"role": "assistant", "content": [back, used]}
            return post(api, ask(USER, turn, {"role": "user", "content": [result]}))

        wrong = go("hm, a fil")
        assert wrong.status == 400
        assert "cannot be modified" in str(wrong.error_body["message"])
        assert go(thought["thinking"]).blocks[0]["text"] == "Done."
        assert [one.number for one in api.refused] == [2]
        with pytest.raises(AssertionError, match="request 2 was refused"):
            api.check()


def test_thinking_is_hidden_unless_asked_for() -> None:
    with ApiServer(reply(thinking("secret"), "x"), reply(thinking("open"), "x")) as api:
        hidden = post(api).blocks[0]
        assert hidden["thinking"] == "" and hidden["signature"]
        assert post(api, ask(model="claude-haiku-4-5")).blocks[0]["thinking"] == "open"


def test_refusals_have_the_shape_of_the_api() -> None:
    with ApiServer() as api:
        answer = post(api, ask(temperature=1))
        assert answer.status == 400
        assert answer.json["type"] == "error"
        assert answer.json["request_id"] == answer.headers["request-id"]
        assert answer.error_body["type"] == "invalid_request_error"
        assert post(api, b"{").status == 400
        assert post(api, authorization="x").status == 401
        assert post(api, path="/v1/complete").status == 404
        assert post(api, ask(model="nope")).error_body["type"] == "not_found_error"
        assert len(api.refused) == 4


def test_too_large() -> None:
    with ApiServer("ok", settings=Settings(max_body=1000)) as api:
        answer = post(api, ask({"role": "user", "content": "x" * 2000}))
        assert (answer.status, answer.error_body["type"]) == (413, "request_too_large")
        assert post(api).status == 200


def test_other_endpoints() -> None:
    with ApiServer() as api:
        body: Json = {"model": "claude-opus-5", "messages": [USER]}
        assert post(api, body, "/v1/messages/count_tokens?beta=true").json == {"input_tokens": 1}
        connection = connect(api)
        connection.request("GET", "/v1/models?limit=20", headers=HEADERS)
        rows = objects(Answer(connection).json["data"])
        assert "claude-opus-5-5" in [row["id"] for row in rows]
        connection.request("GET", "/v1/models/claude-haiku-4-5", headers=HEADERS)
        assert Answer(connection).json["max_input_tokens"] == 200_000
        connection.request("GET", "/v1/models")
        assert Answer(connection).status == 401
        connection.close()
        assert api.messages == []


def test_an_empty_script_says_so() -> None:
    with ApiServer() as api:
        answer = post(api, ask({"role": "user", "content": "what now?"}))
        assert (answer.status, answer.error_body["type"]) == (500, "api_error")
        assert "what now?" in str(answer.error_body["message"])
        assert answer.headers["x-should-retry"] == "false"
        assert api.unscripted == api.requests
        api.enqueue("first", "second")
        assert post(api).status == post(api).status == 200
    with ApiServer(default="always") as api:
        assert post(api).blocks[0]["text"] == post(api).blocks[0]["text"] == "always"


def test_rules_come_before_the_queue() -> None:
    def count(request: ApiRequest) -> Reply:
        return reply(f"{len(request.messages)} message")

    with ApiServer(
        "queued",
        rules=[
            rule(last_user_contains("one"), count, times=1),
            rule(is_summary(), "a summary"),
            rule(has_tool_result(), "after a tool"),
        ],
    ) as api:
        one = ask({"role": "user", "content": "one"})
        assert post(api, one).blocks[0]["text"] == "1 message"
        assert post(api, one).blocks[0]["text"] == "queued"
        please = ask({"role": "user", "content": "Summarise this"})
        assert post(api, please).blocks[0]["text"] == "a summary"


def test_a_failing_function_is_reported() -> None:
    def broken(request: ApiRequest) -> Reply:
        raise ValueError("oops")

    with ApiServer(broken) as api:
        assert post(api).status == 500
        assert "oops" in api.errors[0]


def test_caching_shows_in_the_usage() -> None:
    def marked(*blocks: str) -> Json:
        content: list[Json] = [{"type": "text", "text": one} for one in blocks]
        content[-1]["cache_control"] = {"type": "ephemeral"}
        return ask({"role": "user", "content": content})

    with ApiServer("a", http_error(529), "b") as api:
        first = usage_of(post(api, marked("x" * 4000)).of("message_start")[0])
        assert first["cache_creation_input_tokens"] == 1000
        post(api, marked("x" * 4000, "y" * 4000))
        answer = post(api, marked("x" * 4000, "y" * 4000))
        for event in (answer.of("message_start")[0], answer.of("message_delta")[0]):
            usage = usage_of(event)
            assert usage["cache_read_input_tokens"] == 1000
            assert usage["cache_creation_input_tokens"] == 1000
            assert usage["input_tokens"] == 0


def test_cache_warm_up_takes_no_reply() -> None:
    with ApiServer("kept") as api:
        assert post(api, ask(max_tokens=0)).blocks == []
        assert post(api).blocks[0]["text"] == "kept"


def test_http_errors() -> None:
    with ApiServer(
        http_error(529),
        http_error(429, retry_after=1.5, headers={"x-should-retry": "true"}),
        http_error(400, message="prompt is too long: 5 tokens > 4 maximum"),
        http_error(502, body="<html>bad gateway</html>"),
        reply(fault={"type": "http", "status": 500}),
    ) as api:
        answer = post(api)
        assert (answer.status, answer.error_body["type"]) == (529, "overloaded_error")
        answer = post(api)
        assert answer.headers["retry-after"] == "1.5"
        assert answer.headers["x-should-retry"] == "true"
        assert "too long" in str(post(api).error_body["message"])
        answer = post(api)
        assert (answer.data, answer.headers["content-type"]) == (
            b"<html>bad gateway</html>",
            "text/html",
        )
        assert post(api).error_body["type"] == "api_error"
        api.check()


def test_stream_error_event() -> None:
    with ApiServer(
        reply("Hello", fault=sse_error()),
        reply("Hello", fault=sse_error("api_error", "gone", chars=2)),
    ) as api:
        answer = post(api)
        assert answer.kinds == ["message_start", "error"]
        assert answer.of("error")[0]["error"] == {
            "type": "overloaded_error",
            "message": "Overloaded",
        }
        answer = post(api)
        assert answer.blocks[0]["text"] == "He"
        assert answer.kinds[-1] == "error"


def test_cut_hangup_and_eof() -> None:
    call = tool("Write", file_path="a.txt", content="line 1")
    with ApiServer(
        reply("Hello", call, fault=cut(block=1, chars=9)),
        reply("Hello", call, fault=hangup(block=1, chars=9)),
        reply("Hello", call, fault=eof(block=1, chars=9)),
        reply("Hello", call, fault=eof(block=3)),
    ) as api:
        answer = post(api)
        assert isinstance(answer.error, ConnectionResetError)
        assert answer.blocks[1]["json"] == '{"file_pa'
        answer = post(api)
        assert isinstance(answer.error, http.client.IncompleteRead)
        answer = post(api)
        assert answer.error is None
        assert (answer.blocks[1]["json"], answer.kinds[-1]) == ('{"file_pa', "content_block_delta")
        answer = post(api)
        assert (answer.error, answer.kinds[-1]) == (None, "message_delta")


@pytest.mark.parametrize("fault", [cut(None), hangup(None), eof(None)])
def test_no_response_at_all(fault: Fault) -> None:
    with ApiServer(reply(fault=fault)) as api, contextlib.closing(connect(api)) as connection:
        connection.request("POST", "/v1/messages", json.dumps(ask()), HEADERS)
        with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
            connection.getresponse()
        assert api.wait_finished(1)[0].status is None


def test_broken_and_raw_bytes() -> None:
    with ApiServer(
        reply("Hello", fault=malformed_sse(chars=1)),
        reply(fault=raw("data: nonsense\n\n")),
        reply("Hello", fault=raw(b"data: [DONE]\n\n", block=0)),
        reply(fault=raw(b"SSH-2.0-x\r\n", head=False)),
    ) as api:
        with pytest.raises(json.JSONDecodeError):
            _ = post(api).events
        assert post(api).data == b"data: nonsense\n\n"
        answer = post(api)
        assert b"data: [DONE]\n\n" in answer.data and b"message_stop" in answer.data
        with pytest.raises(http.client.BadStatusLine):
            post(api)


def test_stall_and_going_on() -> None:
    with ApiServer(
        reply("Hello", fault=stall(0.15, chars=2)), reply("Hello", fault=stall(0.15, block=None))
    ) as api:
        for _ in range(2):
            begin = time.monotonic()
            assert post(api).blocks[0]["text"] == "Hello"
            assert time.monotonic() - begin > 0.14


def test_a_client_that_leaves_is_noticed() -> None:
    with ApiServer(
        reply("Hello", fault=stall(chars=2)),
        reply("Hello" * 50, chunk=1, delay=0.01),
        reply("Hello", fault=stall(block=None)),
    ) as api:
        for number in range(1, 4):
            connection = connect(api)
            connection.request("POST", "/v1/messages", json.dumps(ask()), HEADERS)
            api.wait_requests(number)
            assert api.connections_open == 1
            time.sleep(0.05)
            connection.close()
            assert api.wait_finished(number)[-1].disconnected
            api.wait_until(lambda: api.connections_open == 0)


def test_stopping_ends_a_stalled_stream() -> None:
    with ApiServer(reply("Hello", fault=stall())) as api:
        connection = connect(api)
        connection.request("POST", "/v1/messages", json.dumps(ask()), HEADERS)
        api.wait_requests(1)
        begin = time.monotonic()
    assert time.monotonic() - begin < 2
    assert not api.requests[0].disconnected
    connection.close()


def test_connections_are_kept_alive() -> None:
    with ApiServer(default="x") as api, contextlib.closing(connect(api)) as connection:
        for _ in range(3):
            post(api, connection=connection)
            assert connection.sock is not None
        assert api.connections_open == 1


def test_a_silent_connection_answers_nothing() -> None:
    with ApiServer(default="x") as api, contextlib.closing(connect(api)) as old:
        post(api, connection=old)
        api.silence_open_connections()
        old.request("POST", "/v1/messages", json.dumps(ask()), HEADERS)
        old.sock.settimeout(0.1)
        with pytest.raises(TimeoutError):
            old.getresponse()
        assert post(api).status == 200
        assert len(api.requests) == 2


def test_oddities_of_gateways() -> None:
    with ApiServer(
        reply("a", wire={"event_lines": False, "newline": "\r\n", "comments": True}),
        reply("a\u2028b", wire={"usage": False, "unknown_events": True, "pings": True}),
        reply("a", stop_reason=None, wire={"chunked": False, "space": False, "data_lines": True}),
        reply("a", stop_reason="foo", usage={"input_tokens": 7, "output_tokens": 9}),
        reply(text("x" * 2_000_000), chunk=0),
        reply(text(""), tool("Read"), tool("Read", id="same"), tool("Read", id="same")),
        reply(
            tool("Read", {"id": "in"}, id=""), tool("W", raw='{"a": "'), stop_reason="max_tokens"
        ),
    ) as api:
        answer = post(api)
        assert b"event:" not in answer.data and b"\r\n\r\n: a comment\r\n" in answer.data
        assert answer.blocks[0]["text"] == "a"
        answer = post(api)
        assert "a\u2028b" in answer.data.decode()
        assert usage_of(answer.of("message_start")[0]) == {}
        assert "content_block_rumour" in answer.kinds
        answer = post(api)
        assert b'data:{\ndata: "type"' in answer.data and b'"stop_reason":null' in answer.data
        assert answer.headers["connection"] == "close"
        answer = post(api)
        assert usage_of(answer.of("message_start")[0])["input_tokens"] == 7
        ending = answer.of("message_delta")[0]
        assert (as_object(ending["delta"]) or {})["stop_reason"] == "foo"
        assert usage_of(ending)["output_tokens"] == 9
        deltas = post(api).of("content_block_delta")
        assert len(deltas) == 1 and len(json.dumps(deltas[0])) > 1024 * 1024
        answer = post(api)
        assert answer.of("content_block_delta") == []
        assert [block.get("id") for block in answer.blocks[2:]] == ["same", "same"]
        answer = post(api)
        assert (answer.blocks[0]["id"], answer.blocks[0]["json"]) == ("", '{"id": "in"}')
        assert answer.blocks[1]["json"] == '{"a": "'


def test_characters_split_over_chunks() -> None:
    with ApiServer(reply("é€😀", wire={"piece": 1})) as api:
        with socket.create_connection(("127.0.0.1", api.port), timeout=5) as plain:
            data = json.dumps(ask()).encode()
            head = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
            plain.sendall(
                f"POST /v1/messages HTTP/1.1\r\nhost: x\r\n{head}content-length: {len(data)}\r\n"
                "\r\n".encode()
                + data
            )
            got = b""
            while not got.endswith(b"0\r\n\r\n"):
                got += plain.recv(65536)
        assert b"1\r\n\xe2\r\n1\r\n\x82\r\n1\r\n\xac\r\n" in got


def test_chunked_request_bodies() -> None:
    def pieces() -> Iterator[bytes]:
        data = json.dumps(ask()).encode()
        yield data[:10]
        yield data[10:]

    with ApiServer("x") as api, contextlib.closing(connect(api)) as connection:
        connection.request("POST", "/v1/messages", pieces(), HEADERS, encode_chunked=True)
        assert Answer(connection).status == 200


def test_many_at_once() -> None:
    with ApiServer(default=reply("x" * 100, chunk=10, delay=0.002)) as api:
        answers: list[Answer] = []

        def work() -> None:
            answers.append(post(api))

        threads = [threading.Thread(target=work) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [one.kinds[-1] for one in answers] == ["message_stop"] * 12
        assert len({json.dumps(one.of("message_start")) for one in answers}) == 12
        assert [one.number for one in api.requests] == [*range(1, 13)]


def test_waiting_gives_up() -> None:
    with ApiServer() as api, pytest.raises(TimeoutError, match="0 requests came"):
        api.wait_requests(1, timeout=0.05)


def test_seeded_ids_repeat() -> None:
    def run() -> list[object]:
        with ApiServer(reply(tool("A"), tool("B")), seed="s") as api:
            return [block["id"] for block in post(api).blocks]

    assert run() == run() != []


SCRIPT: Json = {
    "replies": [
        "plain",
        {"blocks": [{"thinking": "hm"}, {"tool": "Read", "input": {"p": 1}, "id": "t"}]},
        {"blocks": [{"type": "server_tool_use", "id": "s", "name": "w", "input": {}}]},
        {"blocks": ["x"], "fault": {"type": "cut", "block": 0}, "repeat": 2},
        {"blocks": ["x"], "stop_reason": None, "wire": {"event_lines": False}, "chunk": 1},
    ],
    "rules": [{"when": {"last_user": "sum", "has_tools": False}, "times": 1, "reply": "short"}],
    "default": "enough",
}


def test_script_as_json() -> None:
    script = script_of(SCRIPT)
    assert script.left == 6
    with ApiServer(script=script) as api:
        assert post(api, ask({"role": "user", "content": "sum"})).blocks[0]["text"] == "short"
        assert post(api).blocks[0]["text"] == "plain"
        assert post(api).blocks[1]["id"] == "t"
        assert post(api).blocks[0]["type"] == "server_tool_use"


@pytest.mark.parametrize(
    "wrong",
    [
        {"reply": []},
        [{"colour": 1}],
        [{}],
        [{"blocks": [{"x": 1}]}],
        [{"blocks": [], "fault": {"type": "x"}}],
        {"rules": [{"when": {"x": 1}, "reply": "y"}]},
        "text",
    ],
)
def test_wrong_scripts_are_told(wrong: object) -> None:
    make: Callable[[object], Script] = script_of
    with pytest.raises(ValueError, match=r"no such|not a"):
        make(wrong)


def test_run_by_hand(tmp_path: Path) -> None:
    script, log = tmp_path / "script.json", tmp_path / "log.jsonl"
    script.write_text(json.dumps({**SCRIPT, "settings": {"keys": ["k"], "window": 500}}))
    command = [sys.executable, "-m", "tests.fakes.api_server"]
    with subprocess.Popen(
        [*command, "--script", str(script), "--log", str(log)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        for key, status in (("k", 200), ("z", 401)):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
            headers = {**HEADERS, "authorization": f"Bearer {key}"}
            connection.request("POST", "/v1/messages", json.dumps(ask()), headers)
            assert Answer(connection).status == status
            connection.close()
        process.send_signal(signal.SIGTERM)
        assert process.wait(5) == 0
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    # the next request may be logged before the end of the one before it
    asked = [row for row in rows if row["event"] == "request"]
    ended = [row for row in rows if row["event"] == "response"]
    assert (len(asked), len(ended), len(rows)) == (2, 2, 4)
    assert asked[0]["headers"]["authorization"] == "…"
    assert sum("invalid bearer token" in (row["refused"] or "") for row in ended) == 1
