from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_tui.context.window import CompactPolicy
from agent_tui.journal.entries import ResponseEntry
from agent_tui.loop.compact import TOO_LITTLE
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import ModelError, UsageError
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.messages import ResultMessage, SystemMessage, UserMessage
from agent_tui.protocol.usage import Usage
from agent_tui.tools.base import ToolCall, ToolOutput
from tests.fakes.model import Broken, Said, ScriptedModel, Step, call, said
from tests.loop.stage import MODEL, FakeTool, Moments, Stage

pytestmark = pytest.mark.anyio

TOO_LONG = Broken(ModelError("prompt is too long: 9 > 8", prompt_too_long=True))
EMPTY = Said(())
DECLINED = said("<summary>I can't help with that.</summary>", stop_reason="refusal")
SUMMARY = said("<summary>What was done.</summary>")
SMALL = {MODEL: {"window": 20_000}}


class Init:
    """Counts how often ``init`` is said, and what had been said by then."""

    def __init__(self, stage: Stage | None = None) -> None:
        self._stage = stage
        self.said = 0
        self.before: list[object] = []

    async def __call__(self) -> None:
        self.said += 1
        self.before = kinds(self._stage) if self._stage else []


def kinds(stage: Stage) -> list[object]:
    """What was said since the last result, in short."""
    out: list[object] = []
    for message in stage.said:
        if isinstance(message, ResultMessage):
            out = []
        elif isinstance(message, SystemMessage):
            out.append(
                message.data.get("compact_result") or message.data.get("status") or message.subtype
            )
        elif isinstance(message, UserMessage):
            out.append("text" if isinstance(message.content, str) else "blocks")
    return out


def full(*parts: str, tokens: int = 190_000) -> Said:
    """An answer after which the window of 200,000 is nearly full."""
    return Said(parts, usage=Usage(input_tokens=tokens, output_tokens=10))


def stage_of(folder: Path, *script: Step, moments: Moments | None = None, **more: Any) -> Stage:
    moments = moments or Moments()
    model = ScriptedModel(*script, between=moments)
    given: dict[str, Any] = {"prices": {MODEL: {"window": 200_000}}, **more}
    return Stage(folder, model, moments=moments, **given)


async def talked(stage: Stage, *prompts: str) -> None:
    for number, prompt in enumerate(prompts):
        await stage.run(prompt, f"{number:08d}-0000-4000-8000-000000000000")


def statuses(stage: Stage) -> list[object]:
    return [data.get("compact_result", data["status"]) for data in stage.system_messages("status")]


def boundaries(stage: Stage) -> list[JsonObject]:
    return [data["compact_metadata"] for data in stage.system_messages("compact_boundary")]


async def test_nothing_is_asked_when_there_is_nothing_to_summarise(tmp_path: Path) -> None:
    stage, init = stage_of(tmp_path), Init()
    assert await stage.compactor.by_hand("", init) == TOO_LITTLE
    assert init.said == 1
    assert not await stage.compactor.compact()
    assert not stage.model.requests


async def test_a_summary_takes_the_place_of_what_was_before_it(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, said("First answer."), said("Second."), SUMMARY)
    await talked(stage, "one", "two")
    init = Init()
    assert await stage.compactor.by_hand("the names", init) == ""
    assert "the names" in str(stage.model.requests[-1].messages[-1])
    assert statuses(stage) == ["compacting", "success"]
    [metadata] = boundaries(stage)
    assert metadata["trigger"] == "manual"
    shown = str(stage.next_request().messages)
    assert "What was done." in shown and "First answer." not in shown
    assert stage.record.conversation.total_cost_usd
    stage.require_valid()


@pytest.mark.parametrize(
    ("answers", "asked", "done"),
    [
        ((TOO_LONG, TOO_LONG, TOO_LONG), 3, False),
        ((TOO_LONG, TOO_LONG, SUMMARY), 3, True),
        ((EMPTY, EMPTY, EMPTY), 3, False),
        ((Said(("<summary>half",), cut="it broke off"), SUMMARY), 2, True),
        ((Broken(ModelError("no", kind="server_error")),), 1, False),
        ((DECLINED, DECLINED, DECLINED), 3, False),
        ((DECLINED, SUMMARY), 2, True),
    ],
)
async def test_c2_a_compaction_makes_three_requests_at_most(
    tmp_path: Path, answers: tuple[Step, ...], asked: int, done: bool
) -> None:
    stage = stage_of(tmp_path, said("First."), said("Second."), *answers)
    await talked(stage, "one", "two")
    lines = stage.record.conversation.lines
    if done:
        await stage.compactor.by_hand("", Init())
    else:
        with pytest.raises(UsageError, match="could not be summarised"):
            await stage.compactor.by_hand("", Init())
        assert stage.record.conversation.lines == lines
        assert statuses(stage)[-1] == "failed"
    assert len(stage.model.requests) == 2 + asked
    assert len(boundaries(stage)) == done
    stage.require_valid()


