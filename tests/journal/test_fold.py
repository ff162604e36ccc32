"""The fold of a journal."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from agent_tui.journal.codec import from_line
from agent_tui.journal.entries import (
    SYNTHETIC_MODEL,
    CompactBoundaryEntry,
    Entry,
    FileSeenEntry,
    GrantedEntry,
    ModeEntry,
    TitleEntry,
    UnknownEntry,
)
from agent_tui.journal.fold import PERSON_SAID, Conversation, fold
from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.protocol.usage import Usage
from tests.journal.story import MODEL, Story, call, text, thinking


def told(conversation: Conversation) -> list[tuple[str, list[str]]]:
    """Each line's role and the kinds of its blocks."""
    return [(line.role, [b["type"] for b in line.blocks]) for line in conversation.lines]


def test_an_empty_journal_is_an_empty_conversation() -> None:
    empty = fold([])
    assert (len(empty.lines), empty.head, empty.prompts, empty.total_cost_usd) == (0, None, 0, 0.0)


def test_a_session_is_told_by_its_lines() -> None:
    story = Story()
    story.started("print")
    story.model()
    story.context()
    story.prompt("hello")
    story.answer("m1", text("hi"), usage=Usage(10, 5, 100, 1000), cost=0.25)
    story.finished()
    story.prompt("and now?")
    now = story.conversation
    assert now.session_id == story.session_id
    assert (now.cwd, now.origin, now.model) == ("/work/app", "print", MODEL)
    assert (now.prompts, now.first_prompt, now.last_prompt) == (2, "hello", "and now?")
    assert now.has_context
    assert now.total_cost_usd == 0.25
    assert now.model_usage[MODEL].usage == Usage(10, 5, 100, 1000)
    assert now.model_usage[MODEL].context_window == 200_000
    assert now.head == story.uuid(-2), "a metadata line is no part of the chain"


def test_the_newest_words_of_the_person_are_at_hand_and_nobody_elses() -> None:
    story = Story()
    story.context()
    for number in range(PERSON_SAID + 1):
        story.prompt(f"prompt {number}")
        story.answer(f"m{number}", text("the model's words"))
    story.prompt("while it ran", steers=True)
    last = story.prompt("an end in the background")
    told = fold([*story.entries[:-2], replace(last, origin={"kind": "task-notification"})])
    assert told.last_prompt == "an end in the background"
    newest = [f"prompt {number}" for number in range(2, PERSON_SAID + 1)]
    assert told.person_said == (*newest, "while it ran")
    human = fold([replace(last, origin={"kind": "human"})])
    assert human.person_said == ("an end in the background",)


def test_older_conversations_stay_as_they_were() -> None:
    story = Story()
    story.prompt("a")
    story.answer("m1", call("x"))
    before = story.conversation
    seen = (list(before.lines), before.open_tool_uses, before.usage, list(before.call_ids))
    story.result("x")
    story.answer("m2", call("y"))
    assert (list(before.lines), before.open_tool_uses, before.usage, list(before.call_ids)) == seen
    other = before.apply(story.entries[0])
    assert [line.uuid for line in other.lines][-1] == story.uuid(0)
    assert story.conversation.lines[2].uuid != other.lines[2].uuid


def test_every_prefix_folds_as_if_it_had_been_written_line_by_line() -> None:
    story = Story()
    story.prompt("a")
    story.answer("m1", thinking("hm"), call("x"), call("x"))
    story.result("x")
    story.interrupted()
    story.prompt("b")
    now = Conversation()
    for count, entry in enumerate(story.entries, 1):
        now = now.apply(entry)
        assert now == fold(story.entries[:count])


def test_twenty_thousand_lines_fold_in_linear_time() -> None:
    def seconds(turns: int) -> float:
        story = Story()
        entries: list[Entry] = []
        for number in range(turns):
            story.entries.clear()
            story.prompt(f"p{number}")
            [line] = story.answer(f"m{number}", call(f"c{number}"))
            story.result(f"c{number}", source=line)
            story.add(FileSeenEntry(story.header(), f"/f{number}", "d"))
            entries.extend(story.entries)
        started = time.process_time()
        folded = fold(entries)
        assert len(folded.lines) == 3 * turns
        return time.process_time() - started

    small, large = seconds(500), seconds(3_500)
    assert large < 30 * max(small, 0.01), "seven times the lines, far from 49 times the time"
    assert large < 5


