from __future__ import annotations

from dataclasses import replace
from functools import reduce

from agent_tui.protocol.display import AskedQuestion, QuestionDisplay, TextDisplay
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
from agent_tui.view.works import running


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


def test_work_in_the_background_is_kept_also_over_a_new_conversation() -> None:
    tasks = [{"task_id": "b1", "task_type": "local_bash", "description": "sleep"}]
    status = Status().apply(SystemMessage("background_tasks_changed", {"tasks": tasks}))
    assert running(status.works) == 1
    assert status.apply(SystemMessage("hook_started", {})) is status
    anew = status.apply(ConversationResetMessage("new", "u", "s"))
    assert anew.works == status.works


def test_a_status_already_in_the_words_is_not_said_again() -> None:
    data = {"error_status": 529, "reason": "Overloaded (HTTP 529)."}
    retry = Status().apply(SystemMessage("api_retry", data)).retry
    assert retry is not None and retry.why == "Overloaded (HTTP 529)."


def test_a_run_is_paused_while_the_budget_is_asked_about() -> None:
    asked = QuestionDisplay((AskedQuestion("Raise it?", "Budget"),))
    budget = PermissionRequest("r", "", "", {}, asked, "Raise it?", "")
    paused = Status().apply(budget)
    assert paused.paused
    assert not paused.apply(RequestClosed("r", "answered")).paused
    models = PermissionRequest("r", "AskUserQuestion", "t", {}, asked, "Raise it?", "")
    assert not Status().apply(models).paused
