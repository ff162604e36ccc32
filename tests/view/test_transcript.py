"""Transcripts from scripted sessions. ``Scene`` writes what a session says, with and without its deltas."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.protocol.content import (
    ContentBlock,
    ImageBlock,
    RedactedThinkingBlock,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_tui.protocol.display import AgentDisplay, CommandDisplay, FileDisplay, TextDisplay
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import (
    AssistantMessage,
    ConversationResetMessage,
    Message,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.requests import PermissionRequest, RequestClosed
from agent_tui.view.blocks import (
    Added,
    AnswerBlock,
    Block,
    Change,
    Cleared,
    Closed,
    CompactBlock,
    ErrorBlock,
    Grew,
    NoticeBlock,
    Prepended,
    PromptBlock,
    Removed,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
    Updated,
)
from agent_tui.view.transcript import Transcript

DENIED_BY_PERSON = "The person declined this call, so it was not run."
STOPPED_BEFORE = "Not run: the person interrupted before this call was started."
STOPPED_DURING = "The person interrupted this call while it ran."


class Scene:
    """Writes the messages of a session; ``live`` ones are those a journal does not hold."""

    def __init__(self) -> None:
        self.messages: list[tuple[bool, Message]] = []
        self.count = 0

    def say(self, message: Message, *, live: bool = False) -> None:
        self.messages.append((live, message))

    def all(self) -> list[Message]:
        return [message for _, message in self.messages]

    def journaled(self) -> list[Message]:
        return [message for live, message in self.messages if not live]

    def uuid(self) -> str:
        self.count += 1
        return f"u{self.count}"

    def time(self) -> str:
        return f"2026-11-30T10:00:{self.count % 60:02}.000Z"

    def event(self, **event: Any) -> None:
        self.say(StreamEvent(self.uuid(), "s", event), live=True)

    def prompt(self, text: str) -> None:
        self.say(UserMessage(text, self.uuid(), timestamp=self.time()))

    def start(self) -> str:
        message_id = f"m{self.uuid()}"
        self.event(type="message_start", message={"id": message_id})
        return message_id

    def stream(self, block: ContentBlock, pieces: int = 3, *, share: float = 1.0) -> None:
        """Say the deltas of a block, or of the first ``share`` of it."""
        index = self.count
        raw: dict[str, Any]
        match block:
            case TextBlock(text):
                raw, key, name = {"type": "text", "text": ""}, "text", "text_delta"
            case ThinkingBlock(text, _):
                raw, key, name = {"type": "thinking", "thinking": ""}, "thinking", "thinking_delta"
            case ToolUseBlock(id=tool_id, name=tool):
                text, key, name = '{"a": 1}', "partial_json", "input_json_delta"
                raw = {"type": "tool_use", "id": tool_id, "name": tool, "input": {}}
            case _:
                text, key, name = "", "", ""
                raw = {"type": "redacted_thinking", "data": "x"}
        self.event(type="content_block_start", index=index, content_block=raw)
        text = text[: round(len(text) * share)]
        size = max(1, -(-len(text) // pieces))
        for at in range(0, len(text), size):
            delta = {"type": name, key: text[at : at + size]}
            self.event(type="content_block_delta", index=index, delta=delta)

    def finish(self, message_id: str, block: ContentBlock, **fields: Any) -> None:
        self.say(
            AssistantMessage(
                (block,),
                "model",
                message_id=message_id,
                uuid=self.uuid(),
                timestamp=self.time(),
                **fields,
            )
        )
        self.event(type="content_block_stop", index=0)

    def respond(self, *blocks: ContentBlock, **fields: Any) -> str:
        message_id = self.start()
        for block in blocks:
            self.stream(block)
            self.finish(message_id, block, **fields)
        self.event(type="message_stop")
        return message_id

    def tool_result(self, tool_id: str, text: str = "fine", **fields: Any) -> None:
        is_error = fields.pop("is_error", None)
        block = ToolResultBlock(tool_id, text, is_error)
        self.say(UserMessage((block,), self.uuid(), timestamp=self.time(), **fields))

    def result(self, **fields: Any) -> None:
        values: dict[str, Any] = {
            "subtype": "success",
            "duration_ms": 1,
            "duration_api_ms": 1,
            "is_error": False,
            "num_turns": 1,
            "session_id": "s",
            "uuid": self.uuid(),
        }
        self.say(ResultMessage(**(values | fields)))


def request(request_id: str, call_id: str, **fields: Any) -> PermissionRequest:
    display = TextDisplay("x")
    return PermissionRequest(request_id, "Bash", call_id, {}, display, "Run?", "so", **fields)


def told(messages: Iterable[Message]) -> Transcript:
    transcript = Transcript()
    for message in messages:
        transcript.apply(message)
    return transcript


def only(transcript: Transcript, kind: type[Block]) -> Any:
    (found,) = [block for block in transcript.blocks if isinstance(block, kind)]
    return found


def replay(shown: list[Block], changes: Iterable[Change]) -> list[Block]:
    """Make the changes a front end would make."""
    for change in changes:
        match change:
            case Added(block):
                shown.append(block)
            case Prepended(blocks):
                shown[:0] = blocks
            case Updated(block) | Closed(block):
                at = [b.id for b in shown].index(block.id)
                shown[at] = block
            case Grew(block_id, text):
                at = [b.id for b in shown].index(block_id)
                old = shown[at]
                assert isinstance(old, AnswerBlock | ThoughtBlock)
                shown[at] = replace(old, text=old.text + text)
            case Removed(block_id):
                shown = [b for b in shown if b.id != block_id]
            case Cleared():
                shown = []
    return shown


# A whole session ----------------------------------------------------------------------------------------------------


def test_a_session_is_told_block_by_block() -> None:
    scene = Scene()
    scene.prompt("fix it")
    scene.respond(
        ThinkingBlock("hm", "sig"), TextBlock("I look."), ToolUseBlock("t1", "Read", {"x": 1})
    )
    scene.say(ToolProgress("t1", "Read", 0), live=True)
    scene.tool_result("t1", display=FileDisplay("/a.py", 1, 20), duration_ms=7)
    scene.respond(TextBlock("Done."))
    scene.result(num_turns=2, usage={"input_tokens": 5, "output_tokens": 7}, cost_usd=0.1)
    blocks = told(scene.all()).blocks
    assert [block.kind for block in blocks] == [
        "prompt",
        "thought",
        "answer",
        "tool",
        "answer",
        "result",
    ]
    assert blocks[1] == ThoughtBlock(blocks[1].id, "hm", seconds=blocks[1].seconds)  # type: ignore[union-attr]
    assert blocks[3] == ToolBlock(
        "t1",
        "Read",
        {"x": 1},
        "done",
        FileDisplay("/a.py", 1, 20),
        "fine",
        looked=True,
        elapsed_ms=7,
    )
    assert blocks[5] == ResultBlock(blocks[5].id, 2, 12, 0.1, 1)


def test_an_open_answer_grows_and_closes() -> None:
    scene = Scene()
    message_id = scene.start()
    scene.stream(TextBlock("\n abc def"), 4)
    transcript = Transcript()
    changes = [change for message in scene.all() for change in transcript.apply(message)]
    assert changes[0] == Added(AnswerBlock(f"{message_id}/0", "\n a", open=True))
    assert all(isinstance(change, Grew) for change in changes[1:]) and len(changes) == 3
    assert transcript.block(f"{message_id}/0") == AnswerBlock(
        f"{message_id}/0", "\n abc def", open=True
    )
    scene.finish(message_id, TextBlock("\n abc def"))
    final = AnswerBlock(f"{message_id}/0", "\n abc def")
    assert transcript.apply(scene.journaled()[-1]) == (Closed(final),)
    assert transcript.blocks == (final,)


def test_partial_text_of_a_failed_try_is_taken_back() -> None:
    scene = Scene()
    scene.start()
    scene.stream(TextBlock("this will"), share=0.5)
    scene.say(SystemMessage("api_retry", {"attempt": 1, "uuid": "r"}), live=True)
    scene.respond(TextBlock("this is it"))
    transcript = Transcript()
    shown: list[Block] = []
    for message in scene.all():
        shown = replay(shown, transcript.apply(message))
    assert [getattr(block, "text", "") for block in shown] == ["this is it"]
    assert tuple(shown) == transcript.blocks == told(scene.journaled()).blocks


def test_partial_text_of_an_interrupt_is_kept_and_marked() -> None:
    scene = Scene()
    message_id = scene.start()
    scene.stream(TextBlock("half of what"), share=0.5)
    scene.finish(message_id, TextBlock("half o"), aborted=True)
    scene.say(UserMessage((TextBlock("[Request interrupted by user]"),), "i", synthetic=True))
    scene.result(
        subtype="error_during_execution", is_error=True, terminal_reason="aborted_streaming"
    )
    blocks = told(scene.all()).blocks
    assert blocks[0] == AnswerBlock(f"{message_id}/0", "half o", aborted=True)
    assert blocks[1] == NoticeBlock("i", "stopped", "Stopped by you")
    assert isinstance(blocks[2], ResultBlock) and blocks[2].why == ""


def test_a_retracted_response_leaves() -> None:
    scene = Scene()
    message_id = scene.respond(TextBlock("no"), ToolUseBlock("t1", "Bash", {}))
    scene.say(SystemMessage("retracted", {"message_id": message_id, "uuid": "x"}), live=True)
    assert told(scene.all()).blocks == ()


def test_asking_and_back() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Edit", {}))
    request = PermissionRequest("p1", "Edit", "t1", {}, TextDisplay(), "Edit?", "because")
    states: list[str] = []
    transcript = told(scene.all())
    for message in (
        request,
        RequestClosed("p1", "answered"),
        ToolProgress("t1", "Edit", 0),
        ToolProgress("t1", "Edit", 1500, TextDisplay("now")),
    ):
        transcript.apply(message)
        states.append(only(transcript, ToolBlock).state)
    assert states == ["asking", "queued", "running", "running"]
    assert only(transcript, ToolBlock).elapsed_ms == 1500
    assert only(transcript, ToolBlock).display == TextDisplay("now")


@pytest.mark.parametrize(
    ("text", "fields", "state"),
    [
        ("ok", {}, "done"),
        ("no such file", {"is_error": True}, "failed"),
        (DENIED_BY_PERSON, {"is_error": True}, "stopped"),
        (STOPPED_BEFORE, {"is_error": True}, "stopped"),
        (STOPPED_DURING + "\nOutput", {"is_error": True}, "stopped"),
        ("out", {"display": CommandDisplay("ls", exit_code=2)}, "failed"),
        ("out", {"display": CommandDisplay("ls", exit_code=0)}, "done"),
        ("out", {"display": CommandDisplay("ls", timed_out=True)}, "failed"),
        ("out", {"is_error": True, "display": CommandDisplay("ls", interrupted=True)}, "stopped"),
    ],
)
def test_how_a_call_ended(text: str, fields: dict[str, Any], state: str) -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Bash", {}))
    scene.tool_result("t1", text, **fields)
    assert only(told(scene.all()), ToolBlock).state == state


def test_a_call_denied_by_a_rule_or_a_person_is_refused_not_failed() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Bash", {}), ToolUseBlock("t2", "Bash", {}))
    scene.say(
        SystemMessage("permission_denied", {"tool_use_id": "t1", "decision_reason": "Bash(rm:*)"}),
        live=True,
    )
    scene.tool_result("t1", "denied", is_error=True)
    scene.tool_result("t2", "I'd rather not", is_error=True)
    scene.result(permission_denials=({"tool_use_id": "t1"}, {"tool_use_id": "t2"}))
    first, second = (b for b in told(scene.all()).blocks if isinstance(b, ToolBlock))
    assert (first.state, first.why) == ("stopped", "Bash(rm:*)")
    assert (second.state, second.why) == ("stopped", "refused")


def test_calls_that_never_got_a_result_are_stopped_by_the_next_prompt_or_by_idleness() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Bash", {}))
    transcript = told(scene.all())
    assert only(transcript, ToolBlock).state == "queued"
    transcript.apply(StatusChanged("s", "m", "default", busy=True))
    assert only(transcript, ToolBlock).state == "queued"
    transcript.apply(StatusChanged("s", "m", "default", busy=False))
    assert only(transcript, ToolBlock).state == "stopped"


def test_what_a_sub_agent_says_is_told_by_its_card_alone() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("a1", "Agent", {}))
    for name in ("Read", "Grep"):
        call = (ToolUseBlock(f"x{name}", name, {}),)
        scene.say(AssistantMessage(call, "m", parent_tool_use_id="a1", uuid=name))
        scene.say(UserMessage((ToolResultBlock(f"x{name}", "r"),), f"r{name}", "a1"))
    now = AgentDisplay("find", last="Grep x", tool_uses=2, task_id="aa")
    transcript = told([*scene.all(), ToolProgress("a1", "Agent", 900, now)])
    block = only(transcript, ToolBlock)
    assert (block.state, block.display, block.elapsed_ms) == ("running", now, 900)


def inner_calls(parent: str, *names: str) -> list[Message]:
    """A sub-agent's calls with their results."""
    said: list[Message] = []
    for name in names:
        call = (ToolUseBlock(f"x{name}", name, {}),)
        said.append(AssistantMessage(call, "m", parent_tool_use_id=parent, uuid=name))
        said.append(UserMessage((ToolResultBlock(f"x{name}", "r"),), f"r{name}", parent))
    return said


