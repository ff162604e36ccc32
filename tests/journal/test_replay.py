"""A journal as the messages that were said."""

from __future__ import annotations

from agent_tui.journal.codec import decode, encode
from agent_tui.journal.entries import (
    NOT_COMPLETED,
    SYNTHETIC_MODEL,
    CompactBoundaryEntry,
    DecisionEntry,
    NoticeEntry,
    UserEntry,
)
from agent_tui.journal.replay import MAX_SHOWN_CHARS, message_uuid, messages, page
from agent_tui.protocol.content import JsonObject, TextBlock, ToolResultBlock, ToolUseBlock
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import CommandDisplay, Display, TextDisplay
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    ResultMessage,
    SystemMessage,
    UserMessage,
)
from tests.journal.story import Story, call, text, thinking


def said(some: list[Message]) -> list[str]:
    """Each message in a word or two."""
    out: list[str] = []
    for message in some:
        match message:
            case UserMessage(content=str() as words):
                out.append(f"user {words}")
            case UserMessage(content=(ToolResultBlock(call_id, content), *_)):
                out.append(f"result {call_id} {content}")
            case UserMessage(content=(TextBlock(words), *_)):
                out.append(f"user {words}")
            case AssistantMessage(content=(ToolUseBlock(call_id), *_)):
                out.append(f"call {call_id}")
            case AssistantMessage(content=(TextBlock(words), *_)):
                out.append(f"text {words}")
            case SystemMessage(subtype):
                out.append(f"system {subtype}")
            case ResultMessage(subtype=subtype):
                out.append(f"end {subtype}")
            case _:
                out.append(type(message).__name__)
    return out


def test_a_session_is_said_again_as_it_was() -> None:
    story = Story()
    story.started()
    story.context()
    prompt = story.prompt("go")
    show = CommandDisplay("ls")
    [_, line] = story.answer("m1", text("I look"), call("a"), ends=False)
    shown = CommandDisplay("ls", exit_code=0)
    story.result("a", "files", source=line, display=shown, duration_ms=12, tool_use_result={"n": 1})
    story.add(NoticeEntry(story.header(), "careful", "warning", data={"tag": "x"}))
    end = story.finished()
    heard = messages(story.entries, tool_display=lambda name, given: show)
    assert said(heard) == [
        "user go",
        "text I look",
        "call a",
        "result a files",
        "system informational",
        "end success",
    ]
    first, answer, called, result, notice, last = heard
    assert isinstance(first, UserMessage)
    assert (first.uuid, first.timestamp) == (prompt.header.uuid, prompt.header.timestamp)
    assert isinstance(answer, AssistantMessage)
    assert (answer.message_id, answer.display) == ("m1", None)
    assert isinstance(called, AssistantMessage)
    assert called.display == show
    assert isinstance(result, UserMessage)
    assert (result.display, result.duration_ms, result.tool_use_result) == (shown, 12, {"n": 1})
    assert isinstance(notice, SystemMessage)
    assert notice.data["content"] == "careful"
    assert (notice.data["level"], notice.data["tag"]) == ("warning", "x")
    assert last == end


def test_a_replay_from_disk_is_the_same_as_from_memory() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", thinking("hm"), call("a"), call("b"))
    story.result("b", [text("x")])
    story.interrupted()
    story.finished()
    stored = [decode(encode(entry)) for entry in story.entries]
    assert messages([e for e in stored if e is not None]) == messages(story.entries)


def test_results_are_said_in_the_order_of_their_calls() -> None:
    story = Story()
    story.prompt("go")
    one, two = story.answer("m1", call("a"), call("b"))
    story.result("b", "second", source=two)
    story.result("a", "first", source=one)
    story.answer("m2", text("done"))
    assert said(messages(story.entries)) == [
        "user go",
        "call a",
        "call b",
        "result a first",
        "result b second",
        "text done",
    ]


def test_p2_calls_without_results_are_shown_as_not_completed() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"), call("b"), ends=False)
    heard = messages(story.entries)
    assert said(heard)[-2:] == [f"result a {NOT_COMPLETED}", f"result b {NOT_COMPLETED}"]
    assert said(messages(story.entries, running=True))[-1] == "call b"
    last = heard[-1]
    assert isinstance(last, UserMessage)
    assert isinstance(last.content[0], ToolResultBlock)
    assert last.content[0].is_error
    assert last.uuid == message_uuid(messages(story.entries)[-1]), (
        "known by the same uuid each time"
    )
    story.prompt("continue")
    assert said(messages(story.entries))[-2:] == [f"result b {NOT_COMPLETED}", "user continue"]


def test_a_call_that_was_put_off_is_shown_open_until_it_is_answered() -> None:
    story = Story()
    story.prompt("go")
    [line] = story.answer("m1", call("a"))
    story.finished(put_off={"id": "a", "name": "Read", "input": {}})
    assert said(messages(story.entries))[-2:] == ["call a", "end success"]
    story.prompt("go on")
    story.result("a", "files", source=line)
    story.finished()
    assert said(messages(story.entries))[-3:] == ["user go on", "result a files", "end success"]
    dropped = Story()
    dropped.prompt("go")
    dropped.answer("m1", call("a"))
    dropped.finished(put_off={"id": "a", "name": "Read", "input": {}})
    dropped.answer("m2", text("on"))
    assert said(messages(dropped.entries))[-2:] == [f"result a {NOT_COMPLETED}", "text on"]


