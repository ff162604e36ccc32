"""Cutting the window."""

from __future__ import annotations

import pytest

from agent_tui.context.compaction import (
    MAX_ATTEMPTS,
    boundary_entries,
    compact_instruction,
    read_summary,
    summary_request,
    summary_text,
)
from agent_tui.context.request import build_request
from agent_tui.context.window import kept_from
from agent_tui.model.client import ModelRequest
from agent_tui.protocol.content import JsonObject, TextBlock, ThinkingBlock
from tests.context.wire import body, complaints
from tests.fakes.api_server.rules import prompt_tokens
from tests.journal.story import MODEL, Story, call, text, thinking

TOOLS: tuple[JsonObject, ...] = ({"name": "Bash", "input_schema": {"type": "object"}},)


def worked(result: str = "r") -> Story:
    story = Story()
    story.model()
    story.context()
    for number in range(6):
        story.prompt(f"prompt {number}")
        story.answer(f"m{number}", thinking("hm", f"s{number}"), call(f"c{number}"))
        story.result(f"c{number}", result)
        story.answer(f"n{number}", text(f"answer {number}"))
    return story


def asked(story: Story, attempt: int = 1, instructions: str = "") -> ModelRequest:
    return summary_request(
        story.conversation,
        ("You are.",),
        TOOLS,
        MODEL,
        9000,
        {"thinking": {"type": "adaptive"}},
        instructions=instructions,
        attempt=attempt,
    )


def test_the_request_repeats_all_that_the_last_one_said() -> None:
    story = worked()
    story.prompt("go on")
    story.answer("m9", call("c9"))
    story.result("c9")
    usual = build_request(
        story.conversation, ("You are.",), TOOLS, MODEL, 9000, {"thinking": {"type": "adaptive"}}
    )
    request = asked(story)
    assert (request.model, request.system, request.tools, request.extra) == (
        usual.model,
        usual.system,
        usual.tools,
        usual.extra,
    )
    assert request.messages[:-2] == usual.messages[:-2]
    last = request.messages[-1]["content"]
    assert [b["type"] for b in last] == ["tool_result", "text"]
    assert not any("cache_control" in b for b in last)
    assert "cache_control" in request.messages[-2]["content"][-1]
    assert complaints(request) == []


def test_the_persons_wishes_are_passed_on() -> None:
    assert (
        asked(worked(), instructions=" keep the names ")
        .messages[-1]["content"][-1]["text"]
        .endswith("The user asks for this in the summary: keep the names")
    )
    assert "The user asks" not in compact_instruction("  ")


def test_c2_each_attempt_asks_for_less() -> None:
    story = worked("r" * 50_000)
    sizes = [prompt_tokens(body(asked(story, n))) for n in range(1, MAX_ATTEMPTS + 1)]
    assert sizes[0] > 75_000
    assert sizes[1] < 10_000
    assert sizes[2] < sizes[1] * 0.8
    for attempt in range(1, MAX_ATTEMPTS + 1):
        assert complaints(asked(story, attempt)) == []
    assert "answer 5" in str(asked(story, 3).messages)
    assert "prompt 0" not in str(asked(story, 3).messages)


def test_c2_the_history_is_not_touched_by_asking() -> None:
    story = worked("r" * 5000)
    before = list(story.conversation.lines)
    for attempt in range(1, MAX_ATTEMPTS + 1):
        asked(story, attempt)
    assert list(story.conversation.lines) == before


@pytest.mark.parametrize(
    ("said", "summary"),
    [
        ("Let me think.\n<summary>\nAll of it.\n</summary>\nDone.", "All of it."),
        ("<summary>cut off in the mid", "cut off in the mid"),
        ("plain words", "plain words"),
        ("  \n", None),
        ("<summary> </summary>", None),
    ],
)
def test_the_summary_is_found_in_the_answer(said: str, summary: str | None) -> None:
    assert read_summary([ThinkingBlock("hm", "s"), TextBlock(said)]) == summary
    assert read_summary([]) is None


@pytest.mark.parametrize("going_on", [True, False])
def test_the_window_after_it_begins_with_the_summary(going_on: bool) -> None:
    story = worked()
    story.prompt("go on")
    lines = story.answer("m9", thinking("hm", "s9"), call("c9"))
    story.result("c9", "the last result")
    before = story.conversation
    boundary, entry = boundary_entries(
        story.stamp,
        before,
        "SUMMARY",
        trigger="auto",
        kept_from=kept_from(before),
        pre_tokens=900_000,
        fixed_tokens=5_000,
        duration_ms=12,
        going_on=going_on,
    )
    story.add(boundary)
    story.add(entry)
    after = story.conversation
    metadata = boundary.compact_metadata
    assert (metadata["trigger"], metadata["pre_tokens"], metadata["duration_ms"]) == (
        "auto",
        900_000,
        12,
    )
    assert metadata["preserved_segment"]["head_uuid"] == lines[0].header.uuid
    assert (boundary.header.parent_uuid, boundary.logical_parent_uuid) == (None, before.head)
    assert entry.header.parent_uuid == boundary.header.uuid
    assert boundary.summary_uuid == entry.header.uuid
    assert 5_000 < after.context_tokens == metadata["post_tokens"] < 5_500
    request = build_request(after, ("You are.",), TOOLS, MODEL, 9000)
    assert complaints(request) == []
    first, answer, result = request.messages
    assert first["content"][0]["text"] == summary_text("SUMMARY", going_on=going_on)
    assert ("Go on with the work" in first["content"][0]["text"]) == going_on
    assert [b["type"] for b in answer["content"]] == ["thinking", "tool_use"]
    assert result["content"][0]["content"] == "the last result"
    assert after == story.refolded()


def test_nothing_is_kept_when_nothing_fits() -> None:
    story = worked()
    story.prompt("go on")
    story.answer("m9", call("c9"))
    story.result("c9", "x" * 190_000)
    boundary, entry = boundary_entries(
        story.stamp,
        story.conversation,
        "SUMMARY",
        trigger="manual",
        kept_from=kept_from(story.conversation),
        pre_tokens=1,
        fixed_tokens=0,
        duration_ms=1,
    )
    assert boundary.kept_from is None
    assert "preserved_segment" not in boundary.compact_metadata
    story.add(boundary)
    story.add(entry)
    assert len(story.conversation.lines) == 1