def test_the_card_of_a_sub_agent_holds_what_it_did_also_what_its_own_sub_agents_did() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("a1", "Agent", {}), ToolUseBlock("a2", "Agent", {}))
    transcript = told(scene.all())
    for message in inner_calls("a2", "Read", "Agent"):
        (change,) = transcript.apply(message)
        assert isinstance(change, Updated) and change.block.id == "a2"
    (change,) = transcript.apply(inner_calls("xAgent", "Grep")[0])
    assert isinstance(change, Updated) and change.block.id == "a2"
    first, second = (b for b in transcript.blocks if isinstance(b, ToolBlock))
    assert first.inside == ()
    read, agent = (b for b in second.inside if isinstance(b, ToolBlock))
    assert (read.name, read.state, read.result) == ("Read", "done", "r")
    assert [b.name for b in agent.inside if isinstance(b, ToolBlock)] == ["Grep"]


def test_a_sub_agents_own_journal_takes_the_place_of_what_was_heard_of_it() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("a1", "Agent", {}))
    transcript = told(scene.all())
    for message in inner_calls("a1", "Read"):
        transcript.apply(message)
    own = [
        UserMessage("SUBPROMPT", "p"),
        *(replace(m, parent_tool_use_id=None) for m in inner_calls("a1", "Read", "Grep")),  # pyright: ignore[reportArgumentType]
        AssistantMessage((TextBlock("found"),), "m", uuid="end", message_id="e"),
    ]
    (change,) = transcript.put_inside("a1", own)
    assert isinstance(change, Updated)
    kinds = [block.kind for block in only(transcript, ToolBlock).inside]
    assert kinds == ["tool", "tool", "answer"]
    (change,) = transcript.apply(inner_calls("a1", "Bash")[0])
    assert len(only(transcript, ToolBlock).inside) == 4
    assert transcript.put_inside("nobody", own) == ()


