from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.headless.words import (
    MAX_PROMPT,
    Answered,
    Asked,
    Line,
    LineError,
    Turn,
    failure,
    read_line,
    success,
)
from agent_tui.protocol.ops import Prompt

IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "x"}}


def read(record: Any) -> Line | None:
    raw = record if isinstance(record, bytes) else json.dumps(record).encode()
    return read_line(raw, lambda: "new")


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


@pytest.mark.parametrize(
    ("record", "prompt"),
    [
        (user("hi"), Prompt("hi", "new", now=True)),
        (user("hi", uuid="u1"), Prompt("hi", "u1", now=True)),
        (user("hi", priority="next"), Prompt("hi", "new", now=True)),
        (user("hi", priority="later"), Prompt("hi", "new")),
        (user("hi", client_composed=True), Prompt("hi", "new", now=True, verbatim=True)),
        (user([{"type": "text", "text": "hi"}]), Prompt("hi", "new", now=True)),
        (
            user([{"type": "text", "text": "see"}, IMAGE]),
            Prompt("see", "new", now=True, content=({"type": "text", "text": "see"}, IMAGE)),
        ),
        (user([IMAGE]), Prompt("", "new", now=True, content=(IMAGE,))),
    ],
)
def test_a_user_line_is_a_prompt(record: dict[str, Any], prompt: Prompt) -> None:
    assert read(record) == Turn(prompt, record)


def test_requests_and_answers_are_told_apart() -> None:
    asked = {"type": "control_request", "request_id": "r", "request": {"subtype": "interrupt"}}
    assert read(asked) == Asked("r", "interrupt", {"subtype": "interrupt"})
    assert read(success("r", {"a": 1})) == Answered("r", {"a": 1})
    assert read(failure("r", "no")) == Answered("r", {}, "no")
    odd = {"type": "control_response", "response": {"request_id": "r", "subtype": "success"}}
    assert read(odd) == Answered("r", {})


@pytest.mark.parametrize("raw", [b"", b"  \r", b'{"type": "keep_alive"}'])
def test_what_does_not_concern_us_is_left_alone(raw: bytes) -> None:
    assert read(raw) is None


@pytest.mark.parametrize(
    ("record", "word"),
    [
        (b"{", "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        ([], "not a JSON object"),
        ({}, '"type"'),
        ({"type": "user"}, "message"),
        ({"type": "user", "message": {"role": "assistant", "content": "x"}}, "role"),
        (user(7), "content"),
        (user(" "), "empty"),
        (user([]), "a block|empty"),
        (user(["x"]), "type None"),
        (user([{"type": [], "text": "x"}]), "type \\[\\]"),
        (b'{"type": "user", "x": NaN}', "NaN is no JSON"),
        (b'{"type": "user", "x": ' + b"1" * 5000 + b"}", "not valid JSON"),
        (user("x" * MAX_PROMPT), "larger than"),
        (user([{"type": "tool_result", "tool_use_id": "t"}]), "tool_result"),
        (user([{"type": "text"}]), "needs a text"),
        ({"type": "control_request", "request": {}}, "request_id"),
        ({"type": "control_request", "request_id": "r"}, "a request"),
        ({"type": "control_response"}, "a response"),
        ({"type": "control_response", "response": {}}, "request_id"),
    ],
)
def test_what_cannot_be_used_says_why(record: Any, word: str) -> None:
    with pytest.raises(LineError, match=word):
        read(record)
