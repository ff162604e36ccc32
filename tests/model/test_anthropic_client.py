from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest

from agent_tui.model.anthropic_client import AnthropicClient, encode
from agent_tui.model.client import BlockDone, ModelEvent, ModelRequest, ModelResponse
from agent_tui.protocol.content import TextBlock, ToolUseBlock
from agent_tui.protocol.errors import ModelError
from agent_tui.settings.paths import Environment
from agent_tui.settings.schema import KeyHeader
from tests.fakes.api_server import (
    ApiServer,
    Fault,
    Reply,
    Settings,
    Wire,
    cut,
    eof,
    hangup,
    http_error,
    malformed_sse,
    raw,
    reply,
    sse_error,
    stall,
    thinking,
    tool,
)
from tests.model.asking import KEY, Time, Told, client, environment, request
from tests.model.proxy_stub import AUTHORITY, ProxyStub

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]
WRITE = tool("Write", file_path="a.txt", content="line 1\nline 2\n")


@asynccontextmanager
async def asking(
    api: ApiServer, time: Time | None = None, env: Environment | None = None
) -> AsyncGenerator[AnthropicClient]:
    """A client for a server, let go of at the end."""
    model = client(api.url, time, env)
    try:
        yield model
    finally:
        await model.aclose()


async def ask(
    *replies: Reply | str, time: Time | None = None, env: Environment | None = None
) -> tuple[ModelResponse, Told, ApiServer]:
    """Ask a server with these replies once."""
    told = Told()
    with ApiServer(*replies) as api:
        async with asking(api, time, env) as model:
            with anyio.fail_after(20):
                response = await model.respond(request(), told)
        api.check()
    return response, told, api


async def ask_in_vain(
    *replies: Reply | str, time: Time | None = None, env: Environment | None = None
) -> tuple[ModelError, Told, ApiServer]:
    """Ask a server with these replies, which must fail."""
    told = Told()
    with ApiServer(*replies) as api:
        async with asking(api, time, env) as model:
            with anyio.fail_after(20), pytest.raises(ModelError) as caught:
                await model.respond(request(), told)
        api.check()
    return caught.value, told, api


def blocks(response: ModelResponse) -> list[Any]:
    return [one.block for one in response.blocks]


# --- what is asked and what comes back ----------------------------------------------------------


async def test_a_response_with_everything_in_it() -> None:
    answer = reply(
        thinking("hm", signature="c2ln"), "Let me look.", tool("Read", file_path="a.txt", id="t1")
    )
    response, told, api = await ask(answer)
    assert [type(one).__name__ for one in blocks(response)] == [
        "ThinkingBlock",
        "TextBlock",
        "ToolUseBlock",
    ]
    assert (response.stop_reason, response.model) == ("tool_use", "claude-sonnet-5-5")
    assert response.message_id.startswith("msg_") and response.request_id
    usage = api.requests[0].usage
    assert usage is not None and response.usage.output_tokens == usage["output_tokens"]
    assert [one.block for one in told.blocks] == blocks(response)
    assert told.wire_types[0] == "message_start" and told.wire_types[-1] == "message_stop"
    assert "ping" not in told.wire_types and told.retries == []


async def test_flags_and_the_program_that_uses_us_are_named_in_the_headers() -> None:
    env = environment(ANTHROPIC_BETAS="b-1")
    with ApiServer("ok") as api:
        model = AnthropicClient(api.url, KEY, env, betas=("a-1",), client_app="mine/1")
        await model.respond(request(), Told())
        await model.aclose()
    headers = api.requests[0].headers
    assert headers["anthropic-beta"] == "a-1,b-1"
    assert headers["user-agent"].endswith("(client-app/mine/1)")