def test_a_message_of_an_unknown_sub_agent_changes_nothing() -> None:
    transcript = told(Scene().all())
    assert all(transcript.apply(message) == () for message in inner_calls("gone", "Read"))


def test_the_question_of_a_sub_agent_is_shown_at_the_call_it_works_for() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("a1", "Agent", {}), ToolUseBlock("a2", "Agent", {}))
    transcript = told(scene.all())
    for call, agent in (("a1", "aa"), ("a2", "bb")):
        transcript.apply(ToolProgress(call, "Agent", 0, AgentDisplay("x", task_id=agent)))
    transcript.apply(request("r1", "inner", agent="x", agent_id="bb"))
    transcript.apply(request("r2", "inner2", agent="x", agent_id="bb"))
    transcript.apply(ToolProgress("a2", "Agent", 900, AgentDisplay("x", task_id="bb")))
    assert [b.state for b in transcript.blocks if isinstance(b, ToolBlock)] == ["running", "asking"]
    transcript.apply(RequestClosed("r1", "answered"))
    assert [b.state for b in transcript.blocks if isinstance(b, ToolBlock)] == ["running", "asking"]
    transcript.apply(RequestClosed("r2", "answered"))
    assert [b.state for b in transcript.blocks if isinstance(b, ToolBlock)] == ["running"] * 2