def test_p9_results_of_calls_with_one_id_are_told_apart_by_their_line() -> None:
    story = Story()
    story.prompt("go")
    one, two = story.answer("m1", call("x"), call("x"))
    story.result("x", "of two", source=two)
    story.result("x", "of one", source=one)
    [three] = story.answer("m2", call("x"))
    story.result("x", "of three", source=three)
    assert [s for s in said(messages(story.entries)) if s.startswith("result")] == [
        "result x of one",
        "result x of two",
        "result x of three",
    ]


def test_what_was_taken_back_is_not_said() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", text("half"), call("a"), ends=False)
    story.add(NoticeEntry(story.header(), "broken"))
    story.retracted("m1")
    story.answer("m2", text("whole"))
    assert said(messages(story.entries)) == ["user go", "system informational", "text whole"]


def test_interrupts_errors_and_compactions_are_seen_again() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", text("par"), ends=False, aborted=True)
    story.interrupted()
    story.answer("e", text("no network"), model=SYNTHETIC_MODEL, ends=False, error="unknown")
    story.add(CompactBoundaryEntry(story.header(), {"trigger": "manual", "pre_tokens": 9}))
    story.add(
        UserEntry(story.header(), {"role": "user", "content": "all"}, is_compact_summary=True)
    )
    heard = messages(story.entries)
    assert said(heard) == [
        "user go",
        "text par",
        "user [Request interrupted by user]",
        "text no network",
        "system compact_boundary",
        "user all",
    ]
    assert isinstance(heard[1], AssistantMessage)
    assert heard[1].aborted
    assert isinstance(heard[2], UserMessage)
    assert heard[2].synthetic
    assert isinstance(heard[3], AssistantMessage)
    assert heard[3].error == "unknown"
    assert isinstance(heard[4], SystemMessage)
    assert heard[4].data["compact_metadata"]["pre_tokens"] == 9
    assert isinstance(heard[5], UserMessage)
    assert heard[5].synthetic


def test_h6_a_huge_result_is_shown_as_a_bounded_extract() -> None:
    story = Story()
    story.prompt("go")
    story.answer("m1", call("a"), call("b"))
    story.result("a", "x" * 12_000_000, tool_use_result={"stdout": "x" * 12_000_000})
    story.result("b", [text("y" * 100_000)])
    heard = messages(story.entries)
    first, second = heard[-2:]
    assert isinstance(first, UserMessage)
    assert isinstance(second, UserMessage)
    assert isinstance(first.content[0], ToolResultBlock)
    assert len(str(first.content)) < 2 * MAX_SHOWN_CHARS
    assert isinstance(first.tool_use_result, dict)
    assert len(first.tool_use_result["stdout"]) < 2 * MAX_SHOWN_CHARS
    assert len(str(second.content)) < 2 * MAX_SHOWN_CHARS
    assert "left out" in str(second.content)


def test_calls_get_a_display_where_the_line_has_none() -> None:
    def show(name: str, given: JsonObject) -> Display:
        return TextDisplay(f"{name} {given}")

    story = Story()
    story.prompt("go")
    story.answer("m1", call("a", "Read", path="/x"))
    heard = messages(story.entries, tool_display=show)
    assert isinstance(heard[1], AssistantMessage)
    assert heard[1].display == TextDisplay("Read {'path': '/x'}")


def test_pages_together_are_the_whole() -> None:
    story = Story()
    for number in range(300):
        story.prompt(f"p{number}")
        story.answer(f"m{number}", call(f"c{number}"))
        story.result(f"c{number}")
    whole = messages(story.entries)
    for count in (1, 7, 50, 2000):
        pages: list[Message] = []
        before: str | None = None
        for _ in range(2000):
            got = page(story.entries, before=before, count=count)
            pages[:0] = got.messages
            if not got.more or count < 50:
                break
            before = message_uuid(got.messages[0])
        expected = whole[-count:] if count < 50 else whole
        assert pages == expected
    before = message_uuid(whole[10])
    got = page(story.entries, before=before, count=5)
    assert list(got.messages) == whole[5:10]
    assert got.more
    got = page(story.entries, before=message_uuid(whole[3]), count=5)
    assert (list(got.messages), got.more) == (whole[:3], False)


def test_who_decided_is_told_with_the_result_as_it_was_live() -> None:
    story = Story()
    story.prompt("go")
    lines = story.answer("m1", call("a"), call("b"), call("c"), ends=False)
    ruled, plain = (
        DecisionNote("a", by="rule", rule="Bash(ls *)"),
        DecisionNote("b", by="read_only"),
    )
    asked = DecisionNote("c", by="person", asked_by="mode")
    story.add(DecisionEntry(story.header(), ruled))
    story.result("a", "files", source=lines[0])
    story.result("b", "text", source=lines[1], decision=plain)
    story.add(DecisionEntry(story.header(), asked))
    again = messages(decode(encode(entry)) or entry for entry in story.entries)
    notes = [message.decision for message in again if isinstance(message, UserMessage)]
    assert notes == [None, ruled, plain, asked]