async def test_near_the_end_of_the_window_it_cuts_by_itself_before_asking(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, said("First."), full("Second."), SUMMARY, said("Third."))
    await talked(stage, "one", "two", "three")
    assert [data["trigger"] for data in boundaries(stage)] == ["auto"]
    assert "three" in str(stage.model.requests[-1].messages[-1])
    assert stage.results[-1].result == "Third."


async def test_it_is_not_cut_by_itself_where_that_is_switched_off(tmp_path: Path) -> None:
    script = (said("First."), full("Second."), said("Third."))
    stage = stage_of(tmp_path, *script, compaction=CompactPolicy(auto=False))
    await talked(stage, "one", "two", "three")
    assert boundaries(stage) == []
    assert stage.notices == []


async def test_c2_a_compaction_that_failed_is_not_tried_again_in_the_same_run(
    tmp_path: Path,
) -> None:
    look = FakeTool("Look", read_only=True)
    tokens = Usage(input_tokens=190_000)
    script = (
        said("First."),
        full("Second."),
        Broken(ModelError("no", kind="server_error")),
        Said((call("Look", "a"),), "tool_use", tokens),
        Said((call("Look", "b"),), "tool_use", tokens),
        TOO_LONG,
    )
    stage = stage_of(tmp_path, *script, tools=[look])
    await talked(stage, "one", "two", "three")
    assert len(stage.model.requests) == len(script)
    assert stage.results[-1].terminal_reason == "prompt_too_long"
    assert len([n for n in stage.notices if "could not be summarised" in n]) == 1


async def test_c1_an_answer_when_the_fixed_part_nearly_fills_the_window(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, said("Hello."), prices=SMALL, system="word " * 15_200)
    assert 18_900 <= stage.requests.fixed_tokens <= 19_100
    await talked(stage, "hi")
    assert stage.results[0].result == "Hello."
    assert len(stage.model.requests) == 1
    [notice] = stage.notices
    assert "system prompt 19,0" in notice and "tools" in notice


async def test_c1_a_plain_message_when_the_fixed_part_does_not_fit(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, TOO_LONG, prices=SMALL, system="word " * 15_200)
    await talked(stage, "hi")
    assert len(stage.model.requests) == 1
    assert stage.results[0].is_error
    assert "system prompt 19,0" in stage.notices[0]


async def test_c1_it_is_told_once_a_run_and_cut_twice_at_most(tmp_path: Path) -> None:
    async def long(args: JsonObject, call: ToolCall) -> ToolOutput:
        return ToolOutput("result " * 400)

    tokens = Usage(input_tokens=19_500)
    turns = [Said((call("Look", f"c{n}"),), "tool_use", tokens) for n in range(6)]
    script = (turns[0], turns[1], SUMMARY, *turns[2:4], SUMMARY, *turns[4:], said("Done."))
    stage = stage_of(
        tmp_path,
        *script,
        prices=SMALL,
        system="word " * 15_000,
        tools=[FakeTool("Look", long, read_only=True)],
    )
    await talked(stage, "hi")
    assert stage.results[0].result == "Done."
    assert len(boundaries(stage)) == 2
    assert len([n for n in stage.notices if "does not help" in n]) == 1
    stage.require_valid()


async def test_refused_as_too_long_it_is_cut_once_and_asked_again(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, said("First."), TOO_LONG, SUMMARY, TOO_LONG)
    await talked(stage, "one", "two")
    assert len(boundaries(stage)) == 1
    assert len(stage.model.requests) == 4
    assert stage.results[-1].terminal_reason == "prompt_too_long"


async def test_cancelled_anywhere_the_history_stays_or_is_cut_whole(tmp_path: Path) -> None:
    seen: set[int] = set()
    at = 1
    while True:
        moments = Moments(at)
        script = (said("First."), said("Second."), TOO_LONG, SUMMARY)
        stage = stage_of(tmp_path, *script, moments=moments)
        with moments.scope:
            await talked(stage, "one", "two")
            await stage.compactor.by_hand("", Init())
        if not moments.reached:
            break
        stage.require_valid()
        seen.add(len(boundaries(stage)))
        begun = [data for data in stage.system_messages("status") if data["status"]]
        assert len(stage.system_messages("status")) == 2 * len(begun)
        at += 1
    assert seen == {0, 1}


class Watching:
    """Hooks around a compaction: ``blocked`` keeps it from happening, ``context`` is added after it."""

    def __init__(self, blocked: str | None = None, context: tuple[str, ...] = ()) -> None:
        self._blocked = blocked
        self._context = context
        self.fired: list[tuple[HookEvent, JsonObject, str]] = []

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        self.fired.append((event, fields or {}, match))
        if event == "PreCompact":
            return HookOutcome(blocked=self._blocked)
        return HookOutcome(additional_context=self._context if event == "SessionStart" else ())

    @property
    def events(self) -> list[str]:
        return [
            event for event, _, _ in self.fired if "Compact" in event or event == "SessionStart"
        ]