def test_a_call_the_person_said_no_to_never_looks_failed() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Write", {}), ToolUseBlock("t2", "Write", {}))
    transcript = told(scene.all())
    for call in ("t1", "t2"):
        transcript.apply(request(f"r{call}", call))
        transcript.apply(RequestClosed(f"r{call}", "answered"))
    transcript.apply(UserMessage((ToolResultBlock("t1", "in src, please", True),), "x1"))
    ran = (ToolResultBlock("t2", "disk full", True),)
    transcript.apply(UserMessage(ran, "x2", duration_ms=3))
    first, second = (b for b in transcript.blocks if isinstance(b, ToolBlock))
    assert (first.state, first.why, first.result) == ("stopped", "refused", "in src, please")
    assert (second.state, second.why) == ("failed", "")


def test_a_call_that_a_hook_denied_is_refused() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Grep", {}))
    scene.tool_result("t1", "A hook denied this call: no", is_error=True)
    block = only(told(scene.all()), ToolBlock)
    assert (block.state, block.why) == ("stopped", "refused")


TOLD = (
    "A task in the background has ended.\n<task-notification>\n<task-id>b1</task-id>\n"
    "<tool-use-id>t1</tool-use-id>\n<status>failed</status>\n<summary>Suite failed</summary>\n"
    "</task-notification>"
)


