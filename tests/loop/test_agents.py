"""Who may have a sub-agent, how many and how deep, waited for or not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.loop.agents import SessionAgents
from agent_tui.loop.household import Bounds, Caller
from agent_tui.protocol.agents import AgentDefinition, AgentProgress, AgentTask
from agent_tui.protocol.errors import PortError
from tests.fakes.model import ScriptedModel, call, said
from tests.loop.home import HELPER, Home, served, session_model
from tests.loop.stage import MODEL, FakeTool, Stage

pytestmark = pytest.mark.anyio

TASK = AgentTask("find it", "PROMPT", "helper")


async def unseen(progress: AgentProgress) -> None:
    """Look away."""


def home_with(folder: Path, *script: Any, **more: Any) -> Home:
    tools = (FakeTool("Read", read_only=True),)
    return Home(Stage(folder, ScriptedModel(*script), tools=tools), **more)


def agents_of(home: Home, depth: int = 0) -> SessionAgents:
    return SessionAgents(home.household, Caller(depth, session_model))


async def test_one_that_is_waited_for_is_told_from_begin_to_end(tmp_path: Path) -> None:
    home = home_with(tmp_path, said("x", call("Read")), said("answer"))
    seen: list[AgentProgress] = []

    async def look(progress: AgentProgress) -> None:
        seen.append(progress)

    agents = agents_of(home)
    report = await agents.run(TASK, "call", look)
    assert report.text == "answer"
    assert agents.definitions() == (HELPER,)
    assert home.system_said == [
        "task_started",
        "task_progress",
        "task_updated",
        "task_notification",
    ]
    assert [(p.agent_id, p.last, p.tool_uses) for p in seen] == [(report.agent_id, "Read", 1)]
    [ended] = home.stage.system_messages("task_notification")
    assert ended["summary"] == "Agent 'find it' completed"
    assert ended["output_file"] == str(home.books[0].path)
    assert home.household.busy.count == 0


async def test_one_in_the_background_gives_its_answer_to_the_model(tmp_path: Path) -> None:
    home = home_with(tmp_path, said("answer"))

    async def body() -> None:
        task = await agents_of(home).launch(TASK, "call")
        assert home.household.busy.count == 1
        await home.background.next_end()
        assert home.household.busy.count == 0
        assert "answer" in Path(task.output_file).read_text()

    await served(home.background, body)
    [prompt] = home.told
    assert "<result>\nanswer\n</result>" in prompt.text


@pytest.mark.parametrize(
    ("kind", "wanted", "depth", "allowed", "background"),
    [
        (None, None, 0, True, True),
        (None, False, 0, True, False),
        (False, None, 0, True, False),
        (False, True, 0, True, True),
        (True, None, 0, True, True),
        (True, True, 1, True, False),
        (True, True, 0, False, False),
    ],
)
async def test_what_decides_whether_it_is_waited_for(
    tmp_path: Path,
    kind: bool | None,
    wanted: bool | None,
    depth: int,
    allowed: bool,
    background: bool,
) -> None:
    kinds = (replace(HELPER, background=kind),)
    home = home_with(tmp_path, kinds=kinds, bounds=Bounds(background=allowed))
    assert agents_of(home, depth).in_background(TASK, wanted) is background


@pytest.mark.parametrize(
    ("task", "bounds", "depth", "spent", "says"),
    [
        (replace(TASK, agent_type="x"), Bounds(), 0, False, "no kind of sub-agent 'x'"),
        (TASK, Bounds(depth=2), 2, False, "2 deep"),
        (TASK, Bounds(), 0, True, "^Budget limit reached$"),
        (TASK, Bounds(at_once=1), 0, False, "Concurrent subagent limit reached"),
        (replace(TASK, effort="wild"), Bounds(), 0, False, "no effort level"),
    ],
)
async def test_what_may_not_begin(
    tmp_path: Path, task: AgentTask, bounds: Bounds, depth: int, spent: bool, says: str
) -> None:
    home = home_with(tmp_path, bounds=bounds)
    home.spent = spent
    home.household.busy.count = 1
    with pytest.raises(PortError, match=says):
        await agents_of(home, depth).run(task, "call", unseen)
    with pytest.raises(PortError, match=says):
        await agents_of(home, depth).launch(task, "call")
    assert home.household.busy.count == 1
    assert home.stage.said == []


@pytest.mark.parametrize(
    ("forced", "call_model", "kind_model", "model"),
    [
        ("", None, None, MODEL),
        ("", "haiku", "opus", "model-haiku"),
        ("", None, "opus", "model-opus"),
        ("", "inherit", "opus", MODEL),
        ("fast", "haiku", "opus", "model-fast"),
        ("inherit", "haiku", "opus", MODEL),
    ],
)
async def test_whose_model_counts(
    tmp_path: Path, forced: str, call_model: str | None, kind_model: str | None, model: str
) -> None:
    kinds: tuple[AgentDefinition, ...] = (replace(HELPER, model=kind_model, effort="12"),)
    home = home_with(tmp_path, said("answer"), kinds=kinds, forced_model=forced)
    report = await agents_of(home).run(replace(TASK, model=call_model), "call", unseen)
    assert report.model == home.stage.model.requests[0].model == model
    assert home.efforts == [None]


async def test_an_interrupt_is_told_of_as_a_stop(tmp_path: Path) -> None:
    home = home_with(tmp_path)
    asked = anyio.Event()

    async def never() -> None:
        asked.set()
        await anyio.sleep_forever()

    home.stage.model = ScriptedModel(said("x"), between=never)
    async with anyio.create_task_group() as group:
        group.start_soon(agents_of(home).run, TASK, "call", unseen)
        await asked.wait()
        group.cancel_scope.cancel()
    [ended] = home.stage.system_messages("task_notification")
    assert (ended["status"], ended["summary"]) == ("stopped", "Agent 'find it' interrupted")
    assert home.household.busy.count == 0