async def test_the_whole_request_body_and_its_headers() -> None:
    asked = ModelRequest(
        "claude-sonnet-5-5",
        777,
        ({"type": "text", "text": "You are."},),
        ({"role": "user", "content": "hi é\u2028"},),
        ({"name": "Read", "input_schema": {"type": "object"}},),
        {"thinking": {"type": "adaptive"}, "output_config": {"effort": "low"}},
    )
    env = environment(ANTHROPIC_CUSTOM_HEADERS="X-Team: blue", ANTHROPIC_BETAS="b-1")
    with ApiServer("ok") as api:
        async with asking(api, env=env) as model:
            await model.respond(asked, Told())
        api.check()
    sent = api.requests[0]
    assert sent.body == {
        "model": "claude-sonnet-5-5",
        "max_tokens": 777,
        "stream": True,
        "system": [{"type": "text", "text": "You are."}],
        "messages": [{"role": "user", "content": "hi é\u2028"}],
        "tools": [{"name": "Read", "input_schema": {"type": "object"}}],
        "thinking": {"type": "adaptive"},
        "output_config": {"effort": "low"},
    }
    assert sent.raw == encode(asked) and "é".encode() in sent.raw
    assert sent.headers["x-team"] == "blue" and sent.headers["anthropic-beta"] == "b-1"
    assert sent.headers["authorization"] == f"Bearer {KEY}"
    assert sent.headers["x-api-key"] == KEY
    assert sent.headers["content-type"] == "application/json"


def test_half_a_character_in_the_history_is_replaced_and_not_sent() -> None:
    asked = ModelRequest("m", 1, (), ({"role": "user", "content": "a\ud83d"},))
    assert json.loads(encode(asked))["messages"][0]["content"] == "a\ufffd"
    assert "system" not in json.loads(encode(asked)) and "tools" not in json.loads(encode(asked))


@pytest.mark.parametrize(
    "wire",
    [
        Wire(),
        Wire(event_lines=False, newline="\r\n", comments=True),
        Wire(newline="\r", space=False),
        Wire(piece=1),
        Wire(piece=3, ascii=True),
        Wire(data_lines=True, piece=7),
        Wire(unknown_events=True, pings=True),
        Wire(chunked=False),
    ],
)
async def test_n4_every_form_of_a_stream_gives_the_same_answer(wire: Wire) -> None:
    said = "one\u2028two\u2029\x85 é€😀"
    response, told, _ = await ask(
        reply(said, tool("Read", file_path="é\u2028", id="t1"), wire=wire)
    )
    assert blocks(response) == [
        TextBlock(said),
        ToolUseBlock("t1", "Read", {"file_path": "é\u2028"}),
    ]
    assert "ping" not in told.wire_types


async def test_an_event_of_megabytes_is_no_matter() -> None:
    said = "word é " * 500_000
    response, _, _ = await ask(reply(said, chunk=0))
    assert blocks(response) == [TextBlock(said)]


async def test_calls_with_the_same_id_pass_through() -> None:
    response, _, _ = await ask(
        reply(tool("Read", file_path="a", id="t1"), tool("Read", file_path="b", id="t1"))
    )
    assert [one.id for one in blocks(response)] == ["t1", "t1"]


async def test_tool_input_that_is_no_json_is_handed_on_raw() -> None:
    text = '{"file_path": "a.txt", "content": "line 1\nli'
    response, told, _ = await ask(reply(tool("Write", raw=text, id="t1"), stop_reason="max_tokens"))
    assert response.stop_reason == "max_tokens"
    assert (response.blocks[0].block, response.blocks[0].unparsed) == (
        ToolUseBlock("t1", "Write", {}),
        text,
    )
    assert told.blocks == [BlockDone(0, ToolUseBlock("t1", "Write", {}), text)]


@pytest.mark.parametrize(
    "reason", ["refusal", "pause_turn", "model_context_window_exceeded", "foo"]
)
async def test_the_stop_reason_is_the_api_s_word(reason: str) -> None:
    details = {"type": "refusal", "category": "cyber"} if reason == "refusal" else None
    response, _, _ = await ask(reply(stop_reason=reason, stop_details=details))
    assert (response.stop_reason, response.blocks) == (reason, ())
    assert response.stop_details == details


async def test_a_sink_may_fail_and_the_connection_is_dropped() -> None:
    async def sink(event: ModelEvent) -> None:
        raise LookupError("the disk is full")

    with ApiServer(reply("Hello", fault=stall(block=1)), "again") as api:
        async with asking(api) as model:
            with pytest.raises(LookupError):
                await model.respond(request(), sink)
            api.wait_until(lambda: api.requests[0].disconnected)
            gc.collect()
            assert blocks(await model.respond(request(), Told())) == [TextBlock("again")]