@pytest.mark.parametrize("watched", [True, False])
def test_what_became_of_work_in_the_background_is_the_same_live_and_resumed(watched: bool) -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Bash", {}))
    data = {"backgroundTaskId": "b1"}
    scene.say(UserMessage((ToolResultBlock("t1", "begun"),), "x", tool_use_result=data))
    assert only(told(scene.all()), ToolBlock).behind == "running"
    notice = {"task_id": "b1", "tool_use_id": "t1", "status": "failed", "summary": "Suite failed"}
    scene.say(SystemMessage("task_notification", {"uuid": "n", **notice}), live=True)
    scene.say(UserMessage(TOLD, "u", origin={"kind": "task-notification", "runId": "b1"}))
    call, line = told(scene.all() if watched else scene.journaled()).blocks
    assert isinstance(call, ToolBlock) and isinstance(line, NoticeBlock)
    assert call.behind == "failed"
    assert (line.level, line.text) == ("warning", "Suite failed")


def test_what_an_engine_that_is_gone_had_in_the_background_does_not_run() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Bash", {}))
    data = {"backgroundTaskId": "b1"}
    scene.say(UserMessage((ToolResultBlock("t1", "begun"),), "x", tool_use_result=data))
    transcript = told(scene.all())
    (changed,) = transcript.left_alone()
    assert isinstance(changed, Updated) and isinstance(changed.block, ToolBlock)
    assert changed.block.behind == "unknown"
    assert transcript.left_alone() == ()
    older = Transcript()
    (before,) = older.prepend(scene.all())
    assert isinstance(before, Prepended) and before.blocks[0] == changed.block


