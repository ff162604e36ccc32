from __future__ import annotations

from dataclasses import replace
from functools import reduce

from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.messages import (
    ConversationResetMessage,
    Message,
    QueueChanged,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.requests import PermissionRequest, RequestClosed
from agent_tui.view.status import Retry, Status


def told(*messages: Message) -> Status:
    return reduce(Status.apply, messages, Status())


def request(name: str) -> PermissionRequest:
    return PermissionRequest(name, "Bash", "t", {}, TextDisplay(), "Run?", "because")


BUSY = StatusChanged("s", "sonnet", "default", busy=True, context_tokens=50, context_window=200)


def test_it_holds_the_newest_facts() -> None:
    status = told(BUSY, QueueChanged((QueuedPrompt("u", "next"),)))
    assert status.busy and status.context_share == 0.25
    assert status.queue == (QueuedPrompt("u", "next"),)
    assert not Status().busy and Status().context_share is None


def test_what_does_not_concern_it_changes_nothing() -> None:
    status = told(BUSY)
    assert status.apply(UserMessage("hello")) is status


def test_open_questions_queue_and_close() -> None:
    status = told(request("a"), request("b"), RequestClosed("a", "answered"))
    assert [r.id for r in status.requests] == ["b"]
    assert told(request("a"), ConversationResetMessage("n", "u", "s")).requests == ()


def test_a_retry_is_shown_until_the_answer_begins() -> None:
    said = SystemMessage(
        "api_retry",
        {
            "attempt": 2,
            "max_retries": 10,
            "retry_delay_ms": 1100,
            "error_status": 529,
            "error": "overloaded",
        },
    )
    status = told(said)
    assert status.retry == Retry(2, 10, 1100, "overloaded (529)")
    assert status.apply(StreamEvent("u", "s", {"type": "message_start"})).retry is None


def test_states_of_the_session() -> None:
    status = told(
        SystemMessage("init", {"tools": ["Bash", "Read"]}),
        SystemMessage("status", {"status": "compacting"}),
        SystemMessage("saving", {"state": "failed", "error": "disk full"}),
        SystemMessage("session_title", {"title": "Fix auth"}),
    )
    assert status == Status(
        compacting=True, unsaved="disk full", title="Fix auth", tools=("Bash", "Read")
    )
    assert not status.apply(SystemMessage("saving", {"state": "ok"})).unsaved
    done = ResultMessage("success", 1, 1, False, 1, "s")
    assert not status.apply(done).compacting


def test_a_question_of_a_sub_agent_in_the_background_outlives_the_runs_result() -> None:
    mine = PermissionRequest("r1", "Bash", "t1", {}, TextDisplay("x"), "Run?", "why")
    agents = replace(mine, id="r2", agent="Explore: look")
    status = told(mine, agents, ResultMessage("success", 1, 1, False, 1, "s"))
    assert [request.id for request in status.requests] == ["r2"]
