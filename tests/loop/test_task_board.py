"""The task list of a session."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_tui.journal.entries import TasksEntry
from agent_tui.journal.fold import fold
from agent_tui.loop.hooks import NoHooks
from agent_tui.loop.task_board import TaskBoard
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.hooks import NOTHING, HookEvent, HookOutcome
from agent_tui.protocol.tasks import Task
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


class Watching:
    """Implements ``Hooks``: says ``outcome`` to one event, notes all."""

    def __init__(self, event: str = "", outcome: HookOutcome = NOTHING) -> None:
        self._event = event
        self._outcome = outcome
        self.fired: list[tuple[str, str]] = []

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        self.fired.append((event, str((fields or {}).get("task_id"))))
        return self._outcome if event == self._event else NOTHING


async def test_tasks_are_written_and_known_to_a_resumed_session(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    board = TaskBoard(stage.record, NoHooks())
    await board.put(Task(board.next_id(), "one"))
    await board.put(Task(board.next_id(), "two", blocked_by=("1",)))
    assert [task.id for task in board.all()] == ["1", "2"]
    assert board.all()[0].blocks == ("2",)
    again = fold(stage.sink.entries)
    assert (again.tasks, again.last_task) == (board.all(), 2)


async def test_no_id_is_given_twice(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    board = TaskBoard(stage.record, NoHooks())
    assert (board.next_id(), board.next_id()) == ("1", "2")
    await board.put(Task("2", "two"))
    await board.remove("2")
    assert board.next_id() == "3"
    assert TaskBoard(stage.record, NoHooks()).next_id() == "3"


async def test_a_conversation_that_begins_anew_counts_anew(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    board = TaskBoard(stage.record, NoHooks())
    await board.put(Task(board.next_id(), "one"))
    stage.record.begin_anew(stage.sink, replace(stage.record.stamp, session_id="other"))
    assert (board.all(), board.next_id()) == ((), "1")


async def test_hooks_hear_of_tasks_that_come_and_are_done(tmp_path: Path) -> None:
    hooks = Watching()
    board = TaskBoard(Stage(tmp_path).record, hooks)
    await board.put(Task("1", "one"))
    await board.put(Task("1", "one", status="in_progress"))
    await board.put(Task("1", "one", status="completed"))
    await board.put(Task("1", "uno", status="completed"))
    await board.put(Task("2", "two", status="completed"))
    assert hooks.fired == [
        ("TaskCreated", "1"),
        ("TaskCompleted", "1"),
        ("TaskCreated", "2"),
        ("TaskCompleted", "2"),
    ]


@pytest.mark.parametrize(
    ("event", "outcome", "task"),
    [
        ("TaskCreated", HookOutcome(blocked="not now"), Task("2", "two")),
        ("TaskCompleted", HookOutcome(blocked="not now"), Task("1", "one", status="completed")),
        ("TaskCompleted", HookOutcome(stop="not now"), Task("1", "one", status="completed")),
    ],
)
async def test_a_hook_that_objects_changes_nothing(
    tmp_path: Path, event: str, outcome: HookOutcome, task: Task
) -> None:
    stage = Stage(tmp_path)
    board = TaskBoard(stage.record, Watching(event, outcome))
    if event != "TaskCreated":
        await board.put(Task("1", "one"))
    before = list(stage.sink.entries)
    with pytest.raises(PortError, match="not now"):
        await board.put(task)
    assert stage.sink.entries == before


async def test_what_is_removed_is_waited_for_no_more(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    board = TaskBoard(stage.record, NoHooks())
    await board.put(Task("1", "one", blocks=("2", "3")), Task("2", "two"), Task("3", "three"))
    await board.remove("2")
    assert board.all() == (Task("1", "one", blocks=("3",)), Task("3", "three", blocked_by=("1",)))
    assert isinstance(stage.sink.entries[-1], TasksEntry)


IDS = st.sampled_from("123")


def _task(name: str, blocks: set[str], by: set[str]) -> Task:
    return Task(name, name, blocks=tuple(blocks), blocked_by=tuple(by))


TASKS = st.builds(
    _task,
    IDS,
    st.sets(IDS, max_size=3),
    st.sets(IDS, max_size=3),
)


@settings(max_examples=60, deadline=None)
@given(changes=st.lists(TASKS, max_size=8))
async def test_both_sides_always_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, changes: list[Task]
) -> None:
    board = TaskBoard(Stage(tmp_path_factory.getbasetemp()).record, NoHooks())
    for task in changes:
        await board.put(task)
        there = {one.id: one for one in board.all()}
        for one in there.values():
            assert all(one.id in there[other].blocked_by for other in one.blocks)
            assert all(one.id in there[other].blocks for other in one.blocked_by)
