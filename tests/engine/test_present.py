from __future__ import annotations

from dataclasses import replace
from typing import Any

from agent_tui.engine.present import GATHER, Present
from agent_tui.protocol.content import TextBlock, ToolResultBlock
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    QueueChanged,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.requests import PermissionRequest, RequestClosed
from agent_tui.view.blocks import AnswerBlock
from agent_tui.view.transcript import Transcript

STATUS = StatusChanged("s1", "m", "default", busy=True, title="Tidy", cwd="/p")


def event(kind: str, **fields: Any) -> StreamEvent:
    return StreamEvent("u", "s1", {"type": kind, **fields})


def start(message_id: str = "m1") -> StreamEvent:
    return event("message_start", message={"id": message_id})


def begin(index: int = 0) -> StreamEvent:
    return event("content_block_start", index=index, content_block={"type": "text", "text": ""})


def delta(text: str, index: int = 0) -> StreamEvent:
    return event("content_block_delta", index=index, delta={"type": "text_delta", "text": text})


def request(ident: str, **changes: Any) -> PermissionRequest:
    asked = PermissionRequest(ident, "Bash", f"t{ident}", {}, TextDisplay("x"), "Run?", "why")
    return replace(asked, **changes)


def after(*messages: Message) -> tuple[Message, ...]:
    present = Present()
    for message in messages:
        present.note(message)
    return present.messages()


def test_status_queue_and_open_questions_are_kept_as_they_are_now() -> None:
    queue = QueueChanged((QueuedPrompt("q", "next"),))
    one, two = request("1"), request("2")
    said = after(
        replace(STATUS, busy=False), STATUS, queue, one, two, RequestClosed("1", "answered")
    )
    assert said == (STATUS, two, queue)
    present = Present()
    assert present.messages() == () and present.status is None
    present.note(STATUS)
    assert (present.status, present.title) == (STATUS, "Tidy")


def test_a_result_ends_what_belonged_to_its_run() -> None:
    result = ResultMessage("success", 1, 1, False, 1, "s1")
    agents = request("2", agent="Explore: look")
    said = after(STATUS, start(), begin(), delta("a"), ToolProgress("t1", "Bash", 5), request("1"), agents, result)  # fmt: skip
    assert said == (STATUS, agents)


def test_only_the_block_that_is_open_is_said_again_joined() -> None:
    pieces = [delta(f"{n} ") for n in range(3 * GATHER + 7)]
    said = after(
        STATUS, start(), begin(), delta("done"), event("content_block_stop", index=0), begin(1), *pieces
    )  # fmt: skip
    assert said[1:3] == (start(), begin(1))
    [joined] = said[3:]
    assert isinstance(joined, StreamEvent)
    assert joined.event["delta"]["text"] == "".join(f"{n} " for n in range(3 * GATHER + 7))
    assert after(start(), begin(), delta("x"), event("message_stop")) == ()
    assert after(start(), begin(), delta("x"), start("m2")) == (start("m2"),)


def test_a_late_transcript_becomes_the_same_as_one_from_the_beginning() -> None:
    first = (STATUS, start(), begin(), delta("so "), delta("far"))
    then = (delta(", so good"), AssistantMessage((TextBlock("so far, so good"),), "m", message_id="m1", uuid="a1"))  # fmt: skip
    early, late = Transcript(), Transcript()
    for message in (*first, *then):
        early.apply(message)
    for message in (*after(*first), *then):
        late.apply(message)
    texts = [block.text for block in late.blocks if isinstance(block, AnswerBlock)]
    assert texts == ["so far, so good"]
    assert late.blocks == early.blocks


def test_sub_agents_streams_are_not_the_sessions() -> None:
    assert after(start(), replace(start("sub"), parent_tool_use_id="t")) == (start(),)


def test_calls_that_run_are_said_until_their_result() -> None:
    one, two = ToolProgress("t1", "Bash", 5), ToolProgress("t2", "Bash", 5)
    done = UserMessage((ToolResultBlock("t1", "ok"),), uuid="r1")
    assert after(one, two, replace(two, elapsed_ms=9), done) == (replace(two, elapsed_ms=9),)


def test_tools_and_work_in_the_background() -> None:
    def system(subtype: str, **data: Any) -> SystemMessage:
        return SystemMessage(subtype, data)

    init = system("init", tools=["Bash"])
    listed = system("background_tasks_changed", tasks=[{"task_id": "b1"}, {"task_id": "b2"}])
    started = system("task_started", task_id="b1")
    progress = system("task_progress", task_id="b1", n=1)
    assert after(init, listed, started, progress) == (init, listed, started, progress)
    newer = system("background_tasks_changed", tasks=[{"task_id": "b2"}])
    assert after(init, listed, started, progress, newer) == (init, newer)
    over = system("task_notification", task_id="b1")
    assert after(listed, started, over) == (listed,)
    assert after(system("informational", content="x")) == ()
