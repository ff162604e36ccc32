"""Background work: said when it begins and ends, told to the model once, ended with the session."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from agent_tui.loop.background import SessionBackground
from agent_tui.protocol.background import BackgroundKind, BackgroundTask, Ended
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.messages import SystemMessage
from agent_tui.protocol.ops import Prompt
from tests.loop.home import served
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


class Yard:
    """A background, and works that end when they are let go."""

    def __init__(self, folder: Path) -> None:
        self.stage = Stage(folder)
        self.told: list[Prompt] = []
        self.background = SessionBackground(self.stage.record, self.told.append)
        self.go = anyio.Event()
        self.cancelled = 0

    async def waits(self) -> Ended:
        try:
            await self.go.wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled += 1
            raise
        return Ended("completed", "it is done", "REPORT", 0)

    async def begin(self, kind: BackgroundKind = "local_bash") -> BackgroundTask:
        task = BackgroundTask(self.background.new_id(kind), kind, "work", "call", "/file")
        await self.background.start(task, self.waits)
        return task

    def said(self) -> list[tuple[str, str]]:
        return [
            (m.subtype, str(m.data.get("status", "")))
            for m in self.stage.said
            if isinstance(m, SystemMessage)
        ]


@pytest.fixture
async def yard(tmp_path: Path) -> Yard:
    return Yard(tmp_path)


async def test_an_end_is_said_and_told_to_the_model(yard: Yard) -> None:
    async def body() -> None:
        task = await yard.begin()
        assert yard.background.running() == (task,)
        yard.go.set()
        await yard.background.next_end()
        [now] = yard.background.all()
        assert (now.status, now.summary, now.exit_code, now.over) == (
            "completed",
            "it is done",
            0,
            True,
        )
        assert not yard.background.running()

    await served(yard.background, body)
    assert yard.said() == [
        ("background_tasks_changed", ""),
        ("task_started", ""),
        ("task_updated", "completed"),
        ("task_notification", "completed"),
        ("background_tasks_changed", ""),
    ]
    [prompt] = yard.told
    assert prompt.now and prompt.verbatim
    assert "<result>\nREPORT\n</result>" in prompt.text
    assert prompt.origin is not None and prompt.origin["kind"] == "task-notification"


async def test_who_waits_has_the_end_and_the_model_is_not_told_twice(yard: Yard) -> None:
    async def body() -> None:
        task = await yard.begin()
        assert (await yard.background.wait(task.id, 0)).status == "running"
        async with anyio.create_task_group() as group:

            async def look() -> None:
                assert (await yard.background.wait(task.id, 10_000)).status == "completed"

            group.start_soon(look)
            await anyio.wait_all_tasks_blocked()
            yard.go.set()
        assert (await yard.background.wait(task.id, 0)).over

    await served(yard.background, body)
    assert yard.told == []


@pytest.mark.parametrize("by_person", [False, True])
async def test_a_stop_is_waited_for_and_told_only_where_the_model_did_not_ask(
    yard: Yard, by_person: bool
) -> None:
    async def body() -> None:
        task = await yard.begin()
        await anyio.wait_all_tasks_blocked()
        stopped = await yard.background.stop(task.id, by_person=by_person)
        assert (stopped.status, yard.cancelled) == ("killed", 1)
        with pytest.raises(PortError, match="has ended already"):
            await yard.background.stop(task.id)

    await served(yard.background, body)
    assert yard.said()[2:4] == [("task_updated", "killed"), ("task_notification", "stopped")]
    assert yard.told == []
    untold = yard.background.take_untold()
    assert len(untold) == by_person
    assert all("/file" in text for text in untold)
    assert yard.background.take_untold() == ()


async def test_a_work_that_breaks_has_failed_and_the_session_goes_on(yard: Yard) -> None:
    async def breaks() -> Ended:
        raise ValueError("odd")

    async def refuses() -> Ended:
        raise PortError("not here")

    async def body() -> None:
        for number, work in enumerate((breaks, refuses)):
            task = BackgroundTask(f"b{number}", "local_bash", "work", "call", "/file")
            await yard.background.start(task, work)
            assert (await yard.background.wait(task.id, 10_000)).status == "failed"
        summaries = [task.summary for task in yard.background.all()]
        assert summaries == ["work: ValueError: odd", "work: not here"]

    await served(yard.background, body)


async def test_with_the_session_all_end_and_nothing_is_said_of_it(yard: Yard) -> None:
    async def body() -> None:
        await yard.begin()
        await yard.begin("local_agent")
        await anyio.wait_all_tasks_blocked()

    await served(yard.background, body)
    assert yard.cancelled == 2
    assert [name for name, _ in yard.said()].count("task_notification") == 0
    with pytest.raises(PortError, match="ending"):
        await yard.begin()


async def test_only_sub_agents_are_ended_by_a_spent_budget(yard: Yard) -> None:
    async def body() -> None:
        command, agent = await yard.begin(), await yard.begin("local_agent")
        await anyio.wait_all_tasks_blocked()
        yard.background.end_agents("Budget limit reached")
        ended = await yard.background.wait(agent.id, 10_000)
        assert (ended.status, ended.summary) == ("killed", "work: Budget limit reached")
        assert yard.background.running() == (command,)
        await yard.background.stop_all("local_bash")
        assert not yard.background.running()

    await served(yard.background, body)


async def test_progress_is_said_with_the_numbers(yard: Yard) -> None:
    async def body() -> None:
        task = await yard.begin("local_agent")
        now = BackgroundTask(
            task.id, "local_agent", "work", "call", "/file", total_tokens=7, tool_uses=2
        )
        await yard.background.progress(now, "Read")
        assert yard.background.all() == (now,)

    await served(yard.background, body)
    [said] = yard.stage.system_messages("task_progress")
    assert said["usage"] == {"total_tokens": 7, "tool_uses": 2, "duration_ms": 0}
    assert said["last_tool_name"] == "Read"


async def test_an_unknown_one_is_answered_with_those_that_run(yard: Yard) -> None:
    async def body() -> None:
        with pytest.raises(PortError, match="None is running now"):
            await yard.background.wait("x", 0)
        task = await yard.begin()
        with pytest.raises(PortError, match=f"Running now: {task.id} "):
            await yard.background.stop("x")

    await served(yard.background, body)


async def test_ids_tell_the_kind_and_never_repeat(yard: Yard) -> None:
    ids = [yard.background.new_id("local_agent"), yard.background.new_id("local_bash")]
    assert [one[0] for one in ids] == ["a", "b"]
    assert ids[0][1:] != ids[1][1:]
