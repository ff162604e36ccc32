"""Turns, money, effort and model: where a run ends, and what of it is counted again for the next prompt."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.sdk import (
    AgentDefinition,
    AssistantMessage,
    ClaudeSDKClient,
    ConversationResetMessage,
    ProcessError,
    ResultMessage,
    TaskNotificationMessage,
)
from tests.fakes.api_server import reply, stall, system_contains, tool
from tests.sdk.place import Place
from tests.sdk.talk import shot, turns
from tests.sdk.test_mission_loop import failing_project

pytestmark = pytest.mark.anyio

TINY = 0.0001
ECHO = reply(tool("Bash", command="echo 1"))


@pytest.mark.parametrize(
    ("turns_", "subtype", "edited", "requests"),
    [
        (2, "error_max_turns", False, 2),
        (3, "error_max_turns", True, 3),
        (4, "success", True, 4),
        (0, "success", True, 4),
        (None, "success", True, 4),
    ],
)
async def test_max_turns_on_the_worked_example(
    place: Place, turns_: int | None, subtype: str, edited: bool, requests: int
) -> None:
    source = failing_project(place)
    heard = await shot(place, max_turns=turns_, allowed_tools=["Bash", "Edit"])
    assert heard.result.subtype == subtype
    assert ("fix" in source.read_text()) is edited
    assert len(place.api.messages) == heard.result.num_turns == requests
    if not edited:
        assert "Edit" not in [call.name for call in heard.calls]
    if subtype == "success":
        assert heard.result.result == "The tests pass."
        return
    assert (heard.result.result, heard.result.is_error) == (None, True)
    assert heard.result.terminal_reason == "max_turns"
    assert all(block.content is not None for block in heard.tool_results)
    assert len(heard.tool_results) == len(heard.calls)


async def test_many_calls_of_one_response_are_one_turn_and_text_is_none(place: Place) -> None:
    call = tool("Bash", command="echo 1")
    place.api.enqueue(reply(call, call, call), "done", "text")
    assert (await shot(place, max_turns=2)).result.subtype == "success"
    assert (await shot(place, max_turns=1)).result.subtype == "success"


async def test_a_turn_cap_counts_anew_for_each_prompt(place: Place) -> None:
    place.api.enqueue(ECHO, ECHO, ECHO, "done", "at once")
    first, second, third = await turns(place, "a", "b", "c", max_turns=2)
    assert [one.result.subtype for one in (first, second)] == ["error_max_turns", "success"]
    assert second.result.result == "done"
    assert third.result.result == "at once"
    assert len(place.api.messages) == 5


async def test_what_is_queued_at_the_turn_cap_has_a_turn_and_a_cap_of_its_own(place: Place) -> None:
    wait = reply(tool("Bash", command="until [ -e go ]; do sleep 0.02; done"))
    place.api.enqueue(wait, ECHO, "second done")
    results: list[ResultMessage] = []
    async with ClaudeSDKClient(place.options(max_turns=1, allowed_tools=["Bash"])) as client:
        await client.query("first")
        async for message in client.receive_messages():
            if isinstance(message, AssistantMessage) and not (place.folder / "go").exists():
                await client.query("second")
                place.write("go", "")
            if isinstance(message, ResultMessage):
                results.append(message)
                if len(results) == 2:
                    break
    assert [one.subtype for one in results] == ["error_max_turns"] * 2
    first, second = place.api.messages
    assert "second" not in str(first.body["messages"])
    assert second.last_user_text.endswith("second")
    assert results[1].num_turns == 1


async def test_a_cap_on_cost_ends_it_when_the_response_has_come(place: Place) -> None:
    place.api.enqueue(reply("Working.", tool("Bash", command="touch made")))
    heard = await shot(place, max_budget_usd=TINY, allowed_tools=["Bash"])
    result = heard.result
    assert (result.subtype, result.terminal_reason) == ("error_max_budget_usd", "budget_exhausted")
    assert (result.result, result.is_error) == (None, True)
    assert heard.texts == ["Working."]
    assert not (place.folder / "made").exists()
    assert result.total_cost_usd is not None and result.total_cost_usd > TINY
    assert len(place.api.messages) == 1


async def test_the_calls_that_were_not_run_are_answered_when_the_session_goes_on(
    place: Place,
) -> None:
    place.api.enqueue(reply(tool("Bash", {"command": "touch made"}, id="toolu_9")), "later")
    capped = await shot(place, max_budget_usd=TINY, allowed_tools=["Bash"])
    later = await shot(place, "go on", resume=capped.result.session_id, max_budget_usd=1.0)
    assert later.result.result == "later"
    [answered] = place.api.messages[1].tool_results
    assert (answered["tool_use_id"], answered["is_error"]) == ("toolu_9", True)
    assert later.result.session_id == capped.result.session_id


async def test_an_answer_that_crosses_the_cap_is_told_whole(place: Place) -> None:
    place.api.enqueue(reply("One.", "Two."))
    heard = await shot(place, max_budget_usd=TINY)
    assert heard.texts == ["One.", "Two."]
    assert heard.result.total_cost_usd is not None and heard.result.total_cost_usd > TINY


@pytest.mark.parametrize("amount", [0, -1.0])
async def test_a_cap_of_nothing_is_refused_at_the_start(place: Place, amount: float) -> None:
    with pytest.raises(ProcessError, match="max_budget_usd"):
        await shot(place, max_budget_usd=amount)
    assert not place.api.messages


async def test_what_is_spent_adds_up_over_prompts_and_clear_begins_anew(place: Place) -> None:
    place.api.enqueue("one", "two", "three")
    heard = await turns(place, "a", "b", "c", "/clear", "d", max_budget_usd=TINY)
    assert [one.result.subtype for one in heard] == [
        "error_max_budget_usd",
        "error_max_budget_usd",
        "error_max_budget_usd",
        "success",
        "error_max_budget_usd",
    ]
    assert [one.texts for one in heard] == [["one"], [], [], [], ["two"]]
    assert heard[3].all(ConversationResetMessage)
    assert heard[3].result.total_cost_usd == 0
    assert len(place.api.messages) == 2


SCOUT = {"scout": AgentDefinition(description="looks", prompt="YOU SCOUT")}


def scouts(background: bool) -> Any:
    return tool(
        "Agent",
        description="look",
        prompt="look around",
        subagent_type="scout",
        run_in_background=background,
    )


async def test_sub_agents_spend_from_the_same_budget(place: Place) -> None:
    dear = {"input_tokens": 900_000, "output_tokens": 10}
    place.api.add_rule(system_contains("YOU SCOUT"), reply("found", usage=dear), times=1)
    place.api.enqueue(reply(scouts(False), scouts(False)))
    heard = await shot(
        place,
        agents=SCOUT,
        max_budget_usd=0.5,
        env={"CLAUDE_CODE_MAX_CONCURRENT_SUBAGENTS": "1"},
    )
    assert heard.result.subtype == "error_max_budget_usd"
    assert (heard.result.total_cost_usd or 0) > 0.5
    assert heard.result.usage is not None and heard.result.usage["input_tokens"] < 900_000


@pytest.mark.parametrize("effort", ["low", "medium", "high", "xhigh", "max", None])
async def test_each_level_of_effort_is_sent_as_it_is_and_none_where_none_is_wanted(
    place: Place, effort: Any
) -> None:
    place.api.enqueue("ok")
    await shot(place, effort=effort, model="claude-opus-5-5")
    sent: Any = place.api.messages[0].body.get("output_config")
    assert sent == (None if effort is None else {"effort": effort})


@pytest.mark.parametrize(
    ("model", "asked", "sent"),
    [("claude-sonnet-4-6", "xhigh", {"effort": "high"}), ("claude-haiku-4-5", "high", None)],
)
async def test_a_model_that_lacks_a_level_is_sent_another_or_none_and_it_is_said(
    place: Place, model: str, asked: Any, sent: Any
) -> None:
    place.api.enqueue("ok")
    heard = await shot(place, effort=asked, model=model)
    assert place.api.messages[0].body.get("output_config") == sent
    assert any(asked in str(one.data["content"]) for one in heard.system("informational"))


@pytest.mark.parametrize(
    ("effort", "thinking", "sent"),
    [("low", {"type": "adaptive"}, "adaptive"), ("max", {"type": "disabled"}, "disabled")],
)
async def test_effort_and_thinking_are_chosen_apart(
    place: Place, effort: Any, thinking: Any, sent: str
) -> None:
    place.api.enqueue("ok")
    await shot(place, effort=effort, thinking=thinking, model="claude-sonnet-4-6")
    body: Any = place.api.messages[0].body
    assert body["output_config"] == {"effort": effort}
    assert body["thinking"]["type"] == sent


@pytest.mark.parametrize(("own", "sent"), [("low", "low"), (None, "high")])
async def test_a_sub_agent_may_have_an_effort_of_its_own(place: Place, own: Any, sent: str) -> None:
    kind = AgentDefinition(description="looks", prompt="YOU SCOUT", tools=["Read"], effort=own)
    place.api.add_rule(system_contains("YOU SCOUT"), "found", times=1)
    place.api.enqueue(reply(scouts(False)), "done")
    await shot(place, effort="high", agents={"scout": kind})
    by_agent = {"YOU SCOUT" in one.system_text: one for one in place.api.messages}
    sub: Any = by_agent[True].body
    main: Any = by_agent[False].body
    assert (sub["output_config"], main["output_config"]) == ({"effort": sent}, {"effort": "high"})
    assert by_agent[True].tool_names == ["Read"]


async def test_a_model_is_named_or_the_default_is_used(place: Place) -> None:
    place.api.enqueue("ok", "ok", "ok")
    for model in (None, "haiku", "claude-sonnet-4-6"):
        await shot(place, model=model)
    default, alias, pinned = (request.model for request in place.api.messages)
    assert default.startswith("claude-")
    assert alias.startswith("claude-haiku-")
    assert pinned == "claude-sonnet-4-6"


async def test_a_capped_session_goes_on_with_a_higher_cap(place: Place) -> None:
    place.api.enqueue(ECHO, "done")
    capped = await shot(place, max_turns=1)
    assert capped.result.subtype == "error_max_turns"
    later = await shot(place, "go on", resume=capped.result.session_id, max_turns=5)
    assert (later.result.subtype, later.result.result) == ("success", "done")
    assert later.result.session_id == capped.result.session_id
    assert len(place.api.messages[1].tool_results) == 1


async def test_at_the_cap_those_in_the_background_are_stopped_too(
    place: Place,
) -> None:
    dear = {"input_tokens": 900_000, "output_tokens": 10}
    place.api.add_rule(
        system_contains("YOU SCOUT"), reply("never", fault=stall(block=0, chars=2)), times=1
    )

    def at_last(request: Any) -> Any:
        place.api.wait_until(
            lambda: any("YOU SCOUT" in one.system_text for one in place.api.messages)
        )
        return reply("spent", scouts(False), usage=dear)

    place.api.enqueue(reply(scouts(True)), at_last)
    heard = await shot(place, agents=SCOUT, max_budget_usd=0.5)
    [ended] = heard.all(TaskNotificationMessage)
    assert ended.status == "stopped"
    assert "Budget limit reached" in ended.summary
    assert heard.results[0].subtype == "error_max_budget_usd"
