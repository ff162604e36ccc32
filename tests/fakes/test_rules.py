"""The request check of the Messages API server."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Mapping
from typing import cast

import pytest

from tests.fakes.api_server.rules import (
    Json,
    RefusedError,
    Seen,
    SentThinking,
    Settings,
    check,
    parse,
    problems,
)

HEADERS = {"anthropic-version": "2026-10-21", "authorization": "Bearer k"}
OLD = {"anthropic-version": "2023-06-01", "x-api-key": "k"}
MODEL = "claude-opus-5"
TOOL: Json = {"name": "Read", "input_schema": {"type": "object", "properties": {}}}


def request(*messages: object, **fields: object) -> Json:
    return {"model": MODEL, "max_tokens": 100, "messages": [*messages], **fields}


def user(*content: object) -> Json:
    return {"role": "user", "content": [*content]}


def assistant(*content: object) -> Json:
    return {"role": "assistant", "content": [*content]}


def say(text: str, **more: object) -> Json:
    return {"type": "text", "text": text, **more}


def call(id: str, name: str = "Read", input: object = None) -> Json:
    return {"type": "tool_use", "id": id, "name": name, "input": {} if input is None else input}


def result(id: str, content: object = "ok", **more: object) -> Json:
    return {"type": "tool_result", "tool_use_id": id, "content": content, **more}


def picture(data: str = "AAAA", kind: str = "image/png") -> Json:
    return {"type": "image", "source": {"type": "base64", "media_type": kind, "data": data}}


def thought(text: str, signature: str) -> Json:
    return {"type": "thinking", "thinking": text, "signature": signature}


HI = user(say("hi"))


def found(
    body: Json,
    headers: Mapping[str, str] = HEADERS,
    *,
    seen: Seen | None = None,
    settings: Settings | None = None,
    counting: bool = False,
) -> str:
    return "\n".join(check(body, headers, seen_thinking=seen, settings=settings, counting=counting))


ACCEPTED: dict[str, Json] = {
    "string": request({"role": "user", "content": "hi"}),
    "blocks": request(HI, system=[say("be kind")], tools=[TOOL], stream=True),
    "user messages in a row": request(HI, HI),
    "call and result": request(HI, assistant(say("x"), call("a")), user(result("a"), say("go"))),
    "two calls": request(HI, assistant(call("a"), call("b")), user(result("b"), result("a"))),
    "nested blocks": request(
        HI, assistant(call("a")), user(result("a", [say("x"), picture()], is_error=True))
    ),
    "empty result": request(HI, assistant(call("a")), user(result("a", ""))),
    "server tool pause": request(
        HI,
        assistant({"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}),
    ),
    "system message": request(HI, {"role": "system", "content": "note"}),
    "cache marks": request(
        user(say("hi", cache_control={"type": "ephemeral"})),
        system=[say("s", cache_control={"type": "ephemeral", "ttl": "1h"})],
    ),
    "automatic mark": request(HI, cache_control={"type": "ephemeral"}),
    "thinking": request(HI, thinking={"type": "adaptive", "display": "summarized"}),
    "effort": request(HI, output_config={"effort": "xhigh"}),
    "forced tool": request(HI, tools=[TOOL], tool_choice={"type": "tool", "name": "Read"}),
    "cache warm-up": request(HI, max_tokens=0),
    "dated model": request(HI, model="claude-haiku-4-5-20251001"),
    "server tool": request(HI, tools=[{"type": "web_search_20260318", "name": "web_search"}]),
    "prefill of an old model": request(HI, assistant(say("The")), model="claude-haiku-4-5"),
}


@pytest.mark.parametrize("body", ACCEPTED.values(), ids=ACCEPTED.keys())
def test_accepts(body: Json) -> None:
    assert found(body, seen=Seen()) == ""


MARK: Json = {"type": "ephemeral"}
HOUR: Json = {"type": "ephemeral", "ttl": "1h"}
SCHEMA: Json = {"type": "object"}


def tools(**fields: object) -> Json:
    return request(HI, tools=[{"name": "a", "input_schema": SCHEMA, **fields}])


REFUSED: list[tuple[str, Json]] = [
    ("model: Field required", {"max_tokens": 1, "messages": [HI]}),
    ("max_tokens: Field required", {"model": MODEL, "messages": [HI]}),
    ("messages: Field required", {"model": MODEL, "max_tokens": 1}),
    ("betas: Extra inputs are not permitted", request(HI, betas=[])),
    ("context_management: Extra inputs", request(HI, context_management={"edits": []})),
    ("at least one message", request()),
    ("Input should be 'user' or 'assistant'", request({"role": "tool", "content": "x"})),
    ("messages.0.id: Extra inputs", request({**HI, "id": "m"})),
    ('must use the "user" role', request(assistant(say("x")), HI)),
    ("must have non-empty content", request(user())),
    ("must have non-empty content", request({"role": "user", "content": ""})),
    ("must have non-empty content", request(HI, assistant(), HI)),
    ("non-whitespace text", request({"role": "user", "content": " \n"})),
    ("non-whitespace text", request(user(say(" \n")))),
    ("text content blocks must be non-empty", request(user(say("")))),
    ("non-whitespace text", request(HI, assistant(say("\n"), call("a")), user(result("a")))),
    ("system.0: text content blocks must be non-empty", request(HI, system=[say("")])),
    ("system.0: text content blocks must contain", request(HI, system=[say(" ")])),
    ("text.extra: Extra inputs", request(user(say("x", extra=1)))),
    ("`tool_use` blocks are not permitted", request(user(call("a")))),
    ("`tool_result` blocks are not permitted", request(HI, assistant(result("a")))),
    ("`document` blocks are not permitted", request(HI, assistant({"type": "document"}), HI)),
    ("citations: not permitted", request(user(say("x", citations=[{"type": "x"}])))),
    ("without `tool_result` blocks immediately after: a", request(HI, assistant(call("a")))),
    ("immediately after: b", request(HI, assistant(call("a"), call("b")), user(result("a")))),
    ("immediately after: a", request(HI, assistant(call("a")), HI, user(result("a")))),
    (
        "immediately after: b",
        request(HI, assistant(call("a"), call("b")), user(result("a")), user(result("b"))),
    ),
    ("unexpected `tool_use_id`", request(user(result("a")))),
    ("unexpected `tool_use_id`", request(HI, assistant(call("a")), user(result("a"), result("b")))),
    ("must have a single result", request(HI, assistant(call("a")), user(*[result("a")] * 2))),
    ("must come before any other", request(HI, assistant(call("a")), user(say("x"), result("a")))),
    ("ids must be unique", request(HI, assistant(call("a"), call("a")), user(result("a")))),
    (
        "ids must be unique",
        request(
            *[HI, assistant(call("a")), user(result("a"))], assistant(call("a")), user(result("a"))
        ),
    ),
    ("id: String should match", request(HI, assistant(call("")), user(result("")))),
    ("input: Input should be a valid dictionary", request(HI, assistant(call("a", input="{}")))),
    ("name: String should match", request(HI, assistant(call("a", "a.b")), user(result("a")))),
    ("does not match any of", request(HI, assistant(call("a")), user(result("a", [call("b")])))),
    ("must be non-empty", request(HI, assistant(call("a")), user(result("a", [say("")])))),
    (
        "cannot be empty if `is_error`",
        request(HI, assistant(call("a")), user(result("a", "", is_error=True))),
    ),
    ("name: String should match", tools(name="calendar.list")),
    ("name: String should match", tools(name="x" * 129)),
    ("names must be unique", request(HI, tools=[TOOL, TOOL])),
    ("input_schema: Field required", request(HI, tools=[{"name": "a"}])),
    ("input_schema.type: Field required", tools(input_schema={})),
    ("Input should be 'object'", tools(input_schema={"type": "array"})),
    ("at the top level", tools(input_schema={"type": "object", "anyOf": []})),
    ("custom.colour: Extra inputs", tools(colour="red")),
    ("does not support assistant message prefill", request(HI, assistant(say("The")))),
    (
        "trailing whitespace",
        request(HI, assistant(say("The ")), model="claude-haiku-4-5"),
    ),
    (
        "The final block in an assistant message cannot be `thinking`",
        request(HI, assistant(thought("x", "s")), model="claude-haiku-4-5"),
    ),
    ("Invalid `signature`", request(HI, assistant(thought("x", "s"), say("y")), HI)),
    ("signature: Field required", request(HI, assistant({"type": "thinking", "thinking": "x"}))),
    ("Found 5", request(user(*[say("x", cache_control=MARK)] * 5))),
    ("Found 5", request(user(*[say("x", cache_control=MARK)] * 4, say("y")), cache_control=MARK)),
    (
        "cache_control is not permitted on thinking",
        request(HI, assistant({**thought("x", "s"), "cache_control": MARK}), HI),
    ),
    ("cannot be set for empty text", request(user(say("", cache_control=MARK)))),
    (
        "must not come after",
        request(user(say("x", cache_control=HOUR)), system=[say("s", cache_control=MARK)]),
    ),
    ("Input should be '1h', '5m'", request(user(say("x", cache_control={**MARK, "ttl": "2h"})))),
    ("Input should be 'ephemeral'", request(user(say("x", cache_control={"type": "x"})))),
    (
        "nested blocks",
        request(HI, assistant(call("a")), user(result("a", [say("x", cache_control=MARK)]))),
    ),
    ("temperature: not supported", request(HI, temperature=1.0)),
    ("top_k: not supported", request(HI, top_k=1)),
    ("max_tokens: 200000 > 128000", request(HI, max_tokens=200_000)),
    ("max_tokens: 65000 > 64000", request(HI, model="claude-haiku-4-5", max_tokens=65_000)),
    ("valid integer", request(HI, max_tokens="9")),
    ("media_type: Input should be", request(user(picture(kind="image/bmp")))),
    ("not valid base64", request(user(picture("A A")))),
    ("image exceeds 10 MB maximum", request(user(picture("A" * (10 * 1024 * 1024 + 4))))),
    ("tool_choice: may only be", request(HI, tool_choice={"type": "auto"})),
    (
        "Tool 'X' not found",
        request(HI, tools=[TOOL], tool_choice={"type": "tool", "name": "X"}),
    ),
    ("speed: needs the beta", request(HI, speed="fast")),
    ("metadata.name: Extra", request(HI, metadata={"name": "x"})),
    ("each stop sequence", request(HI, stop_sequences=[" "])),
    ("task_budget: Extra inputs", request(HI, output_config={"task_budget": {}})),
    ("display: Input", request(HI, thinking={"type": "adaptive", "display": "updates"})),
]


@pytest.mark.parametrize(
    ("part", "body"), REFUSED, ids=[f"{i}-{r[0][:40]}" for i, r in enumerate(REFUSED)]
)
def test_refuses(part: str, body: Json) -> None:
    assert part in found(body, seen=Seen())


MODELS: list[tuple[str, str, Json]] = [
    ("claude-sonnet-5", "'enabled' is not", {"thinking": {"type": "enabled", "budget_tokens": 1}}),
    ("claude-opus-5-5", "'disabled' is not", {"thinking": {"type": "disabled"}}),
    ("claude-sonnet-5-5", "'disabled' is not", {"thinking": {"type": "disabled"}}),
    ("claude-sonnet-5-5", "", {"thinking": {"type": "between_tools"}}),
    ("claude-fable-5", "'disabled' is not", {"thinking": {"type": "disabled"}}),
    ("claude-haiku-4-5", "'adaptive' is not", {"thinking": {"type": "adaptive"}}),
    ("claude-opus-5", "", {"thinking": {"type": "disabled"}}),
    (
        "claude-opus-5",
        "not supported with effort 'max'",
        {"thinking": {"type": "disabled"}, "output_config": {"effort": "max"}},
    ),
    ("claude-haiku-4-5", "does not support the effort", {"output_config": {"effort": "low"}}),
    ("claude-opus-4-6", "'xhigh' is not", {"output_config": {"effort": "xhigh"}}),
    ("claude-opus-4-5", "'max' is not", {"output_config": {"effort": "max"}}),
    ("claude-opus-5-5", "tool_choice: 'any'", {"tools": [TOOL], "tool_choice": {"type": "any"}}),
    ("claude-opus-5", "", {"tools": [TOOL], "tool_choice": {"type": "any"}}),
    (
        "claude-sonnet-4-5",
        "`max_tokens` must be greater",
        {"max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 2000}},
    ),
    (
        "claude-sonnet-4-5",
        "greater than or equal to 1024",
        {"max_tokens": 2000, "thinking": {"type": "enabled", "budget_tokens": 1000}},
    ),
    ("claude-sonnet-5", "'system' are not supported", {"messages": [HI, {"role": "system"}]}),
    ("claude-haiku-4-5", "'system' are not supported", {"messages": [HI, {"role": "system"}]}),
    ("gpt", "model: gpt", {}),
]


@pytest.mark.parametrize(("model", "part", "fields"), MODELS)
def test_by_model(model: str, part: str, fields: Json) -> None:
    text = found({**request(HI), "model": model, **fields})
    assert part in text if part else text == ""


def test_unknown_model_is_404() -> None:
    (one,) = problems(request(HI, model="gpt"), HEADERS)
    assert (one.status, one.kind) == (404, "not_found_error")


@pytest.mark.parametrize(
    ("headers", "settings", "status", "part"),
    [
        (OLD, Settings(), 0, ""),
        ({"x-api-key": "k"}, Settings(), 400, "anthropic-version: header is required"),
        ({**OLD, "anthropic-version": "1999-01-01"}, Settings(), 400, "not a valid version"),
        (OLD, Settings(versions=frozenset({"2026-10-21"})), 400, "not a valid version"),
        ({"anthropic-version": "2023-06-01"}, Settings(), 401, "header is required"),
        (OLD, Settings(keys=frozenset({"other"})), 401, "invalid x-api-key"),
        (HEADERS, Settings(keys=frozenset({"other"})), 401, "invalid bearer token"),
        (OLD, Settings(auth=frozenset({"bearer"})), 401, "bearer header is required"),
        (HEADERS, Settings(auth=frozenset({"bearer"}), keys=frozenset({"k"})), 0, ""),
    ],
)
def test_credentials(headers: Json, settings: Settings, status: int, part: str) -> None:
    wrong = problems(request(HI), cast("dict[str, str]", headers), settings=settings)
    assert [one.status for one in wrong] == ([status] if status else [])
    assert part in "".join(one.message for one in wrong)


def test_old_version_is_looser() -> None:
    body = request(HI, temperature=0.5, top_p=1)
    assert found(body, OLD) == ""
    assert "range" in found(request(HI, temperature=2), OLD)
    document: Json = {"type": "document", "source": {"type": "url", "url": "u"}}
    assert found(request(HI, assistant(document, say("x")), HI), OLD) == ""


def test_beta_fields_pass_with_their_header() -> None:
    beta = {**HEADERS, "anthropic-beta": "context-management-2025-06-27,fast-mode-2026-02-01"}
    assert found(request(HI, context_management={"edits": []}, speed="fast"), beta) == ""
    assert (
        found(request(HI, safeguards=1), settings=Settings(allow_fields=frozenset({"safeguards"})))
        == ""
    )
    long = {**HEADERS, "anthropic-beta": "output-300k-2026-03-24"}
    assert found(request(HI, max_tokens=300_000), long) == ""


def test_thinking_must_come_back_unchanged() -> None:
    seen = Seen(
        thinking={"sig": SentThinking("A" * 4000, "claude-opus-5")},
        redacted={"blob": "claude-opus-5"},
        turns={"a": ("sig",)},
    )

    def turn(*blocks: Json) -> Json:
        return request(HI, assistant(*blocks, call("a")), user(result("a")))

    assert found(turn(thought("A" * 4000, "sig")), seen=seen) == ""
    assert found(turn({"type": "redacted_thinking", "data": "blob"}), seen=seen) == ""
    assert "cannot be modified" in found(turn(thought("A" * 3999, "sig")), seen=seen)
    assert "cannot be modified" in found(turn(thought("", "sig")), seen=seen)
    assert "Invalid `signature`" in found(turn(thought("A", "other")), seen=seen)
    assert "Invalid `data`" in found(turn({"type": "redacted_thinking", "data": "x"}), seen=seen)
    assert found(turn(), seen=seen) == ""
    strict = Settings(require_turn_thinking=True)
    assert "must be sent back" in found(turn(), seen=seen, settings=strict)
    loose = Settings(unknown_signatures=True)
    assert found(turn(thought("A", "other")), seen=seen, settings=loose) == ""


def test_thinking_of_the_newest_models_is_bound_to_them() -> None:
    seen = Seen(thinking={"sig": SentThinking("A", "claude-opus-5-5")})
    body = request(HI, assistant(thought("A", "sig"), say("x")), HI)
    assert "belongs to claude-opus-5-5" in found(body, seen=seen)
    assert found({**body, "model": "claude-opus-5-5"}, seen=seen) == ""


def test_unfinished_server_tool_wants_results_only() -> None:
    search: Json = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    turn = assistant(search, call("a"))
    assert found(request(HI, turn, user(result("a")))) == ""
    assert "only `tool_result`" in found(request(HI, turn, user(result("a"), say("x"))))


def png(width: int, height: int) -> str:
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR"
    return base64.b64encode(head + struct.pack(">II", width, height)).decode()


def test_picture_limits() -> None:
    small = Settings(max_image=8)
    assert "image exceeds 8 bytes" in found(request(user(picture("A" * 12))), settings=small)
    assert "8000 pixels" in found(request(user(picture(png(8001, 5)))))
    assert found(request(user(picture(png(8000, 5))))) == ""
    assert "2000 pixels" in found(request(user(*[picture(png(2001, 5))] * 21)))
    assert "too many images" in found(request(user(*[picture()] * 601)))
    nested = request(HI, assistant(call("a")), user(result("a", [picture(png(9000, 5))])))
    assert "8000 pixels" in found(nested)


def test_window() -> None:
    body = request(user(say("x" * 4000)))
    assert found(body, settings=Settings(window=1000)) == ""
    text = found(body, settings=Settings(window=999))
    assert text == "prompt is too long: 1000 tokens > 999 maximum"
    assert found(body | {"model": "claude-haiku-4-5"}) == ""


def test_counting_has_its_own_fields() -> None:
    body: Json = {"model": MODEL, "messages": [HI]}
    assert found(body, counting=True) == ""
    assert "max_tokens: Extra" in found(request(HI), counting=True)


def test_enforcement_can_be_switched_off() -> None:
    assert found({}, {}, settings=Settings(enforce=False)) == ""


@pytest.mark.parametrize(
    ("raw", "part"),
    [
        (b"{", "not valid JSON"),
        (b"[]", "valid dictionary"),
        (b'{"a": NaN}', "not valid JSON"),
        (b'{"a": "\xff"}', "not valid JSON"),
        (b'{"a": "\\ud83d"}', "no low surrogate"),
        (json.dumps({"a": ["\udc80"]}).encode(), "no low surrogate"),
    ],
)
def test_bad_json(raw: bytes, part: str) -> None:
    with pytest.raises(RefusedError, match=part) as caught:
        parse(raw)
    assert caught.value.status == 400


def test_whole_emoji_is_fine() -> None:
    assert parse(b'{"a": "\\ud83d\\ude00"}') == {"a": "\U0001f600"}
