"""Which lines count where a conversation went back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.journal.codec import encode, from_line, parse
from agent_tui.journal.entries import CompactBoundaryEntry, RewoundEntry, TitleEntry
from agent_tui.journal.file import Reading
from agent_tui.journal.fold import Conversation, fold
from agent_tui.journal.replay import messages
from agent_tui.journal.rewind import begins_at, counting, cut, left_behind
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.usage import Usage
from tests.context.journals import JOURNALS, Step, written
from tests.context.wire import complaints
from tests.journal.story import Story, text
from tests.journal.test_branch import request, stored


def folded(lines: list[JsonObject]) -> Conversation:
    return fold(map(from_line, lines))


def back(story: Story, to: str) -> None:
    """Go back to a line, as a session that is resumed there does."""
    story.add(RewoundEntry(story.stamp.header(to), to))


def two_turns() -> tuple[Story, str]:
    """A story of two turns, and the name of the first's last line."""
    story = Story()
    story.started()
    story.prompt("one")
    story.answer("m1", text("first"), usage=Usage(5, 5), cost=1.0)
    story.finished(cost=1.0)
    end = story.uuid()
    story.prompt("two")
    story.answer("m2", text("second"), usage=Usage(7, 7), cost=2.0)
    story.finished(cost=3.0)
    return story, end


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def test_what_is_left_behind_is_not_read_any_more(path: Path) -> None:
    story, end = two_turns()
    back(story, end)
    story.prompt("three")
    story.answer("m3", text("third"), cost=4.0)
    path.write_bytes(b"".join(map(encode, story.entries)))
    told = fold(Reading(path))
    assert [line.blocks[0]["text"] for line in told.lines] == ["one", "first", "three", "third"]
    assert told.total_cost_usd == 7.0
    assert told.usage == Usage()
    said = [str(message) for message in messages(Reading(path))]
    assert not any("second" in one or "'two'" in one for one in said)
    assert any("third" in one for one in said)


def test_the_parents_tell_the_same(path: Path) -> None:
    story, end = two_turns()
    back(story, end)
    assert story.header_of(-1).parent_uuid == end
    assert story.conversation.head == story.uuid()


def test_going_back_to_what_was_left_behind_brings_back_what_led_to_it() -> None:
    story, end = two_turns()
    left = story.uuid()
    back(story, end)
    story.prompt("three")
    story.answer("m3", text("third"))
    back(story, left)
    story.prompt("four")
    kept = folded(counting(stored(story)))
    said = [line.blocks[0]["text"] for line in kept.lines]
    assert said == ["one", "first", "two", "second", "four"]
    names = [line["uuid"] for line in stored(story)]
    gone = {names[place] for place in left_behind(stored(story))}
    assert story.header_of(-1).uuid not in gone


def test_titles_stay(path: Path) -> None:
    story, end = two_turns()
    story.add(TitleEntry(story.header(), "mine"))
    back(story, end)
    assert folded(counting(stored(story))).custom_title == "mine"


def test_one_can_go_back_again_and_before_a_compaction(path: Path) -> None:
    story, end = two_turns()
    story.compacted(None)
    assert isinstance(story.entries[-2], CompactBoundaryEntry)
    story.prompt("three")
    before_that = story.uuid(-2)
    back(story, before_that)
    story.prompt("four")
    back(story, end)
    path.write_bytes(b"".join(map(encode, story.entries)))
    reading = Reading(path)
    told = fold(reading)
    assert [line.blocks[0]["text"] for line in told.lines] == ["one", "first"]
    assert told.compactions == 0
    assert reading.damaged == 0


def test_a_line_that_is_not_there_is_no_place_to_go_back_to() -> None:
    story, _ = two_turns()
    back(story, "nowhere")
    assert counting(stored(story)) == stored(story)
    assert left_behind([None, *stored(story)]) == frozenset()


def test_damaged_lines_have_their_place(path: Path) -> None:
    story, end = two_turns()
    back(story, end)
    data = [encode(entry) for entry in story.entries]
    path.write_bytes(b"{half\n" + b"".join(data[:5]) + b"broken\n" + b"".join(data[5:]))
    reading = Reading(path)
    assert [line.blocks[0]["text"] for line in fold(reading).lines] == ["one", "first"]
    assert reading.damaged == 2


def test_the_mark_is_found_wherever_it_stands(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    story, end = two_turns()
    back(story, end)
    path.write_bytes(b"".join(map(encode, story.entries)))
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("agent_tui.journal.file.SCAN", size)
        assert fold(Reading(path)).prompts == 1


def test_a_cut_keeps_what_closes_the_turn() -> None:
    story, _ = two_turns()
    lines = stored(story)
    answer = next(line for line in lines if line["type"] == "assistant")
    parts = cut(lines, str(answer["uuid"]))
    assert parts is not None
    kept, dropped = parts
    assert [line.get("subtype") for line in kept[-2:]] == ["response", "result"]
    assert dropped[0]["message"]["content"] == "two"
    assert cut(lines, "nowhere") is None


def test_what_is_dropped_must_be_one_prompts_turn() -> None:
    story, end = two_turns()
    lines = stored(story)
    prompt = next(str(line["uuid"]) for line in lines if "two" in str(line))
    parts = cut(stored(story), end)
    assert parts is not None
    assert begins_at(parts[1], prompt)
    assert not begins_at(parts[1], end)
    assert not begins_at((), prompt)
    early = cut(stored(story), story.uuid(0))
    assert early is not None
    assert not begins_at(early[1], prompt), "the turn before is dropped too"
    story.prompt("and", steers=True)
    parts = cut(stored(story), end)
    assert parts is not None
    assert not begins_at(parts[1], prompt), "another prompt joined"


@settings(max_examples=60, deadline=None)
@given(JOURNALS, st.integers(0, 200))
def test_going_back_anywhere_makes_a_request_the_api_takes(steps: list[Step], at: int) -> None:
    story = written(steps)
    lines = stored(story)
    if not lines:
        return
    to = str(lines[at % len(lines)]["uuid"])
    before = folded(lines[: at % len(lines) + 1])
    after = Story()
    after.entries = list(story.entries)
    after.add(RewoundEntry(story.stamp.header(to), to))
    told = folded(counting(stored(after)))
    assert list(told.lines) == list(before.lines)
    assert told.total_cost_usd == folded(lines).total_cost_usd
    assert complaints(request(told)) == []
    assert all(parse(encode(entry)) for entry in after.entries)