def test_a_command_that_is_none_is_told_once() -> None:
    said = "There is no command /nope."
    scene = Scene()
    scene.say(SystemMessage("local_command_output", {"uuid": "c", "content": said}))
    scene.result(num_turns=0, is_error=True, result=said)
    assert [block.kind for block in told(scene.all()).blocks] == ["notice"]


def test_background_work_that_ended_is_told_once_and_its_notice_to_the_model_is_no_prompt() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("a1", "Agent", {}), ToolUseBlock("a2", "Agent", {}))
    over = {"status": "failed", "summary": "find callers: no answer"}
    for call in ("a1", "a2"):
        scene.say(
            SystemMessage("task_notification", {"uuid": f"n{call}", "tool_use_id": call, **over})
        )
        scene.say(UserMessage((ToolResultBlock(call, "r"),), f"r{call}"))
    scene.say(SystemMessage("task_notification", {"uuid": "later", "tool_use_id": "a1", **over}))
    origin = {"kind": "task-notification"}
    scene.say(UserMessage("<task-notification>...", "u", origin=origin))
    blocks = told(scene.all()).blocks
    assert [block.kind for block in blocks] == ["tool", "tool", "notice"]
    assert blocks[-1] == NoticeBlock("later", "warning", "find callers: no answer")


def test_another_model_and_a_lost_mirror_are_worth_a_line() -> None:
    transcript = told(
        [
            SystemMessage("model_fallback", {"uuid": "f", "content": "Going on with haiku."}),
            SystemMessage("mirror_error", {"uuid": "m", "error": "no route"}),
            SystemMessage("notification", {"uuid": "s", "text": "Keeps going."}),
        ]
    )
    assert transcript.blocks == (
        NoticeBlock("f", "warning", "Going on with haiku."),
        NoticeBlock("m", "warning", "no route"),
        NoticeBlock("s", "info", "Keeps going."),
    )


def test_what_the_system_says() -> None:
    scene = Scene()
    scene.prompt("/compact")
    meta = {"trigger": "manual", "pre_tokens": 900, "post_tokens": 90}
    scene.say(SystemMessage("compact_boundary", {"uuid": "c", "compact_metadata": meta}))
    scene.say(UserMessage("the summary", "su", synthetic=True))
    scene.say(SystemMessage("informational", {"uuid": "n", "content": "hello", "level": "warning"}))
    scene.say(SystemMessage("local_command_output", {"uuid": "o", "content": "out"}))
    scene.say(AssistantMessage((TextBlock("down"),), "<synthetic>", error="overloaded", uuid="e"))
    scene.result(num_turns=0)
    blocks = told(scene.all()).blocks
    assert blocks[1:] == (
        CompactBlock("c", "manual", 900, 90, "the summary"),
        NoticeBlock("n", "warning", "hello"),
        NoticeBlock("o", "output", "out"),
        ErrorBlock("e/0", "down", "overloaded"),
    )


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"subtype": "error_max_turns", "num_turns": 3}, "Ended at the limit of 3 turns."),
        ({"subtype": "error_max_budget_usd"}, "Ended at the limit of the budget."),
        (
            {"subtype": "error_during_execution", "errors": ("The disk is full.",)},
            "The disk is full.",
        ),
        ({"subtype": "error_during_execution"}, "The run failed."),
    ],
)
def test_why_a_run_ended(fields: dict[str, Any], why: str) -> None:
    scene = Scene()
    scene.result(is_error=True, **fields)
    assert only(told(scene.all()), ResultBlock).why == why


