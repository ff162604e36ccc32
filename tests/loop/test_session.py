from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import anyio
import pytest

from agent_tui.loop.approvals import Desk
from agent_tui.loop.hub import Hub
from agent_tui.loop.queue import PromptQueue
from agent_tui.loop.session import Parts, Session
from agent_tui.loop.status import Fixed, Status
from agent_tui.protocol.background import Background, BackgroundTask
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.errors import AgentTuiError, PortError, UsageError
from agent_tui.protocol.messages import Message, QueueChanged, QueuedPrompt
from agent_tui.protocol.ops import (
    Answer,
    EditQueue,
    Interrupt,
    Op,
    Open,
    Prompt,
    Rename,
    SetMode,
    SetModel,
    SetThinking,
    Stop,
    StopTask,
)
from agent_tui.protocol.requests import Allow, PermissionAnswer, PermissionRequest, PermissionUpdate
from tests.loop.stage import Moments, Stage

pytestmark = pytest.mark.anyio


class Work:
    """Implements ``Runner`` and ``Controls``: every prompt waits to be let go, or to be cancelled."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.cancelled: list[str] = []
        self.failed: list[tuple[str, str]] = []
        self.controlled: list[Op] = []
        self.error: Exception | None = None
        self._go = anyio.Event()

    async def __call__(self, prompt: Prompt) -> None:
        self.begun.append(prompt.text)
        if self.error is not None:
            raise self.error
        try:
            await self._go.wait()
        except anyio.get_cancelled_exc_class():
            self.cancelled.append(prompt.text)
            raise
        self.ended.append(prompt.text)

    def let_go(self) -> None:
        """Let what runs end; what comes after waits again."""
        self._go.set()
        self._go = anyio.Event()

    async def fail(self, error: BaseException, prompt: Prompt) -> None:
        self.failed.append((str(error), prompt.text))

    async def set_mode(self, op: SetMode) -> None:
        self.controlled.append(op)

    async def set_model(self, op: SetModel) -> None:
        self.controlled.append(op)

    async def set_thinking(self, op: SetThinking) -> None:
        self.controlled.append(op)

    async def rename(self, op: Rename) -> None:
        self.controlled.append(op)


class Place:
    """A session that runs ``Work``."""

    def __init__(self, folder: Path, background: Background | None = None) -> None:
        self.work = Work()
        self.stage = Stage(folder)
        self.hub = Hub()
        stage = self.stage
        fixed = Fixed(str(folder), ("default",), False)
        status = Status(self.hub.emit, lambda: stage.record.conversation, stage.policy, fixed)
        self.desk = Desk(self.hub.emit, self._settle, self._apply)
        parts = Parts(
            self.hub,
            stage.record,
            status,
            PromptQueue(self.hub.emit),
            self.desk,
            self.work,
            self.work,
            self.work.fail,
            background,
        )
        self.session = Session(parts)
        self.heard: list[Message] = []

    def _settle(self, request: PermissionRequest) -> PermissionAnswer | None:
        return None

    async def _apply(self, updates: tuple[PermissionUpdate, ...]) -> None:
        raise AssertionError

    async def _listen(self) -> None:
        with self.session.subscribe() as messages:
            async for message in messages:
                self.heard.append(message)

    async def during(self, body: Callable[[], Awaitable[None]]) -> None:
        """Serve the session while ``body`` goes, then end it."""
        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                group.start_soon(self._listen)
                group.start_soon(self.session.serve)
                await body()
                await self.session.end()

    async def send(self, *ops: Op) -> None:
        """Send, and wait until nothing more happens."""
        for op in ops:
            self.session.send(op)
        await anyio.wait_all_tasks_blocked()

    @property
    def queues(self) -> list[list[str]]:
        return [[i.text for i in m.items] for m in self.heard if isinstance(m, QueueChanged)]


def prompt(text: str, *, now: bool = False) -> Prompt:
    return Prompt(text, f"id-{text}", now=now)


async def test_prompts_run_one_after_another_in_order(tmp_path: Path) -> None:
    place = Place(tmp_path)

    async def body() -> None:
        await place.send(prompt("a"), prompt("b"), prompt("c"))
        assert place.work.begun == ["a"]
        assert place.session.busy
        for _ in range(3):
            place.work.let_go()
            await anyio.wait_all_tasks_blocked()
        assert not place.session.busy

    await place.during(body)
    assert place.work.ended == ["a", "b", "c"]
    assert place.queues[-1] == []


async def test_an_interrupt_ends_the_run_and_the_next_prompt_goes(tmp_path: Path) -> None:
    place = Place(tmp_path)

    async def body() -> None:
        await place.send(Interrupt())
        await place.send(prompt("a"), prompt("b"))
        await place.send(Interrupt())
        assert place.work.cancelled == ["a"]
        assert place.work.begun == ["a", "b"]
        await place.send(Interrupt(), Interrupt())
        assert place.work.cancelled == ["a", "b"]
        await place.send(prompt("c"))
        place.work.let_go()

    await place.during(body)
    assert place.work.begun == ["a", "b", "c"]


async def test_what_waits_can_be_changed(tmp_path: Path) -> None:
    place = Place(tmp_path)

    async def body() -> None:
        await place.send(prompt("a"), prompt("b"), prompt("c"))
        await place.send(EditQueue((QueuedPrompt("id-c", "c changed"),)))
        place.work.let_go()
        await anyio.wait_all_tasks_blocked()

    await place.during(body)
    assert place.work.begun == ["a", "c changed"]


@pytest.mark.parametrize("error", [AgentTuiError("we said so"), RuntimeError("a fault")])
async def test_a_fault_ends_the_run_with_a_result_and_not_the_session(
    tmp_path: Path, error: Exception
) -> None:
    place = Place(tmp_path)

    async def body() -> None:
        place.work.error = error
        await place.send(prompt("a"))
        place.work.error = None
        await place.send(prompt("b"))

    await place.during(body)
    assert place.work.failed == [(str(error), "a")]
    assert place.work.begun == ["a", "b"]


async def test_answers_reach_the_desk_while_a_run_waits(tmp_path: Path) -> None:
    place = Place(tmp_path)
    request = PermissionRequest("r1", "Bash", "t1", {}, TextDisplay(), "?", "why")
    answers: list[PermissionAnswer] = []

    async def ask() -> None:
        answers.append(await place.desk.decide(request))

    async def body() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            await place.send(Answer("r1", Allow()))

    await place.during(body)
    assert answers == [Allow()]


async def test_controls_are_told_in_order(tmp_path: Path) -> None:
    place = Place(tmp_path)
    ops: list[Op] = [SetMode("plan"), SetModel("other"), SetThinking(0), Rename("title")]

    async def body() -> None:
        await place.send(prompt("a"), *ops, Open())

    await place.during(body)
    assert place.work.controlled == ops


async def test_stop_interrupts_what_runs_drops_what_waits_and_ends(tmp_path: Path) -> None:
    place = Place(tmp_path)

    async def body() -> None:
        await place.send(prompt("a"), prompt("b"))
        await place.send(Stop())

    await place.during(body)
    await place.session.stopped()
    assert place.work.cancelled == ["a"]
    assert place.work.begun == ["a"]
    assert place.stage.sink.log[-1] == "sync"
    place.session.send(prompt("too late"))
    with place.session.subscribe() as messages:
        assert [m async for m in messages] == []


async def test_cancelled_from_outside_it_ends_cleanly(tmp_path: Path) -> None:
    place = Place(tmp_path)
    async with anyio.create_task_group() as group:
        group.start_soon(place.session.serve)
        await place.send(prompt("a"))
        group.cancel_scope.cancel()
    await place.session.stopped()
    assert place.work.cancelled == ["a"]
    assert place.stage.sink.log == ["sync"]


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_an_event_loop_that_ends_while_the_session_does_leaves_nobody_waiting(
    tmp_path: Path,
) -> None:
    """What ``asyncio.run`` does to tasks at its end goes through shields."""
    place = Place(tmp_path)
    syncing = anyio.Event()

    async def never() -> None:
        syncing.set()
        await anyio.sleep_forever()

    place.stage.sink.moments = cast("Moments", never)
    task = asyncio.create_task(place.session.serve())
    place.session.send(Stop())
    await syncing.wait()
    task.cancel()
    with anyio.fail_after(5):
        await place.session.stopped()
    assert (await asyncio.gather(task, return_exceptions=True))[0] is not None


class Tasks:
    """Stands in for the background: knows one task, remembers what was stopped."""

    def __init__(self) -> None:
        self.stopped: list[tuple[str, bool]] = []

    async def stop(self, task_id: str, *, by_person: bool = False) -> BackgroundTask:
        if task_id != "b1":
            raise PortError(f"There is no background task {task_id!r}.")
        self.stopped.append((task_id, by_person))
        return BackgroundTask("b1", "local_bash", "w", "c", "/f", "killed")


async def test_a_person_stops_a_task_and_hears_of_one_that_there_is_not(tmp_path: Path) -> None:
    tasks = Tasks()
    place = Place(tmp_path, cast("Background", tasks))

    async def body() -> None:
        await place.send(StopTask("b1"), StopTask("b2"))

    await place.during(body)
    assert tasks.stopped == [("b1", True)]
    [said] = place.stage.system_messages("informational")
    assert said["content"] == "There is no background task 'b2'."


async def test_it_is_at_rest_when_nothing_runs_or_waits(tmp_path: Path) -> None:
    place = Place(tmp_path)
    rests: list[int] = []

    async def body() -> None:
        place.session.send(prompt("a"))
        place.session.send(prompt("b"))

        async def rest() -> None:
            await place.session.at_rest()
            rests.append(len(place.work.ended))

        async with anyio.create_task_group() as group:
            group.start_soon(rest)
            for _ in range(2):
                await anyio.wait_all_tasks_blocked()
                assert rests == []
                place.work.let_go()
        await place.session.at_rest()

    await place.during(body)
    assert rests == [2]


async def test_an_ended_session_is_at_rest(tmp_path: Path) -> None:
    place = Place(tmp_path)

    async def body() -> None:
        await place.send(prompt("a"))

    await place.during(body)
    await place.session.at_rest()
    assert place.work.cancelled == ["a"]


async def test_work_of_others_is_done_between_runs_and_keeps_them_away(tmp_path: Path) -> None:
    place = Place(tmp_path)
    began, go_on = anyio.Event(), anyio.Event()
    done: list[int] = []

    async def work() -> int:
        began.set()
        await go_on.wait()
        return 7

    async def ask() -> None:
        done.append(await place.session.alone(work))

    async def body() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await began.wait()
            await place.send(prompt("a"))
            assert place.work.begun == []
            go_on.set()
            await anyio.wait_all_tasks_blocked()
        assert done == [7]
        assert place.work.begun == ["a"]
        with pytest.raises(UsageError, match="at work"):
            await place.session.alone(work)
        place.work.let_go()

    await place.during(body)
    with pytest.raises(UsageError, match="over"):
        await place.session.alone(work)


async def test_nobody_waits_for_a_turn_that_does_not_come(tmp_path: Path) -> None:
    place = Place(tmp_path)
    said: list[str] = []

    async def never() -> None:
        raise AssertionError

    async def ask() -> None:
        try:
            await place.session.alone(never)
        except UsageError as error:
            said.append(str(error))

    async with anyio.create_task_group() as group:
        place.session.send(Stop())
        group.start_soon(ask)
        await anyio.wait_all_tasks_blocked()
        await place.session.serve()
    assert len(said) == 1
