"""TaskList."""

from __future__ import annotations

import pytest

from agent_tui.protocol.display import TaskListDisplay
from agent_tui.protocol.tasks import Task
from agent_tui.tools.builtin.task_list import TOOL
from tests.tools.place import Place
from tests.tools.world import FakeTasks, with_tasks

pytestmark = pytest.mark.anyio


async def test_every_task_is_listed(place: Place) -> None:
    tasks = {
        "1": Task("1", "one", status="completed", blocks=("2",)),
        "2": Task("2", "two", owner="me", blocked_by=("1", "3")),
        "3": Task("3", "three", status="in_progress", blocks=("2",)),
    }
    output = await with_tasks(place, FakeTasks(tasks)).run(TOOL)
    assert output.content == (
        "#1 [completed] one\n#2 [pending] two (owner me) (waits for 3)\n#3 [in_progress] three"
    )
    assert output.structured == {
        "tasks": [
            {"id": "1", "subject": "one", "status": "completed", "blockedBy": []},
            {
                "id": "2",
                "subject": "two",
                "status": "pending",
                "owner": "me",
                "blockedBy": ["1", "3"],
            },
            {"id": "3", "subject": "three", "status": "in_progress", "blockedBy": []},
        ]
    }
    assert isinstance(output.display, TaskListDisplay)
    assert not any(row.changed for row in output.display.tasks)


async def test_an_empty_list_says_so(place: Place) -> None:
    output = await with_tasks(place, FakeTasks()).run(TOOL)
    assert (output.content, output.structured) == ("There are no tasks.", {"tasks": []})


async def test_without_a_list_it_says_so(place: Place) -> None:
    assert (await place.run(TOOL)).is_error
