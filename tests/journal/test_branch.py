"""A copy of a session that goes on by itself."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable
from typing import Any

from hypothesis import given, settings

from agent_tui.context.request import build_request
from agent_tui.journal.branch import branch
from agent_tui.journal.codec import encode, from_line, parse
from agent_tui.journal.entries import Origin, TasksEntry, UnknownEntry
from agent_tui.journal.fold import Conversation, fold
from agent_tui.model.client import ModelRequest
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.tasks import Task
from agent_tui.protocol.usage import Usage
from tests.context.journals import JOURNALS, Step, written
from tests.context.wire import complaints
from tests.journal.story import MODEL, Story, call, text, thinking

COPY = "99999999-9999-4999-8999-999999999999"
TOOL: JsonObject = {"name": "Bash", "description": "run", "input_schema": {"type": "object"}}


def stored(story: Story) -> list[JsonObject]:
    """The lines as a file gives them."""
    return [line for entry in story.entries if (line := parse(encode(entry))) is not None]


def copied(lines: Iterable[JsonObject], origin: Origin | None = None) -> list[JsonObject]:
    numbers = itertools.count(1)
    return list(
        branch(
            lines,
            parent="old",
            session_id=COPY,
            new_id=lambda: f"copy-{next(numbers)}",
            timestamp="2026-03-02T00:00:00.000Z",
            origin=origin,
        )
    )


def folded(lines: Iterable[JsonObject]) -> Conversation:
    return fold(map(from_line, lines))


def request(conversation: Conversation) -> ModelRequest:
    return build_request(conversation, ("You are.",), (TOOL,), conversation.model or MODEL, 1000)


def essence(told: Conversation) -> list[Any]:
    """What a conversation is, apart from what its lines are called."""
    return [
        [(line.role, line.blocks, line.response, line.model, line.size) for line in told.lines],
        [(one.id, one.raw_id, one.name, one.input) for one in told.open_tool_uses],
        (told.usage, told.model_usage, told.total_cost_usd, told.last_usage),
        (told.turns, told.prompts, told.responses, told.compactions, told.context_tokens),
        (told.tasks, told.last_task, told.tools_taken, told.mode, told.model, told.title),
        (told.first_prompt, told.last_prompt, told.has_context, told.granted),
    ]


@settings(max_examples=80, deadline=None)
@given(JOURNALS)
def test_a_copy_folds_to_the_same(steps: list[Step]) -> None:
    lines = stored(written(steps))
    before, after = folded(lines), folded(copied(lines))
    assert essence(after) == essence(before)
    assert request(after) == request(before)


@settings(max_examples=60, deadline=None)
@given(JOURNALS)
def test_a_copy_of_every_beginning_makes_a_request_the_api_takes(steps: list[Step]) -> None:
    lines = stored(written(steps))
    for count in range(len(lines) + 1):
        after = folded(copied(lines[:count]))
        assert essence(after) == essence(folded(lines[:count]))
        assert complaints(request(after)) == []


def a_story() -> Story:
    story = Story(session_id="old")
    story.started("print")
    story.context()
    story.prompt("go")
    one, two = story.answer("m1", thinking("hm"), call("a"), call("b"), usage=Usage(5, 5))[1:]
    story.result("b", "second", source=two)
    story.result("a", "first", source=one)
    story.add(TasksEntry(story.header(), (Task("1", "look"),), 1))
    story.answer("m2", text("half"), ends=False)
    story.retracted("m2")
    story.answer("m3", text("done"), cost=0.5)
    story.finished(cost=0.5)
    return story


def test_every_line_has_a_new_name_and_tells_where_it_is_from() -> None:
    lines = stored(a_story())
    copy = copied(lines)
    assert len(copy) == len(lines)
    assert {line["sessionId"] for line in copy} == {COPY}
    assert not {line["uuid"] for line in copy} & {line["uuid"] for line in lines}
    names = {old["uuid"]: new["uuid"] for old, new in zip(lines, copy, strict=True)}
    for old, new in zip(lines, copy, strict=True):
        assert new.get("parentUuid") == names.get(str(old.get("parentUuid")))
        if old is not lines[0]:
            assert new["forkedFrom"] == {"sessionId": "old", "messageUuid": old["uuid"]}
    sources = [
        line["sourceToolAssistantUUID"] for line in copy if "sourceToolAssistantUUID" in line
    ]
    assert all(source in names.values() for source in sources)
    assert len(sources) == 2
    assert (copy[0]["forkedFrom"], copy[0]["origin"]) == ("old", "print")
    assert copied(lines, "sdk")[0]["origin"] == "sdk"
    [result] = [line["result"] for line in copy if line.get("subtype") == "result"]
    assert (result["session_id"], result["uuid"]) == (COPY, copy[-1]["uuid"])


def test_what_was_said_is_copied_byte_for_byte() -> None:
    story = Story(session_id="old")
    entry = story.prompt("look")
    story.answer("m1", call("a", uuid=entry.header.uuid, session="old"))
    [_, _, answer, _] = stored(story)
    [copy] = [line for line in copied(stored(story)) if line["type"] == "assistant"]
    assert json.dumps(copy["message"]) == json.dumps(answer["message"])


def test_a_compaction_still_names_its_own_lines() -> None:
    story = a_story()
    story.prompt("more")
    kept = story.conversation.lines[-1].uuid
    story.compacted(kept)
    before = story.conversation
    lines = stored(story)
    boundary = next(line for line in lines if line.get("subtype") == "compact_boundary")
    boundary["compactMetadata"]["preserved_segment"] = {"headUuid": kept, "note": "as it is"}
    copy = copied(lines)
    assert essence(folded(copy)) == essence(before)
    boundary = next(line for line in copy if line.get("subtype") == "compact_boundary")
    segment = boundary["compactMetadata"]["preserved_segment"]
    assert segment == {"headUuid": boundary["keptFrom"], "note": "as it is"}


def test_a_withdrawn_prompt_stays_withdrawn() -> None:
    story = Story()
    entry = story.prompt("forbidden")
    story.retracted(entry.header.uuid)
    assert not story.conversation.lines
    copy = copied(stored(story))
    assert not folded(copy).lines
    assert copy[-1]["messageId"] == copy[1]["uuid"]


def test_lines_of_others_are_kept_but_for_what_undoes() -> None:
    story = Story()
    story.add(UnknownEntry({"type": "file-history-snapshot", "messageId": "x"}))
    story.add(UnknownEntry({"type": "novel", "uuid": "n", "sessionId": "old", "data": [1]}))
    started, kept = copied(stored(story))
    assert (started["subtype"], started["forkedFrom"]) == ("session_started", "old")
    assert kept["data"] == [1]
    assert kept["sessionId"] == COPY