async def test_by_hand_its_messages_come_in_the_documented_order(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, said("First."), said("Second."), SUMMARY)
    await talked(stage, "one", "two")
    init = Init(stage)
    await stage.compactor.by_hand("", init)
    assert init.before == ["compacting", "success"]
    assert kinds(stage) == ["compacting", "success", "compact_boundary", "text", "text"]
    assert "<local-command-stdout>" in str(stage.said[-1])
    stage.require_valid()


async def test_by_itself_the_summary_comes_as_blocks_and_nothing_is_said_of_a_command(
    tmp_path: Path,
) -> None:
    stage = stage_of(tmp_path, said("First."), full("Second."), SUMMARY, said("Third."))
    await talked(stage, "one", "two")
    stage.said.clear()
    await talked(stage, "three")
    stage.said = [message for message in stage.said if not isinstance(message, ResultMessage)]
    assert kinds(stage) == ["text", "compacting", "success", "compact_boundary", "blocks"]


async def test_hooks_are_told_before_and_after_and_may_add_what_the_window_lost(
    tmp_path: Path,
) -> None:
    hooks = Watching(context=("Remember the plum.",))
    stage = stage_of(tmp_path, said("First."), said("Second."), SUMMARY, hooks=hooks)
    await talked(stage, "one", "two")
    await stage.compactor.by_hand("names", Init())
    assert hooks.events == ["PreCompact", "SessionStart", "PostCompact"]
    found = {event: (fields, match) for event, fields, match in hooks.fired}
    assert found["PreCompact"] == ({"trigger": "manual", "custom_instructions": "names"}, "manual")
    assert found["SessionStart"] == ({"source": "compact"}, "compact")
    assert found["PostCompact"] == (
        {"trigger": "manual", "compact_summary": "What was done."},
        "manual",
    )
    assert "Remember the plum." in str(stage.next_request().messages)
    stage.require_valid()


async def test_a_hook_may_keep_the_window_as_it_is(tmp_path: Path) -> None:
    hooks = Watching(blocked="archive first")
    stage = stage_of(tmp_path, said("First."), said("Second."), hooks=hooks)
    await talked(stage, "one", "two")
    lines = stage.record.conversation.lines
    init = Init()
    with pytest.raises(UsageError, match="archive first"):
        await stage.compactor.by_hand("", init)
    assert stage.record.conversation.lines == lines
    assert len(stage.model.requests) == 2
    assert statuses(stage) == ["compacting", "failed"]
    assert (hooks.events, init.said) == (["PreCompact"], 1)


async def test_blocked_by_itself_it_is_skipped_for_this_prompt(tmp_path: Path) -> None:
    hooks = Watching(blocked="no")
    look = FakeTool("Look", read_only=True)
    looks = Said((call("Look"),), "tool_use", Usage(input_tokens=190_000))
    script = (said("First."), full("Second."), looks, said("Third."))
    stage = stage_of(tmp_path, *script, tools=[look], hooks=hooks)
    await talked(stage, "one", "two", "three")
    assert stage.results[-1].result == "Third."
    assert (hooks.events, statuses(stage)) == (["PreCompact"], [])


async def test_blocked_after_a_refusal_the_refusal_is_what_is_told(tmp_path: Path) -> None:
    script = (said("First."), TOO_LONG)
    stage = stage_of(tmp_path, *script, hooks=Watching(blocked="no"))
    await talked(stage, "one", "two")
    assert stage.results[-1].terminal_reason == "prompt_too_long"
    assert len(stage.model.requests) == 2


async def test_how_crowded_the_window_is_is_our_own_count(tmp_path: Path) -> None:
    stage = stage_of(tmp_path, said("First."), full("Second."))
    await talked(stage, "one")
    assert not stage.compactor.crowded
    await talked(stage, "two")
    assert stage.compactor.crowded


async def test_c4_a_smaller_model_is_asked_after_the_window_was_cut_and_a_larger_one_has_room(
    tmp_path: Path,
) -> None:
    sizes = {MODEL: {"window": 1_000_000}, "small": {"window": 128_000, "max_output": 8_000}}
    script = (
        said("First."),
        full("Second.", tokens=180_000),
        SUMMARY,
        said("Third."),
        said("Fourth."),
    )
    stage = stage_of(tmp_path, *script, prices=sizes)
    await talked(stage, "one", "two")
    assert not boundaries(stage)
    stage.requests.use("small")
    await talked(stage, "three")
    asked = [request.model for request in stage.model.requests]
    assert asked[2:] == ["small", "small"]
    assert [data["trigger"] for data in boundaries(stage)] == ["auto"]
    assert "First." not in str(stage.model.requests[-1].messages)
    stage.requests.use(MODEL)
    assert stage.requests.window == 1_000_000
    stage.record.write(replace(response_of(stage), usage=Usage(input_tokens=180_000)))
    await talked(stage, "four")
    assert len(boundaries(stage)) == 1
    assert stage.results[-1].result == "Fourth."


def response_of(stage: Stage) -> ResponseEntry:
    """The newest response's end."""
    return [entry for entry in stage.sink.entries if isinstance(entry, ResponseEntry)][-1]