async def test_requests_may_run_at_the_same_time() -> None:
    found: list[str] = []

    async def one(model: AnthropicClient, prompt: str) -> None:
        response = await model.respond(request(prompt), Told())
        found.append(blocks(response)[0].text)

    with ApiServer(default=lambda asked: reply(f"re: {asked.last_user_text}", delay=0.01)) as api:
        async with asking(api) as model, anyio.create_task_group() as tasks:
            for prompt in "abcd":
                tasks.start_soon(one, model, prompt)
        assert sorted(found) == ["re: a", "re: b", "re: c", "re: d"]


# --- retries ------------------------------------------------------------------------------------


async def test_n1_overloaded_inside_a_stream_is_retried_with_growing_waits_that_are_told() -> None:
    time = Time()
    bad = reply("never whole", fault=sse_error(block=0, chars=3))
    response, told, api = await ask(bad, bad, "The answer.", time=time)
    assert blocks(response) == [TextBlock("The answer.")] and response.cut is None
    assert told.texts == ["The answer."]
    assert [one.attempt for one in told.retries] == [1, 2]
    assert [(one.status, one.error) for one in told.retries] == [(529, "overloaded")] * 2
    assert [one.delay_ms for one in told.retries] == [round(one * 1000) for one in time.slept]
    assert 0 < time.slept[0] < time.slept[1]
    assert len(api.messages) == 3 and len({one.raw for one in api.messages}) == 1


async def test_n1_the_wait_can_be_interrupted() -> None:
    told = Told()
    with ApiServer(http_error(529)) as api:
        model = AnthropicClient(api.url, KEY, environment())  # real waits
        async with anyio.create_task_group() as tasks:
            waiting = anyio.Event()

            async def sink(event: ModelEvent) -> None:
                await told(event)
                waiting.set()

            tasks.start_soon(model.respond, request(), sink)
            with anyio.fail_after(10):
                await waiting.wait()
            tasks.cancel_scope.cancel()
        await model.aclose()
        assert len(told.retries) == 1 and len(api.messages) == 1


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
async def test_failures_that_may_pass_are_retried(status: int) -> None:
    response, told, _ = await ask(http_error(status), "ok")
    assert blocks(response) == [TextBlock("ok")]
    assert [one.status for one in told.retries] == [status]


@pytest.mark.parametrize(
    ("status", "error_type", "kind"),
    [
        (400, None, "invalid_request"),
        (401, None, "authentication_failed"),
        (402, None, "billing_error"),
        (403, None, "authentication_failed"),
        (404, None, "invalid_request"),
        (413, None, "invalid_request"),
        (422, "invalid_request_error", "invalid_request"),
    ],
)
async def test_other_refusals_are_final(status: int, error_type: str | None, kind: str) -> None:
    error, told, api = await ask_in_vain(http_error(status, error_type))
    assert (error.status, error.kind, len(api.messages), told.events) == (status, kind, 1, [])
    assert error.request_id


async def test_the_server_s_wait_is_kept() -> None:
    time = Time(chance=0.0)
    await ask(
        http_error(429, retry_after=7),
        http_error(529, headers={"retry-after-ms": "250"}),
        "ok",
        time=time,
    )
    assert time.slept == [7, 0.25]


async def test_the_server_may_forbid_a_retry() -> None:
    error, _, _ = await ask_in_vain(http_error(529, headers={"x-should-retry": "false"}))
    assert error.kind == "overloaded"


async def test_retries_end_and_the_error_says_how_many_there_were() -> None:
    env = environment(CLAUDE_CODE_MAX_RETRIES="2")
    error, told, api = await ask_in_vain(*[http_error(529)] * 3, env=env)
    assert (error.status, error.kind, len(api.messages)) == (529, "overloaded", 3)
    assert "Tried 3 times" in str(error)
    assert [one.max_retries for one in told.retries] == [2, 2]


