"""A conversation as a request."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import given, settings

from agent_tui.context.messages import GO_ON
from agent_tui.context.request import LOOK_BACK, build_request, reminder
from agent_tui.journal.codec import decode, encode
from agent_tui.journal.entries import Entry
from agent_tui.journal.fold import Conversation, fold
from agent_tui.model.client import ModelRequest
from agent_tui.protocol.content import JsonObject
from tests.context.journals import JOURNALS, MODELS, Step, written
from tests.context.wire import complaints, sent_thinking
from tests.journal.story import MODEL, Story, call, text, thinking

TOOLS: tuple[JsonObject, ...] = (
    {"name": "Bash", "description": "run", "input_schema": {"type": "object"}},
)


def made(
    conversation: Conversation, model: str | None = None, ask: str | None = None
) -> ModelRequest:
    return build_request(
        conversation, ("You are.",), TOOLS, model or conversation.model or MODEL, 1000, ask=ask
    )


def flat(request: ModelRequest) -> list[tuple[str, str]]:
    """Role and block, one after another, marks left out: what the cache compares."""
    return [
        (
            message["role"],
            json.dumps({k: v for k, v in block.items() if k != "cache_control"}),
        )
        for message in request.messages
        for block in message["content"]
    ]


def marks(request: ModelRequest) -> list[tuple[int, int]]:
    return [
        (number, index)
        for number, message in enumerate(request.messages)
        for index, block in enumerate(message["content"])
        if "cache_control" in block
    ]


@settings(max_examples=150, deadline=None)
@given(JOURNALS)
def test_every_prefix_of_every_journal_builds_a_request_the_api_takes(steps: list[Step]) -> None:
    story = written(steps)
    seen = sent_thinking(story.entries)
    conversation = Conversation()
    assert complaints(made(conversation)) == []
    for entry in story.entries:
        conversation = conversation.apply(entry)
        for ask in (None, "Summarise."):
            assert complaints(made(conversation, ask=ask), seen) == []


@settings(max_examples=100, deadline=None)
@given(JOURNALS)
def test_what_was_sent_is_never_changed_by_what_comes_after(steps: list[Step]) -> None:
    story = Story()
    sent: list[tuple[str, str]] = []
    before = (0, story.conversation.model)
    for step in steps:
        step(story)
        now = story.conversation
        if now.open_tool_uses or now.response_id is not None or not now.lines:
            continue
        if now.lines[-1].role != "user":
            continue
        request = flat(made(now))
        if GO_ON in request[-1][1]:
            continue  # such a one is not sent: the loop writes its own words first
        if before == (now.compactions, now.model):
            assert request[: len(sent)] == sent
        sent, before = request, (now.compactions, now.model)


@settings(max_examples=60, deadline=None)
@given(JOURNALS)
def test_a_resumed_session_sends_the_same_bytes(steps: list[Step]) -> None:
    story = written(steps)
    stored: list[Entry] = [e for e in (decode(encode(one)) for one in story.entries) if e]
    assert made(fold(stored)) == made(story.conversation)


@settings(max_examples=60, deadline=None)
@given(JOURNALS)
def test_building_changes_nothing(steps: list[Step]) -> None:
    conversation = written(steps).conversation
    before = copy.deepcopy(list(conversation.lines))
    assert made(conversation) == made(conversation)
    assert list(conversation.lines) == before


def test_p1_an_interrupted_call_is_answered_before_the_next_prompt() -> None:
    story = Story()
    story.prompt("go")
    [line] = story.answer("m1", call("t1", command="sleep 30"))
    story.result("t1", "stopped", source=line, is_error=True)
    story.interrupted()
    story.finished()
    story.prompt("go on")
    request = made(story.conversation)
    assert [m["role"] for m in request.messages] == ["user", "assistant", "user"]
    results, mark, prompt = request.messages[2]["content"]
    assert (results["type"], results["tool_use_id"], results["is_error"]) == (
        "tool_result",
        "t1",
        True,
    )
    assert "interrupted" in mark["text"]
    assert prompt["text"] == "go on"
    assert complaints(request) == []


def test_p2_calls_of_a_killed_session_are_answered_in_order() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"), call("b"), ends=False)
    story.prompt("continue")
    content = made(story.conversation).messages[2]["content"]
    assert [b["type"] for b in content] == ["tool_result", "tool_result", "text"]
    assert [b["tool_use_id"] for b in content[:2]] == ["a", "b"]
    assert all(b["is_error"] and "not completed" in b["content"] for b in content[:2])
    assert complaints(made(story.conversation)) == []


def test_p8_results_are_sent_in_the_order_of_the_calls_in_one_message() -> None:
    story = Story()
    story.prompt("go")
    lines = story.answer("m1", call("a"), call("b"), call("c"))
    for name, line in zip("cab", (lines[2], lines[0], lines[1]), strict=True):
        story.result(name, f"of {name}", source=line)
    content = made(story.conversation).messages[2]["content"]
    assert [b["content"] for b in content] == ["of a", "of b", "of c"]


def test_p4_blank_text_beside_a_call_is_left_out() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", text(" \n"), call("a"))
    story.result("a", "")
    request = made(story.conversation)
    assert [b["type"] for b in request.messages[1]["content"]] == ["tool_use"]
    assert request.messages[2]["content"][0]["content"] == "(no output)"
    assert complaints(request) == []


def test_p3_thinking_goes_back_byte_for_byte_through_a_compaction() -> None:
    story = Story()
    story.model()
    story.prompt("go")
    story.answer("m1", thinking("A" * 4000, "sig1"), call("a"))
    story.result("a")
    lines = story.answer("m2", thinking("B" * 4000, "sig2"), call("b"))
    story.result("b")
    story.compacted(lines[0].header.uuid)
    request = made(story.conversation)
    blocks = [b for m in request.messages for b in m["content"] if b["type"] == "thinking"]
    assert blocks == [thinking("B" * 4000, "sig2")]
    assert complaints(request, sent_thinking(story.entries)) == []
    assert [m["role"] for m in request.messages] == ["user", "assistant", "user"]


def test_p3_thinking_of_another_model_is_left_out_whole() -> None:
    story = Story()
    story.model(MODELS[1])
    story.prompt("go")
    story.answer("m1", thinking("A", "sig1"), text("done"), model=MODELS[1])
    story.model(MODELS[0])
    story.prompt("next")
    request = made(story.conversation)
    assert [b["type"] for b in request.messages[1]["content"]] == ["text"]
    assert complaints(request, sent_thinking(story.entries)) == []
    back = made(story.conversation, MODELS[1])
    assert [b["type"] for b in back.messages[1]["content"]] == ["thinking", "text"]
    dated = made(story.conversation, MODELS[1] + "-20270101")
    assert [b["type"] for b in dated.messages[1]["content"]] == ["thinking", "text"]


def test_p9_repeated_ids_are_accepted_and_matched_by_turn_and_place() -> None:
    story = Story()
    story.prompt("go")
    one, two = story.answer("m1", call("x"), call("x"))
    story.result("x", "second", source=two)
    story.result("x", "first", source=one)
    [three] = story.answer("m2", call("x"))
    story.result("x", "third", source=three)
    story.answer("m3", call(""))
    story.result("", "fourth")
    request = made(story.conversation)
    assert complaints(request) == []
    results = [b for m in request.messages for b in m["content"] if b["type"] == "tool_result"]
    assert [b["content"] for b in results] == ["first", "second", "third", "fourth"]


def test_n7_an_answer_with_nothing_in_it_is_left_out() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", text(" "), thinking("only"))
    story.prompt("again")
    request = made(story.conversation)
    assert [m["role"] for m in request.messages] == ["user"]
    assert [b["text"] for b in request.messages[0]["content"]] == ["go", "again"]


def test_c6_the_prefix_does_not_change_from_turn_to_turn() -> None:
    story = Story()
    story.context(reminder("Today is 2026-03-01, branch main"))
    story.prompt("one")
    story.answer("m1", call("a"))
    first = made(fold(story.entries[:2]))
    second = made(story.conversation)
    assert (first.system, first.tools) == (second.system, second.tools)
    assert flat(second)[: len(flat(first))] == flat(first)
    story.result("a")
    story.prompt("two, over midnight and after a commit")
    third = made(story.conversation)
    assert (third.system, third.tools) == (second.system, second.tools)
    assert flat(third)[: len(flat(first))] == flat(first)
    assert len(marks(third)) + 1 <= 4


def test_the_marks_are_on_the_system_prompt_and_the_last_block() -> None:
    story = Story()
    story.context()
    story.prompt("one")
    story.answer("m1", text("a"), call("a"))
    story.result("a")
    request = made(story.conversation)
    assert [("cache_control" in b) for b in request.system] == [True]
    assert marks(request) == [(2, 0)]
    assert request.messages[2]["content"][0]["cache_control"] == {"type": "ephemeral"}
    long_lived = build_request(story.conversation, ["a", " ", "b"], (), MODEL, 9, ttl="1h")
    assert [b["text"] for b in long_lived.system] == ["a", "b"]
    assert long_lived.system[-1]["cache_control"] == {"type": "ephemeral", "ttl": "1h"}
    assert marks(build_request(story.conversation, ["a"], (), MODEL, 9, cache=False)) == []


@pytest.mark.parametrize(("calls", "expected"), [(9, 1), (10, 2), (40, 2)])
def test_a_round_of_many_blocks_keeps_the_mark_before_it(calls: int, expected: int) -> None:
    story = Story()
    story.prompt("one")
    story.answer("m1", *(call(f"c{n}") for n in range(calls)))
    for number in range(calls):
        story.result(f"c{number}")
    found = marks(made(story.conversation))
    assert len(found) == expected
    assert found[-1] == (2, calls - 1)
    if expected == 2:
        assert found[0] == (0, 0)
        assert 2 * calls >= LOOK_BACK


def test_a_last_question_is_no_part_of_the_prefix() -> None:
    story = Story()
    story.prompt("one")
    story.answer("m1", call("a"))
    story.result("a")
    asked = made(story.conversation, ask="Summarise.")
    assert asked.messages[-1]["content"][-1] == text("Summarise.")
    assert marks(asked) == [(1, 0)], "on the model's last message"
    assert flat(asked)[:-1] == flat(made(story.conversation))
    story.answer("m2", text("done"))
    asked = made(story.conversation, ask="Summarise.")
    assert [m["role"] for m in asked.messages] == ["user", "assistant", "user", "assistant", "user"]
    assert asked.messages[-1]["content"] == [text("Summarise.")]
    assert marks(asked) == [(3, 0)]
    assert marks(made(Conversation(), ask="Summarise.")) == []


def test_further_fields_are_passed_on() -> None:
    extra: JsonObject = {"thinking": {"type": "adaptive"}}
    request = build_request(Conversation(), (), TOOLS, MODEL, 9, extra)
    assert (request.extra, request.tools, request.system, request.max_tokens) == (
        extra,
        TOOLS,
        (),
        9,
    )
