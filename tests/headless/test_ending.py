from __future__ import annotations

import pytest

from agent_tui.headless.ending import Outcome, Work
from agent_tui.protocol.messages import (
    Message,
    QueueChanged,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    SystemMessage,
)

GOOD = ResultMessage("success", 1, 1, False, 1, "s")
BAD = ResultMessage("error_max_turns", 1, 1, True, 1, "s")


@pytest.mark.parametrize(
    ("outcome", "lost", "needed", "code"),
    [
        (Outcome(GOOD), False, True, 0),
        (Outcome(BAD), False, True, 1),
        (Outcome(), False, True, 1),
        (Outcome(), False, False, 0),
        (Outcome(GOOD), True, True, 1),
        (Outcome(GOOD, signal=15), False, True, 143),
        (Outcome(None, signal=2), True, False, 130),
    ],
)
def test_the_exit_code(outcome: Outcome, lost: bool, needed: bool, code: int) -> None:
    assert outcome.code(lost=lost, needed=needed) == code


def tasks(*kinds: str) -> Message:
    rows = [{"task_id": str(number), "task_type": kind} for number, kind in enumerate(kinds)]
    return SystemMessage("background_tasks_changed", {"tasks": rows})


def notified(status: str) -> Message:
    return SystemMessage("task_notification", {"task_id": "1", "status": status})


@pytest.mark.parametrize(
    ("messages", "busy", "quiet"),
    [
        ([], False, True),
        ([], True, False),
        ([QueueChanged((QueuedPrompt("u", "x"),))], False, False),
        ([QueueChanged((QueuedPrompt("u", "x"),)), QueueChanged()], False, True),
        ([tasks("local_agent")], False, False),
        ([tasks("local_bash")], False, True),
        ([tasks("local_agent"), tasks()], False, True),
        ([notified("completed")], False, False),
        ([notified("stopped")], False, True),
        ([notified("failed"), GOOD], False, True),
    ],
)
def test_when_nothing_goes_on(messages: list[Message], busy: bool, quiet: bool) -> None:
    work = Work(lambda: busy)
    for message in messages:
        work.see(message)
    assert work.quiet == quiet


def test_who_is_asked_is_known() -> None:
    work = Work(lambda: True)
    work.see(StatusChanged("s", "m", "default", phase="asking"))
    assert work.asking
    work.see(StatusChanged("s", "m", "default", phase="tools"))
    assert not work.asking