async def test_a_server_that_is_not_there_is_retried_and_named() -> None:
    with ApiServer() as api:
        url = api.url
    told, time = Told(), Time()
    model = client(url, time, environment(CLAUDE_CODE_MAX_RETRIES="3"))
    with pytest.raises(ModelError, match="No connection to http://127") as caught:
        await model.respond(request(), told)
    await model.aclose()
    assert (caught.value.status, len(told.retries), len(time.slept)) == (None, 3, 3)
    assert [one.status for one in told.retries] == [None] * 3


async def test_marks_of_a_prompt_and_of_a_request_too_large() -> None:
    error, _, _ = await ask_in_vain(
        http_error(400, message="prompt is too long: 5 tokens > 4 maximum")
    )
    assert error.prompt_too_long and not error.request_too_large
    error, _, _ = await ask_in_vain(http_error(413))
    assert error.request_too_large and not error.prompt_too_long


async def test_a_model_that_does_not_exist() -> None:
    with ApiServer() as api:
        async with asking(api) as model:
            with pytest.raises(ModelError, match="claude-nope") as caught:
                await model.respond(request(model="claude-nope"), Told())
    assert (caught.value.status, caught.value.kind) == (404, "model_not_found")


# --- streams that break -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        cut(None),
        cut(0),
        cut(0, 30),
        hangup(0, 30),
        eof(0),
        eof(0, 30),
        eof(1),
        cut(None),
        malformed_sse(0, 30),
        sse_error("api_error"),
    ],
)
async def test_n2_a_stream_that_breaks_before_a_block_is_whole_is_asked_for_again(
    fault: Fault,
) -> None:
    inside_call = fault.block == 0 and fault.chars is not None
    broken = reply(WRITE if inside_call else tool("Write", raw=""), fault=fault)
    if fault.block == 1:
        broken = reply(" ", fault=fault)
    whole = reply(tool("Write", file_path="b.txt", content="whole", id="t2"))
    response, told, api = await ask(broken, whole)
    assert blocks(response) == [
        ToolUseBlock("t2", "Write", {"file_path": "b.txt", "content": "whole"})
    ]
    assert (response.stop_reason, response.cut) == ("tool_use", None)
    assert len(told.retries) == 1 and len(api.messages) == 2
    assert "token limit" not in told.retries[0].reason


@pytest.mark.parametrize("fault", [cut(1, 30), hangup(1, 30), eof(1, 30), sse_error(block=1)])
async def test_n2_after_a_finished_block_nothing_is_asked_twice(fault: Fault) -> None:
    for first in ("Let me write.", tool("Read", file_path="a.txt", id="t1")):
        response, told, api = await ask(reply(first, WRITE, fault=fault))
        assert len(response.blocks) == 1 and response.stop_reason is None
        assert response.cut and response.cut.endswith(".")
        assert told.retries == [] and len(api.messages) == 1
        assert [one.block for one in told.blocks] == blocks(response)


async def test_n2_whole_blocks_without_the_message_s_end_are_a_cut() -> None:
    for place in (1, 2):
        response, _, _ = await ask(reply(WRITE, fault=eof(place)))
        assert response.cut and response.stop_reason is None
        assert [type(one) for one in blocks(response)] == [ToolUseBlock]


async def test_after_thinking_alone_there_are_two_quick_retries() -> None:
    time = Time()
    broken = reply(thinking("hm"), "text", fault=cut(1, 2))
    error, told, api = await ask_in_vain(broken, broken, broken, time=time)
    assert len(api.messages) == 3 and max(time.slept) < 1
    assert [one.max_retries for one in told.retries] == [2, 2]
    assert (error.after_blocks, error.status) == (1, None)


async def test_a_stall_is_given_up_and_tried_once_more() -> None:
    env = environment(CLAUDE_STREAM_IDLE_TIMEOUT_MS="500")
    response, told, _ = await ask(reply("Hello", fault=stall(block=0, chars=2)), "ok", env=env)
    assert blocks(response) == [TextBlock("ok")]
    assert "sent nothing for 0.5 s" in told.retries[0].reason

    stalled = reply("Hello", fault=stall(block=0))
    error, told, _ = await ask_in_vain(stalled, stalled, env=env)
    assert len(told.retries) == 1 and "sent nothing" in str(error)