def test_open_calls_are_known_until_answered() -> None:
    story = Story()
    story.prompt("go")
    first, second = story.answer("m1", call("a", "Read", path="x"), call("b"))
    opened = story.conversation.open_tool_uses
    assert [(c.id, c.name, c.input) for c in opened] == [
        ("a", "Read", {"path": "x"}),
        ("b", "Bash", {}),
    ]
    story.result("b", source=second)
    assert [c.assistant_uuid for c in story.conversation.open_tool_uses] == [first.header.uuid]
    story.result("a")
    assert story.conversation.open_tool_uses == ()


def test_a_new_prompt_ends_what_was_open_but_a_steering_one_does_not() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"))
    story.prompt("by the way", steers=True)
    assert story.conversation.open_tool_uses
    assert story.conversation.turns == 1
    story.prompt("go on")
    assert not story.conversation.open_tool_uses
    assert story.conversation.turns == 0


def test_a_call_that_was_put_off_stays_open_until_it_is_answered_or_the_model_goes_on() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"))
    story.finished(put_off={"id": "a", "name": "Read", "input": {}})
    [waiting] = story.conversation.open_tool_uses
    story.prompt("go on")
    story.finished()
    assert story.conversation.put_off == waiting
    assert story.conversation.open_tool_uses == (waiting,)
    undecided = story.conversation
    story.result("a")
    assert (story.conversation.put_off, story.conversation.open_tool_uses) == (None, ())
    again = Story()
    again.prompt("go")
    [line] = again.answer("m1", call("a"))
    again.finished(put_off={"id": "a", "name": "Read", "input": {}})
    again.compacted(line.header.uuid)
    assert again.conversation.put_off is not None
    again.compacted(None)
    assert again.conversation.put_off is None
    other = Story()
    other.prompt("go")
    other.answer("m1", call("a"))
    other.finished(put_off={"id": "a", "name": "Read", "input": {}})
    other.answer("m2", text("on"))
    assert other.conversation.put_off is None
    assert undecided.put_off == waiting


def test_a_call_put_off_that_is_not_there_is_nothing() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", text("done"))
    story.finished(put_off={"id": "a", "name": "Read", "input": {}})
    assert story.conversation.put_off is None


def test_p9_ids_that_repeat_or_are_empty_are_made_unique_by_turn_and_place() -> None:
    story = Story()
    story.prompt("go")
    first, second = story.answer("m1", call("x"), call("x"))
    story.result("x", "two", source=second)
    story.result("x", "one", source=first)
    [third] = story.answer("m2", call("x"))
    story.result("x", "three", source=third)
    story.answer("m3", call(""), call("a b"))
    story.result("", "four")
    calls = [b for line in story.conversation.lines for b in line.blocks if b["type"] == "tool_use"]
    ids = [b["id"] for b in calls]
    assert ids == ["x", "x_1_2", "x_2_1", "call_3_1", "a_b_3_2"]
    answers = {
        b["tool_use_id"]: b["content"]
        for line in story.conversation.lines
        for b in line.blocks
        if b["type"] == "tool_result"
    }
    assert answers == {"x": "one", "x_1_2": "two", "x_2_1": "three", "call_3_1": "four"}
    assert story.conversation == story.refolded()


def test_p9_a_writer_can_ask_for_the_id_beforehand() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("x"), ends=False)
    known_as = story.conversation.next_call_id("x", "m1")
    story.answer("m1", call(known_as))
    assert known_as == "x_1_2"
    assert [c.id for c in story.conversation.open_tool_uses] == ["x", "x_1_2"]


def test_p9_a_server_that_gives_all_responses_one_id_is_understood() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m", call("a"))
    story.result("a")
    story.answer("m", call("b"))
    assert [c.id for c in story.conversation.open_tool_uses] == ["b"]
    assert [line.response for line in story.conversation.lines] == [0, 1, 0, 2]