def test_a_prompt_with_pictures_and_a_new_conversation() -> None:
    scene = Scene()
    content = (TextBlock("look"), ImageBlock("image/png", "aa"), ImageBlock("image/png", "bb"))
    scene.say(UserMessage(content, "u", timestamp="2026-11-30T10:00:00Z"))
    transcript = told(scene.all())
    assert transcript.blocks == (PromptBlock("u", "look", "2026-11-30T10:00:00Z", 2),)
    assert transcript.apply(ConversationResetMessage("n", "x", "s")) == (Cleared(),)
    assert transcript.blocks == ()


def test_what_is_said_twice_is_shown_once() -> None:
    scene = Scene()
    scene.prompt("a")
    scene.respond(TextBlock("b"), ToolUseBlock("t", "Bash", {}))
    scene.tool_result("t")
    scene.result()
    once = told(scene.journaled()).blocks
    assert told([*scene.journaled(), *scene.journaled()]).blocks == once


def test_a_result_on_a_later_page_finds_its_call_on_the_earlier_one() -> None:
    scene = Scene()
    scene.respond(ToolUseBlock("t1", "Bash", {}), ToolUseBlock("t2", "Bash", {}))
    scene.tool_result("t1", "out")
    *older, newest = scene.journaled()
    transcript = told([newest])
    assert transcript.blocks == ()
    (change,) = transcript.prepend(older)
    assert isinstance(change, Prepended)
    assert [b.state for b in change.blocks if isinstance(b, ToolBlock)] == ["done", "stopped"]


# Properties ---------------------------------------------------------------------------------------------------------

BLOCKS = st.one_of(
    st.builds(TextBlock, st.text("ab \n#`", max_size=12)),
    st.builds(ThinkingBlock, st.text("cd ", max_size=8), st.just("sig")),
    st.builds(RedactedThinkingBlock, st.just("x")),
    st.just(ToolUseBlock("", "Bash", {"command": "ls"})),
)
STEPS = st.lists(
    st.tuples(
        st.lists(BLOCKS, min_size=1, max_size=3),
        st.sampled_from(["plain", "retry", "abort", "silent retry", "retract", "deny", "prompt"]),
        st.integers(1, 5),
    ),
    max_size=5,
)


def session(steps: list[tuple[list[ContentBlock], str, int]]) -> Scene:
    scene = Scene()
    scene.prompt("go")
    for blocks, way, pieces in steps:
        named = [
            replace(block, id=f"t{scene.uuid()}") if isinstance(block, ToolUseBlock) else block
            for block in blocks
        ]
        if way in ("retry", "silent retry"):
            scene.start()
            scene.stream(named[0], pieces, share=0.7)
            if way == "retry":
                scene.say(SystemMessage("api_retry", {"uuid": scene.uuid()}), live=True)
        message_id = scene.start()
        aborted = way == "abort" and isinstance(named[-1], TextBlock)
        for block in named:
            scene.stream(block, pieces)
            scene.finish(message_id, block, aborted=aborted and block is named[-1])
        if way == "retract":
            scene.say(SystemMessage("retracted", {"message_id": message_id, "uuid": scene.uuid()}))
            continue
        for block in named:
            if isinstance(block, ToolUseBlock):
                request = PermissionRequest(
                    f"p{block.id}", "Bash", block.id, {}, TextDisplay(), "", ""
                )
                scene.say(request, live=True)
                scene.say(RequestClosed(request.id, "answered"), live=True)
                scene.say(ToolProgress(block.id, "Bash", 5, TextDisplay("x")), live=True)
                denied = way == "deny"
                text = DENIED_BY_PERSON if denied else "ok"
                scene.tool_result(
                    block.id, text, is_error=denied or None, duration_ms=9, display=TextDisplay("y")
                )
        if way == "abort":
            scene.say(UserMessage("[Request interrupted by user]", scene.uuid(), synthetic=True))
        if way == "prompt":
            scene.prompt("more")
    scene.result()
    return scene


