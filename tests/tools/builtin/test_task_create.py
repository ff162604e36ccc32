"""TaskCreate."""

from __future__ import annotations

import pytest

from agent_tui.protocol.access import NoAccess
from agent_tui.protocol.display import TaskListDisplay, TaskRow
from agent_tui.tools.builtin.task_create import TOOL
from tests.tools.place import Place
from tests.tools.world import FakeTasks, with_tasks

pytestmark = pytest.mark.anyio


async def test_a_task_is_added_and_the_list_shown(place: Place) -> None:
    tasks = FakeTasks()
    with_tasks(place, tasks)
    await place.run(TOOL, subject="first")
    output = await place.run(
        TOOL,
        subject="second",
        description="more",
        activeForm="doing it",
        metadata={"a": 1, "b": None},
    )
    assert output.content == "Task 2 created: second"
    assert output.structured == {"task": {"id": "2", "subject": "second", "description": "more"}}
    assert tasks.tasks["2"].metadata == {"a": 1}
    assert output.display == TaskListDisplay(
        (
            TaskRow("1", "first", "pending"),
            TaskRow("2", "second", "pending", "doing it", changed=True),
        )
    )
    assert TOOL.access(TOOL.parse({"subject": "x"}), place.folder) == NoAccess()


async def test_a_hook_that_objects_keeps_it_off_the_list(place: Place) -> None:
    tasks = FakeTasks(objection="too many tasks")
    output = await with_tasks(place, tasks).run(TOOL, subject="x")
    assert output.is_error
    assert "too many tasks" in str(output.content)
    assert not tasks.tasks


async def test_without_a_list_it_says_so(place: Place) -> None:
    assert (await place.run(TOOL, subject="x")).is_error