def test_what_was_said_to_an_answer_ends_it_whatever_the_next_ones_id() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m", text("cut"), ends=False)
    story.prompt("go on", steers=True)
    story.answer("m", text("on"), ends=False)
    assert [line.response for line in story.conversation.lines] == [0, 1, 0, 2]


def test_a_result_that_comes_after_the_next_prompt_is_too_late() -> None:
    story = Story()
    story.prompt("go")
    [line] = story.answer("m1", call("a"))
    story.prompt("never mind")
    before = list(story.conversation.lines)
    story.result("a", source=line)
    assert list(story.conversation.lines) == before


def test_a_compaction_keeps_responses_whole() -> None:
    story = Story()
    story.prompt("go")
    lines = story.answer("m1", thinking("hm"), call("a"))
    story.result("a")
    story.compacted(lines[1].header.uuid)
    assert told(story.conversation) == [
        ("user", ["text"]),
        ("assistant", ["thinking"]),
        ("assistant", ["tool_use"]),
        ("user", ["tool_result"]),
    ]


def test_results_that_answer_nothing_are_left_out() -> None:
    story = Story()
    story.prompt("go")
    story.result("never-asked")
    story.answer("m1", call("a"))
    story.result("a")
    story.result("a", "again")
    assert told(story.conversation) == [
        ("user", ["text"]),
        ("assistant", ["tool_use"]),
        ("user", ["tool_result"]),
    ]


def test_a_retracted_response_leaves_the_window_but_not_the_bill() -> None:
    story = Story()
    story.prompt("go")
    prompt = story.uuid(0)
    story.answer("m1", text("half"), call("a"), usage=Usage(10, 1), cost=0.5)
    story.retracted("m1")
    now = story.conversation
    assert told(now) == [("user", ["text"])]
    assert (now.open_tool_uses, now.turns, now.total_cost_usd) == ((), 0, 0.5)
    assert story.header_of(-1).parent_uuid == prompt
    story.answer("m2", text("whole"))
    assert told(story.conversation) == [("user", ["text"]), ("assistant", ["text"])]


def test_errors_told_in_the_models_place_are_not_sent() -> None:
    story = Story()
    story.prompt("go")
    story.answer("e1", text("API error"), model=SYNTHETIC_MODEL, ends=False, error="server_error")
    assert told(story.conversation) == [("user", ["text"])]
    assert story.conversation.head == story.uuid()


def test_c3_the_meter_is_the_last_responses_size_not_a_sum() -> None:
    story = Story()
    story.prompt("go")
    each = Usage(
        input_tokens=2,
        output_tokens=50,
        cache_creation_input_tokens=100,
        cache_read_input_tokens=150_000,
    )
    for number in range(12):
        story.answer(f"m{number}", call(f"c{number}"), usage=each)
        if number < 11:
            story.result(f"c{number}")
    for number in range(3):
        story.ended(f"sub{number}", Usage(input_tokens=100_000), purpose="other")
    now = story.conversation
    assert now.context_tokens == 150_152
    assert now.context_tokens / now.context_window == 150_152 / 200_000
    assert now.usage == Usage(24, 600, 1_200, 1_800_000)
    assert now.turns == 12
    assert now.model_usage[MODEL].usage.input_tokens == 24 + 300_000


def test_an_unknown_price_makes_the_total_unknown() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", text("a"), usage=Usage(1, 1), cost=1.0)
    story.answer("m2", text("b"), usage=Usage(1, 1), cost=None, model="their-model")
    story.answer("m3", text("c"), usage=Usage(1, 1), cost=1.0)
    assert story.conversation.total_cost_usd is None
    assert story.conversation.model_usage[MODEL].cost_usd == 2.0


def test_what_came_since_the_last_response_is_counted_by_its_size() -> None:
    story = Story()
    story.prompt("12345678")
    assert story.conversation.pending_bytes == 8
    story.answer("m1", call("a"), usage=Usage(100, 10))
    assert story.conversation.pending_bytes == 0
    story.result("a", "é" * 10)
    assert story.conversation.pending_bytes == 20


