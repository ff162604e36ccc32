from __future__ import annotations

from typing import Any

import pytest

from agent_tui.link.base import EngineLost, Incoming
from agent_tui.protocol import ops
from agent_tui.protocol.content import ToolResultBlock, ToolUseBlock
from agent_tui.protocol.display import TaskListDisplay, TaskRow
from agent_tui.protocol.messages import AssistantMessage, SystemMessage, UserMessage
from agent_tui.tui.screens.main import MainScreen
from agent_tui.tui.screens.tasks import TasksScreen
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio

AGENT, SLEEP = "a75970ef873c4", "b5ba3e8e17731"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def said(subtype: str, **data: Any) -> SystemMessage:
    return SystemMessage(subtype, data)


def listed(*names: str) -> SystemMessage:
    rows = [
        {
            "task_id": name,
            "task_type": "local_agent" if name == AGENT else "local_bash",
            "description": "goes on for ever" if name == AGENT else "sleep 500",
        }
        for name in names
    ]
    return said("background_tasks_changed", tasks=rows)


def work() -> list[Incoming]:
    """Have both run, and a task list."""
    tasks = TaskListDisplay((TaskRow("1", "rename", "completed"), TaskRow("2", "test", "pending")))
    usage = {"total_tokens": 3200, "tool_uses": 2, "duration_ms": 10}
    call = ToolUseBlock("t1", "TaskUpdate", {})
    return [
        AssistantMessage((call,), "m", message_id="m1", uuid="m1", display=tasks),
        UserMessage((ToolResultBlock("t1", "ok"),), uuid="r1", display=tasks),
        listed(AGENT),
        said("task_started", task_id=AGENT, subagent_type="Explore"),
        listed(AGENT, SLEEP),
        said("task_progress", task_id=AGENT, usage=usage, last_tool_name="Grep"),
    ]


async def opened(on: Stage) -> None:
    await on.say(*work())
    on.clock.now += 65
    await on.press("ctrl+t")
    assert isinstance(on.app.screen, TasksScreen)


async def test_it_shows_what_is_to_be_done_and_what_runs_for_how_long() -> None:
    async with running() as on:
        await opened(on)
        rows = [" ".join(row.split()) for row in on.rows]
        assert rows[2:5] == ["To do 1 of 2 done", "✓ rename", "○ test"]
        assert rows[6] == "In the background 2 tasks running"
        used = "Grep 2 calls 3.2k tok"
        assert rows[7] == f"› ◐ {AGENT} Explore goes on for ever {used} running 1:05"
        assert rows[8] == f"◐ {SLEEP} command sleep 500 running 1:05"
        await on.press("escape")
        assert isinstance(on.app.screen, MainScreen)
        assert "2 tasks" in on.rows[-1]


async def test_m10_looking_at_what_runs_and_leaving_again_ends_nothing() -> None:
    async with running() as on:
        await opened(on)
        before = len(on.link.sent)
        await on.press("escape")
        assert isinstance(on.app.screen, MainScreen)
        assert on.link.sent[before:] == []
        await on.press("ctrl+t")
        assert AGENT in on.text and "2 tasks running" in on.text


async def test_what_has_ended_stays_below_with_how_it_ended() -> None:
    async with running() as on:
        await opened(on)
        over = {"status": "failed", "summary": "it broke", "output_file": "/tmp/out"}
        await on.say(said("task_notification", task_id=SLEEP, **over), listed(AGENT))
        on.clock.now += 100
        screen = on.app.screen
        assert isinstance(screen, TasksScreen)
        screen.renew()
        await on.press("down")
        rows = [" ".join(row.split()) for row in on.rows]
        assert rows[6] == "In the background 1 task running"
        assert rows[8] == f"› ✗ {SLEEP} command sleep 500 failed 1:05"
        assert rows[9] == "it broke /tmp/out"
        await on.press("x")
        assert not on.link.of(ops.StopTask)


async def test_a_key_stops_the_chosen_one() -> None:
    async with running() as on:
        await opened(on)
        await on.press("down", "x")
        assert on.link.of(ops.StopTask) == [ops.StopTask(SLEEP)]


@pytest.mark.parametrize(
    ("typed", "stopped", "told"),
    [
        (f"stop {AGENT}", [AGENT], ""),
        ("stop b5", [SLEEP], ""),
        ("stop zz", [], f"'zz' runs under no such id; there are {AGENT}, {SLEEP}."),
        ("stop", [], "Stop which one; there are"),
    ],
)
async def test_one_is_stopped_by_its_id_or_the_beginning_of_it(
    typed: str, stopped: list[str], told: str
) -> None:
    async with running() as on:
        await on.say(*work())
        await on.type(f"/tasks {typed}")
        await on.press("enter")
        assert [op.task_id for op in on.link.of(ops.StopTask)] == stopped
        assert told in on.text


async def test_with_nothing_to_show_it_says_so() -> None:
    async with running(size=(60, 24)) as on:
        await on.type("/tasks")
        await on.press("escape", "enter")
        assert isinstance(on.app.screen, TasksScreen)
        assert "Nothing to do, and nothing runs in the background." in on.text
        await on.press("x", "down", "ctrl+t")
        assert isinstance(on.app.screen, MainScreen)


async def test_narrow_the_id_stands_below_and_far_down_the_chosen_one_is_in_sight() -> None:
    names = [f"b{number:02}" for number in range(30)]
    async with running(size=(60, 14)) as on:
        await on.say(listed(*names))
        await on.press("ctrl+t", *["down"] * 29)
        assert "b29" in on.text
        await on.press(*["up"] * 29)
        assert "b00" in on.text


async def test_what_a_lost_engine_had_in_the_background_is_gone() -> None:
    async with running() as on:
        await on.say(*work())
        assert "2 tasks" in on.rows[-1]
        await on.say(EngineLost("it died"))
        assert "tasks" not in on.rows[-1]