@given(STEPS)
@settings(max_examples=150, deadline=None)
def test_with_or_without_deltas_the_same_transcript_remains(
    steps: list[tuple[list[ContentBlock], str, int]],
) -> None:
    scene = session(steps)
    assert told(scene.all()).blocks == told(scene.journaled()).blocks


@given(STEPS)
@settings(max_examples=100, deadline=None)
def test_who_makes_the_changes_sees_the_transcript_at_every_moment(
    steps: list[tuple[list[ContentBlock], str, int]],
) -> None:
    transcript = Transcript()
    shown: list[Block] = []
    for message in session(steps).all():
        shown = replay(shown, transcript.apply(message))
        assert tuple(shown) == transcript.blocks


def anonymous(blocks: Iterable[Block]) -> list[Block]:
    plain = [replace(block, id="") for block in blocks]
    return [replace(b, seconds=None) if isinstance(b, ThoughtBlock) else b for b in plain]


@given(STEPS.filter(lambda steps: all(step[1] != "retract" for step in steps)), st.integers(0, 40))
@settings(max_examples=100, deadline=None)
def test_read_page_by_page_backwards_it_is_the_same(
    steps: list[tuple[list[ContentBlock], str, int]], cut: int
) -> None:
    messages = session(steps).journaled()
    transcript = told(messages[cut:])
    shown = replay(list(transcript.blocks), transcript.prepend(messages[:cut]))
    assert anonymous(shown) == anonymous(told(messages).blocks)
    assert tuple(shown) == transcript.blocks


SECRET = "sk-ant-REDACTED"


@pytest.mark.parametrize("pieces", [1, 3, 9, 40])
def test_no_secret_is_in_any_block_or_change_while_it_streams_or_after(pieces: int) -> None:
    scene = Scene()
    scene.prompt(f"my key is {SECRET}")
    thinking = ThinkingBlock(f"The key {SECRET} is given.", "sig")
    said = TextBlock(f"Your key is `{SECRET}`, keep it safe.\nPASSWORD=hunter2Horse")
    message_id = scene.start()
    scene.stream(thinking, pieces)
    scene.finish(message_id, thinking)
    scene.stream(said, pieces)
    scene.finish(message_id, said)
    transcript = Transcript()
    for message in scene.all():
        changes = transcript.apply(message)
        assert "api03" not in str(changes)
        assert "hunter2" not in str(changes)
        assert "api03" not in str(transcript.blocks)
    prompt, _, answer = transcript.blocks
    assert isinstance(prompt, PromptBlock) and prompt.text == "my key is sk-ant…[masked]"
    assert isinstance(answer, AnswerBlock)
    assert answer.text == "Your key is `sk-ant…[masked]`, keep it safe.\nPASSWORD=[masked]"


def test_what_grows_adds_up_to_what_stays() -> None:
    """What is held back because it could become a secret is told before the block is finished."""
    scene = Scene()
    said = TextBlock("the last word may be a token = tok")
    message_id = scene.start()
    scene.stream(said, 20)
    scene.finish(message_id, said)
    grown = ""
    transcript = Transcript()
    for message in scene.all():
        for change in transcript.apply(message):
            match change:
                case Added(AnswerBlock(text=text)) | Grew(_, text):
                    grown += text
                case _:
                    pass
    assert grown == said.text


def test_values_that_are_known_are_hidden_whatever_they_look_like() -> None:
    transcript = Transcript(Masker.knowing(["plain-gateway-word"]))
    scene = Scene()
    scene.prompt("it is plain-gateway-word")
    for message in scene.all():
        transcript.apply(message)
    block = transcript.blocks[0]
    assert isinstance(block, PromptBlock) and block.text == "it is [masked]"
    older = Scene()
    older.count = 50
    older.prompt("plain-gateway-word again")
    transcript.prepend(older.all())
    assert "gateway" not in str(transcript.blocks)