async def test_a_stall_after_a_finished_block_is_a_cut() -> None:
    env = environment(CLAUDE_STREAM_IDLE_TIMEOUT_MS="500")
    response, _, _ = await ask(reply("Hello", "World", fault=stall(block=1)), env=env)
    assert blocks(response) == [TextBlock("Hello")] and response.cut


async def test_no_head_within_the_time_limit_is_a_stall() -> None:
    env = environment(API_TIMEOUT_MS="500")
    response, told, _ = await ask(reply("Hello", fault=stall(block=None)), "ok", env=env)
    assert blocks(response) == [TextBlock("ok")]
    assert "no answer for 0.5 s" in told.retries[0].reason


async def test_pings_keep_a_slow_stream_alive() -> None:
    env = environment(CLAUDE_STREAM_IDLE_TIMEOUT_MS="1000")
    slow = reply("abcdefghijkl", chunk=1, delay=0.1, wire=Wire(pings=True))
    response, told, _ = await ask(slow, env=env)
    assert response.duration_ms >= 1000 and told.retries == []


@pytest.mark.parametrize(
    "fault", [stall(block=None), stall(block=0), stall(block=0, chars=3), stall(block=1)]
)
async def test_cancelling_closes_the_connection_at_once(fault: Fault) -> None:
    with ApiServer(reply("Hello", fault=fault), "again") as api:
        async with asking(api) as model:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(model.respond, request(), Told())
                await anyio.to_thread.run_sync(api.wait_requests, 1)
                tasks.cancel_scope.cancel()
            api.wait_until(lambda: api.requests[0].disconnected)
            gc.collect()
            response = await model.respond(request(), Told())
            assert blocks(response) == [TextBlock("again")]


# --- connections --------------------------------------------------------------------------------


async def test_a_connection_is_used_again() -> None:
    with ApiServer("one", "two", "three") as api:
        async with asking(api) as model:
            for _ in range(3):
                await model.respond(request(), Told())
                assert api.connections_open == 1
        api.wait_until(lambda: api.connections_open == 0)


@pytest.mark.parametrize("jump", [7200, -7200, 11])
async def test_n3_after_a_jump_of_the_clock_a_dead_connection_is_not_used(jump: float) -> None:
    time = Time()
    with ApiServer("one", "two") as api:
        async with asking(api, time) as model:
            await model.respond(request(), Told())
            api.silence_open_connections()
            time.now += jump
            with anyio.fail_after(5):
                response = await model.respond(request(), Told())
        assert blocks(response) == [TextBlock("two")]
        api.check()


async def test_n3_after_a_broken_connection_the_next_try_takes_a_new_one() -> None:
    env = environment(API_TIMEOUT_MS="500")
    with ApiServer("one", "two") as api:
        async with asking(api, env=env) as model:
            await model.respond(request(), Told())
            api.silence_open_connections()
            told = Told()
            with anyio.fail_after(5):
                response = await model.respond(request(), told)
        assert blocks(response) == [TextBlock("two")] and len(told.retries) == 1


async def test_n3_waiting_on_a_dead_connection_can_be_cancelled() -> None:
    with ApiServer("one") as api:
        async with asking(api) as model:
            await model.respond(request(), Told())
            api.silence_open_connections()
            with anyio.fail_after(5):
                with anyio.move_on_after(0.05) as scope:
                    await model.respond(request(), Told())
                assert scope.cancelled_caught


# --- servers of all ages, gateways --------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "auth"), [("2023-06-01", "x-api-key"), ("2026-10-21", "bearer")]
)
async def test_a_server_of_either_age_needs_no_setting(version: str, auth: str) -> None:
    settings = Settings(
        versions=frozenset({version}), auth=frozenset({auth}), keys=frozenset({KEY})
    )
    with ApiServer("one", "two", settings=settings) as api:
        async with asking(api) as model:
            for word in ("one", "two"):
                told = Told()
                assert blocks(await model.respond(request(), told)) == [TextBlock(word)]
                assert told.retries == []
            assert "claude-opus-5-5" in await model.list_models()
    assert [one.headers["anthropic-version"] for one in api.requests][-2:] == [version] * 2