def test_a_compaction_leaves_the_summary_and_what_is_kept() -> None:
    story = Story()
    story.context()
    story.prompt("long ago")
    story.answer("m1", call("a"))
    story.result("a")
    [kept] = story.answer("m2", call("b"), usage=Usage(5000, 10))
    story.result("b")
    before = story.conversation
    story.compacted(kept.header.uuid)
    now = story.conversation
    assert told(now) == [
        ("user", ["text"]),
        ("assistant", ["tool_use"]),
        ("user", ["tool_result"]),
    ]
    assert now.lines[0].blocks[0]["text"] == "all of it"
    assert (now.context_tokens, now.pending_bytes, now.compactions) == (77, 0, 1)
    assert not now.has_context, "the context is to be given anew"
    assert (now.prompts, now.first_prompt) == (1, "long ago")
    assert len(before.lines) == 6


def test_a_boundary_without_its_summary_changes_nothing() -> None:
    story = Story()
    story.prompt("long ago")
    story.answer("m1", text("yes"))
    before = story.conversation
    story.add(CompactBoundaryEntry(story.stamp.header(None), {"trigger": "auto"}))
    assert list(story.conversation.lines) == list(before.lines)


def test_c1_a_window_that_fills_at_once_is_noticed() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", text("a"))
    story.compacted(None)
    assert story.conversation.refills == 0
    story.answer("m2", text("b"))
    story.compacted(None)
    assert story.conversation.refills == 1
    for number in range(3, 8):
        story.answer(f"m{number}", text("c"))
    story.compacted(None)
    assert story.conversation.refills == 0
    story.answer("m9", text("b"))
    story.compacted(None)
    assert story.conversation.refills == 1
    story.prompt("the person acted")
    assert story.conversation.refills == 0


def test_state_is_the_last_told() -> None:
    story = Story()
    story.add(ModeEntry(story.header(), "plan"))
    story.add(ModeEntry(story.header(), "acceptEdits"))
    story.add(TitleEntry(story.header(), "made up", generated=True))
    assert story.conversation.title == "made up"
    story.add(TitleEntry(story.header(), "mine"))
    story.add(TitleEntry(story.header(), "made up later", generated=True))
    update = PermissionUpdate("addRules", (PermissionRuleValue("Bash", "ls:*"),))
    story.add(GrantedEntry(story.header(), (update,)))
    story.add(FileSeenEntry(story.header(), "/a", "old", 9, ((1, 9),)))
    story.add(FileSeenEntry(story.header(), "/a", "new", 8, ((1, 2),)))
    story.add(FileSeenEntry(story.header(), "/a", "new", 8, ((5, 6),)))
    now = story.conversation
    assert (now.mode, now.title, now.granted) == ("acceptEdits", "mine", (update,))
    assert now.files_seen["/a"].digest == "new"
    assert now.files_seen["/a"].ranges == ((1, 2), (5, 6))


def test_unknown_lines_carry_the_chain_on() -> None:
    known = fold([UnknownEntry({"type": "attachment", "uuid": "u9"})])
    assert known.head == "u9"
    assert fold([UnknownEntry({"type": "queue-operation", "uuid": "u9"})]).head is None
    assert fold([UnknownEntry({"type": "user", "uuid": "u9", "isSidechain": True})]).head is None


@pytest.mark.parametrize("kind", [{"a": 1}, ["user"], 5, None])
def test_lines_and_blocks_whose_kind_is_no_text_are_left_out(kind: Any) -> None:
    story = Story()
    story.prompt("hi")
    before = story.conversation
    block = {"type": kind, "text": "x"}
    after = before.apply(UnknownEntry({"type": kind, "uuid": "u"})).apply(
        from_line({"type": "assistant", "uuid": "v", "message": {"content": [block]}})
    )
    assert [line for line in after.lines if line.blocks] == list(before.lines)


def test_the_raw_input_of_a_call_that_is_no_json_goes_back_as_an_object() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"), unparsed='{"command": "ls')
    [line] = [line for line in story.conversation.lines if line.role == "assistant"]
    assert line.blocks[0]["input"] == {"unparsed_input": '{"command": "ls'}
    assert story.conversation.open_tool_uses[0].unparsed == '{"command": "ls'
