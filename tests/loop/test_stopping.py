from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.loop.stopping import MAX_BLOCKS
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.messages import Message, SystemMessage, UserMessage
from tests.fakes.model import ScriptedModel, call, said
from tests.loop.stage import FakeTool, Stage

pytestmark = pytest.mark.anyio


class StopHook:
    """A Stop hook: gives the outcomes in turn, the last one for ever; remembers what it was told."""

    def __init__(self, *outcomes: HookOutcome) -> None:
        self._outcomes = list(outcomes)
        self.told: list[JsonObject] = []

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        if event != "Stop":
            return HookOutcome()
        self.told.append(fields or {})
        return self._outcomes[min(len(self.told), len(self._outcomes)) - 1]


NO = HookOutcome(blocked="Not yet: run the tests.")


async def test_m8_a_hook_that_always_says_no_is_not_obeyed_for_ever(tmp_path: Path) -> None:
    hook = StopHook(NO)
    stage = Stage(tmp_path, ScriptedModel(last=said("done")), hooks=hook)
    result = await stage.run()
    assert (MAX_BLOCKS, len(stage.model.requests)) == (8, 9)
    assert (result.subtype, result.result, result.is_error) == ("success", "done", False)
    assert "8 times in a row" in stage.notices[-1]
    assert [told["stop_hook_active"] for told in hook.told] == [False, *[True] * 8]
    assert all(told["last_assistant_message"] == "done" for told in hook.told)
    stage.require_valid()


async def test_m8_work_done_in_between_starts_the_count_anew(tmp_path: Path) -> None:
    rounds = [said("done")] * 7 + [said(call("Look", "a"))]
    hook = StopHook(*[NO] * 14, HookOutcome())
    stage = Stage(
        tmp_path, ScriptedModel(*rounds, *rounds, said("really")), [FakeTool("Look", read_only=True)],
        hooks=hook,
    )  # fmt: skip
    assert (await stage.run()).result == "really"
    assert not any("in a row" in notice for notice in stage.notices)


async def test_the_reason_is_told_to_the_model_and_the_person_is_notified(tmp_path: Path) -> None:
    hook = StopHook(NO, HookOutcome())
    stage = Stage(tmp_path, ScriptedModel(said("first"), said("second")), hooks=hook)
    result = await stage.run()
    assert (result.result, result.num_turns) == ("second", 2)
    assert "run the tests" in str(stage.model.requests[1].messages[-1])

    def interesting(message: Message) -> str:
        if isinstance(message, UserMessage) and message.synthetic:
            return "nudge"
        return message.subtype if isinstance(message, SystemMessage) else ""

    assert [word for word in map(interesting, stage.said) if word] == ["nudge", "notification"]
    [notification] = stage.system_messages("notification")
    assert notification["text"] == NO.blocked
    assert notification["priority"] == "medium" and notification["key"]


ADDS = HookOutcome(additional_context=("The tests fail.", "See log."))


async def test_what_a_hook_adds_keeps_the_run_going_too(tmp_path: Path) -> None:
    hook = StopHook(ADDS, HookOutcome())
    stage = Stage(tmp_path, ScriptedModel(said("first"), said("second")), hooks=hook)
    result = await stage.run()
    assert (result.result, result.num_turns) == ("second", 2)
    assert "The tests fail.\\n\\nSee log." in str(stage.model.requests[1].messages[-1])
    assert [told["stop_hook_active"] for told in hook.told] == [False, True]
    [notification] = stage.system_messages("notification")
    assert notification["text"] == "The tests fail.\n\nSee log."


async def test_m8_a_hook_that_always_adds_is_bounded_like_one_that_blocks(tmp_path: Path) -> None:
    hook = StopHook(ADDS, NO)
    stage = Stage(tmp_path, ScriptedModel(last=said("done")), hooks=hook)
    result = await stage.run()
    assert (len(stage.model.requests), result.result) == (MAX_BLOCKS + 1, "done")
    assert "8 times in a row" in stage.notices[-1]
    stage.require_valid()


@pytest.mark.parametrize(("why", "notices"), [("enough", 1), ("", 0)])
async def test_a_hook_may_end_the_run(tmp_path: Path, why: str, notices: int) -> None:
    hook = StopHook(HookOutcome(stop=why, blocked="and yet no"))
    stage = Stage(tmp_path, ScriptedModel(said("done")), hooks=hook)
    result = await stage.run()
    assert (result.subtype, result.result) == ("success", "done")
    assert result.terminal_reason == "stop_hook_prevented"
    assert len(stage.notices) == notices