@pytest.mark.parametrize(
    ("key_header", "accepted", "words"),
    [("bearer", "x-api-key", "apiKeyHeader"), ("x-api-key", "bearer", "apiKeyHeader")],
)
async def test_a_key_in_the_wrong_header_names_the_setting(
    key_header: KeyHeader, accepted: str, words: str
) -> None:
    with ApiServer(settings=Settings(auth=frozenset({accepted}))) as api:
        model = client(api.url, api_key_header=key_header)
        with pytest.raises(ModelError, match=words) as caught:
            await model.respond(request(), Told())
        await model.aclose()
    sent = api.requests[0].headers
    assert ("authorization" in sent, "x-api-key" in sent) == (
        key_header == "bearer",
        key_header == "x-api-key",
    )
    assert caught.value.kind == "authentication_failed" and KEY not in str(caught.value)


async def test_a_version_that_is_set_is_sent_and_its_refusal_names_the_setting() -> None:
    with ApiServer() as api:
        model = client(api.url, anthropic_version="2020-01-01")
        with pytest.raises(ModelError, match="anthropicVersion"):
            await model.respond(request(), Told())
        await model.aclose()
    assert [one.headers["anthropic-version"] for one in api.requests] == ["2020-01-01"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (raw("<html><h1>Log in</h1></html>", content_type="text/html"), "Log in"),
        (raw('data: {"type": "message_stop"}\n\n'), "without message_start"),
        (raw('{"choices": []}', content_type="application/json"), "application/json"),
    ],
)
async def test_n4_a_gateway_that_sends_something_else_is_named(answer: Fault, words: str) -> None:
    error, told, _ = await ask_in_vain(reply(fault=answer))
    assert words in str(error) and "http://127.0.0.1:" in str(error) and "gateway" in str(error)
    assert (told.retries, error.kind) == ([], "unknown")


async def test_n4_an_empty_stream_is_never_a_success() -> None:
    env = environment(CLAUDE_CODE_MAX_RETRIES="1")
    error, told, _ = await ask_in_vain(*[reply(fault=raw(""))] * 2, env=env)
    assert re.search(r"http://127\.0\.0\.1:\d+ sent an empty answer", str(error))
    assert len(told.retries) == 1


async def test_a_gateway_s_page_is_quoted() -> None:
    page = http_error(403, body="<html><body>Blocked by <b>policy</b></body></html>")
    error, _, _ = await ask_in_vain(page)
    assert "Blocked by policy" in str(error)


async def test_a_redirect_is_not_followed_but_told() -> None:
    error, _, _ = await ask_in_vain(http_error(307, headers={"location": "https://other.test/"}))
    assert "https://other.test/" in str(error)


@pytest.mark.parametrize(
    ("url", "key", "kind"),
    [
        ("http://127.0.0.1:1", "", "authentication_failed"),
        ("http://127.0.0.1:1", "sk-\u00e9", "authentication_failed"),
        ("nonsense://x", KEY, "invalid_request"),
        ("http://exa mple.test", KEY, "invalid_request"),
    ],
)
async def test_what_can_not_work_is_told_without_a_try(url: str, key: str, kind: str) -> None:
    model, told = client(url, key=key), Told()
    with pytest.raises(ModelError) as caught:
        await model.respond(request(), told)
    assert (caught.value.kind, told.events) == (kind, [])


# --- proxies and certificates -------------------------------------------------------------------


@pytest.fixture
def outside() -> Callable[..., Environment]:
    """The environment of a machine behind a proxy with a user and a password."""

    def make(proxy: ProxyStub, **more: str) -> Environment:
        address = f"http://me:pa%24%24word@127.0.0.1:{proxy.port}"
        return environment(
            HTTPS_PROXY=address, HTTP_PROXY=address, NO_PROXY="127.0.0.1,localhost", **more
        )

    return make


async def test_n8_the_proxy_and_the_private_authority_are_used(
    outside: Callable[..., Environment],
) -> None:
    with ApiServer("outside", "near") as api, ProxyStub(api.port) as proxy:
        env = outside(proxy, SSL_CERT_FILE=str(AUTHORITY))
        far, near = client("https://api.test", env=env), client(api.url, env=env)
        assert blocks(await far.respond(request(), Told())) == [TextBlock("outside")]
        assert blocks(await near.respond(request(), Told())) == [TextBlock("near")]
        await far.aclose()
        await near.aclose()
        assert len(proxy.heads) == 1
        assert proxy.heads[0].startswith("CONNECT api.test:443 ")
        assert "Basic bWU6cGEkJHdvcmQ=" in proxy.heads[0]
        api.check()


