"""Agent: what is asked for, what comes back, how it looks meanwhile."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.protocol.access import NoAccess
from agent_tui.protocol.agents import AgentDefinition, AgentProgress, AgentReport, AgentTask
from agent_tui.protocol.display import AgentDisplay
from agent_tui.tools.base import InvalidInputError, ToolSet
from agent_tui.tools.builtin.agent import KIND_CHARS, TOOL, Agent
from tests.tools.hands import FakeAgents, with_agents
from tests.tools.place import Place

pytestmark = pytest.mark.anyio

CALL = {"description": "find it", "prompt": "PROMPT"}


async def test_what_is_waited_for_gives_the_answer_and_the_documented_data(place: Place) -> None:
    report = AgentReport(
        "a1", "helper", "completed", "ANSWER\nmore", "m", "", 70, 3, 900, {"input_tokens": 7}
    )
    agents = FakeAgents(report, (AgentProgress("a1", "Read a.py", 1, 50, 400),))
    there = with_agents(place, agents)
    output = await there.run(
        TOOL, **CALL, subagent_type="helper", model="haiku", effort="low", name="n"
    )
    assert agents.asked == [(AgentTask("find it", "PROMPT", "helper", "haiku", "low", "n"), "t1")]
    assert output.content == [{"type": "text", "text": "ANSWER\nmore"}]
    assert output.is_error is None
    assert output.structured == {
        "status": "completed",
        "agentId": "a1",
        "agentType": "helper",
        "content": [{"type": "text", "text": "ANSWER\nmore"}],
        "resolvedModel": "m",
        "totalDurationMs": 900,
        "totalTokens": 70,
        "totalToolUseCount": 3,
        "usage": {"input_tokens": 7},
        "prompt": "PROMPT",
    }
    begun, working = there.seen
    assert begun == AgentDisplay("find it", "helper", prompt="PROMPT")
    assert isinstance(working, AgentDisplay)
    assert (working.last, working.tool_uses, working.total_tokens) == ("Read a.py", 1, 50)
    display = output.display
    assert isinstance(display, AgentDisplay)
    assert (display.status, display.report, display.duration_ms) == (
        "completed",
        "ANSWER\nmore",
        900,
    )


async def test_what_goes_to_the_background_comes_back_at_once(place: Place) -> None:
    agents = FakeAgents(background=True)
    output = await with_agents(place, agents).run(TOOL, **CALL, run_in_background=True)
    assert agents.wanted == [True]
    assert isinstance(output.structured, dict)
    assert output.structured["status"] == "async_launched"
    assert output.structured["outputFile"] == "/out"
    assert "a1 works in the background" in json.dumps(output.content)
    assert isinstance(output.display, AgentDisplay)
    assert (output.display.status, output.display.task_id) == ("background", "a1")
    assert agents.asked[0][0].agent_type == "general-purpose"


async def test_a_failure_says_why_and_the_last_that_was_said(place: Place) -> None:
    report = AgentReport("a1", "helper", "failed", "half", error="gone")
    output = await with_agents(place, FakeAgents(report)).run(TOOL, **CALL)
    assert output.is_error
    assert output.content == "The sub-agent failed: gone\nThe last it said: half"
    assert isinstance(output.display, AgentDisplay)
    assert (output.display.status, output.display.report) == ("failed", "gone")


@pytest.mark.parametrize("background", [False, True])
async def test_what_may_not_begin_is_an_error(place: Place, background: bool) -> None:
    agents = FakeAgents(error="Budget limit reached", background=background)
    output = await with_agents(place, agents).run(TOOL, **CALL)
    assert (output.content, output.is_error) == ("Budget limit reached", True)
    assert (await place.run(TOOL, **CALL)).content == "Sub-agents are not available here."


async def test_its_description_tells_the_kinds_and_never_changes(place: Place) -> None:
    kinds = (
        AgentDefinition("one", "first\nline " + "x" * 900, ""),
        AgentDefinition("two", "b", ""),
    )
    told = Agent(kinds).schema()
    assert told == Agent(kinds).schema()
    rows = str(told["description"]).splitlines()
    assert rows[-2].startswith("- one: first line x")
    assert len(rows[-2]) <= KIND_CHARS + len("- one: ")
    assert rows[-1] == "- two: b"
    assert "Kinds" not in str(TOOL.schema()["description"])


@pytest.mark.parametrize(
    "given",
    [
        {"description": "x"},
        {**CALL, "prompt": " \n"},
        {**CALL, "isolation": "worktree"},
        {**CALL, "run_in_background": "perhaps"},
    ],
)
def test_input_that_cannot_be_meant_is_refused(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        TOOL.parse(given)


async def test_what_older_calls_held_is_left_out(place: Place) -> None:
    args = TOOL.parse({**CALL, "team_name": "x", "mode": "plan"})
    assert TOOL.access(args, place.folder) == NoAccess()
    assert TOOL.preview(args, place.folder) == AgentDisplay(
        "find it", "general-purpose", prompt="PROMPT"
    )
    assert ToolSet.of((TOOL,)).named("Task") is TOOL
