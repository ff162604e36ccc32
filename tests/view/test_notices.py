from __future__ import annotations

import pytest

from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.messages import SystemMessage, UserMessage
from agent_tui.view.blocks import NoticeBlock
from agent_tui.view.notices import WorkEnded, kept_back, notice_of

TOLD = (
    "A task has ended.\n<task-notification>\n<task-id>b1</task-id>\n<tool-use-id>t1</tool-use-id>\n"
    "<status>stopped</status>\n<summary>suite: stopped</summary>\n</task-notification>"
)
ORIGIN = {"kind": "task-notification", "runId": "b1"}


@pytest.mark.parametrize(
    ("subtype", "data", "level"),
    [
        ("informational", {"content": "x", "level": "suggestion"}, "suggestion"),
        ("informational", {"content": "x", "level": "odd"}, "info"),
        ("model_fallback", {"content": "x"}, "warning"),
        ("mirror_error", {"error": "x"}, "warning"),
        ("notification", {"text": "x"}, "info"),
        ("local_command_output", {"content": "x"}, "output"),
    ],
)
def test_what_is_worth_a_line(subtype: str, data: dict[str, str], level: str) -> None:
    made = notice_of(subtype, dict(data), "n")
    assert made is not None
    assert (made.id, made.level, made.text) == ("n", level, "x")


def test_what_is_worth_none() -> None:
    assert notice_of("hook_started", {"content": "x"}, "n") is None


@pytest.mark.parametrize("content", [TOLD, (TextBlock(TOLD),)])
def test_an_end_is_read_from_what_the_model_was_told(content: str | tuple[TextBlock, ...]) -> None:
    ended = WorkEnded.told_to_model(UserMessage(content, origin=ORIGIN))
    assert ended == WorkEnded("b1", "t1", "stopped", "suite: stopped")
    data = {"task_id": "b1", "tool_use_id": "t1", "status": "stopped", "summary": "suite: stopped"}
    assert WorkEnded.of(data) == ended


def test_what_a_person_says_is_no_end_whatever_it_holds() -> None:
    assert WorkEnded.told_to_model(UserMessage(TOLD)) is None
    assert WorkEnded.told_to_model(UserMessage(TOLD, origin={"kind": "other"})) is None
    empty = WorkEnded.told_to_model(UserMessage("x", origin=ORIGIN))
    assert empty is not None and empty.task_id == ""


def test_an_end_without_a_word_is_said_in_ours() -> None:
    failed = WorkEnded.of({"task_id": "b1", "status": "failed"})
    assert failed.notice("n") == NoticeBlock("n", "warning", "Work in the background failed")
    assert WorkEnded.of({}).notice("n").level == "info"


def test_a_prompt_that_a_hook_kept_back_is_known() -> None:
    blocked = SystemMessage("informational", {"prompt_submit_outcome": "blocked"})
    assert kept_back(blocked)
    assert not kept_back(SystemMessage("informational", {}))
    assert not kept_back(UserMessage("blocked"))