async def test_n8_an_untrusted_certificate_names_the_setting_and_is_not_retried(
    outside: Callable[..., Environment],
) -> None:
    with ApiServer() as api, ProxyStub(api.port) as proxy:
        model, told = client("https://api.test", env=outside(proxy)), Told()
        with pytest.raises(ModelError, match="SSL_CERT_FILE") as caught:
            await model.respond(request(), told)
        await model.aclose()
        assert "pa$$word" not in str(caught.value) and "pa%24%24word" not in str(caught.value)
        assert "not trusted" in str(caught.value)
        assert (told.retries, len(proxy.heads), api.requests) == ([], 1, [])


@pytest.mark.parametrize(
    ("status", "retries", "words"),
    [("407 Proxy Authentication Required", 0, "HTTPS_PROXY"), ("502 Bad Gateway", 1, "502")],
)
async def test_n8_a_proxy_that_refuses_is_named_without_its_password(
    outside: Callable[..., Environment], status: str, retries: int, words: str
) -> None:
    with ProxyStub(1, status) as proxy:
        env = outside(proxy, CLAUDE_CODE_MAX_RETRIES="1")
        model, told = client("https://api.test", env=env), Told()
        with pytest.raises(ModelError, match=words) as caught:
            await model.respond(request(), told)
        await model.aclose()
        assert f"127.0.0.1:{proxy.port}" in str(caught.value)
        assert "24word" not in str(caught.value) and "$word" not in str(caught.value)
        assert len(told.retries) == retries


async def test_n8_a_certificate_file_that_can_not_be_read_is_named() -> None:
    model = client("https://api.test", env=environment(SSL_CERT_FILE="/no/such/file.pem"))
    with pytest.raises(ModelError, match=r"SSL_CERT_FILE names /no/such/file\.pem"):
        await model.respond(request(), Told())


async def test_a_socks_proxy_is_refused_with_a_word() -> None:
    model = client("https://api.test", env=environment(ALL_PROXY="socks5://127.0.0.1:1"))
    with pytest.raises(ModelError, match="SOCKS"):
        await model.respond(request(), Told())


# --- the connection test ------------------------------------------------------------------------


async def test_the_models_of_the_server_are_listed() -> None:
    with ApiServer() as api:
        async with asking(api) as model:
            found = await model.list_models()
        assert "claude-sonnet-5-5" in found and len(found) > 10
        assert (api.requests[0].path, api.requests[0].query) == ("/v1/models", "limit=1000")


async def test_a_connection_test_that_fails_says_why_at_once() -> None:
    with ApiServer(settings=Settings(keys=frozenset({"another"}))) as api:
        async with asking(api) as model:
            with pytest.raises(ModelError) as caught:
                await model.list_models()
        url = api.url
    assert (caught.value.status, caught.value.kind) == (401, "authentication_failed")
    model = client(url)
    with pytest.raises(ModelError, match="No connection"):
        await model.list_models()
    await model.aclose()


# --- lightness ----------------------------------------------------------------------------------


def test_the_modules_are_light_until_the_first_request() -> None:
    names = [
        "client",
        "anthropic_client",
        "prices",
        "aliases",
        "thinking",
        "retry",
        "failures",
        "stream",
        "endpoint",
    ]
    code = (
        f"import {', '.join(f'agent_tui.model.{name}' for name in names)}, pathlib, sys\n"
        "from agent_tui.settings.paths import Environment\n"
        "agent_tui.model.anthropic_client.AnthropicClient("
        "'http://127.0.0.1:1', 'k', Environment({}, pathlib.Path('/')))\n"
        "heavy = {'anthropic', 'httpx2', 'httpcore2', 'pydantic', 'asyncio', 'trio'}\n"
        "print(sorted(heavy & sys.modules.keys()))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_warming_up_loads_without_a_request() -> None:
    with ApiServer() as api:
        async with asking(api) as model:
            await model.warm_up()
            assert api.connections_open == 0 and "anthropic" in sys.modules
