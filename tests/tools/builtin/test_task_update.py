"""TaskUpdate."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.display import TaskListDisplay
from agent_tui.protocol.tasks import Task
from agent_tui.tools.base import InvalidInputError
from agent_tui.tools.builtin.task_update import TOOL
from tests.tools.place import Place
from tests.tools.world import FakeTasks, with_tasks

pytestmark = pytest.mark.anyio


def three() -> FakeTasks:
    return FakeTasks(
        {
            "1": Task("1", "one", metadata={"a": 1, "b": 2}),
            "2": Task("2", "two", blocks=("3",)),
            "3": Task("3", "three", blocked_by=("2",)),
        }
    )


async def test_what_is_named_is_changed_and_told(place: Place) -> None:
    tasks = three()
    output = await with_tasks(place, tasks).run(
        TOOL, taskId="1", status="in_progress", subject="uno", metadata={"b": None, "c": 3}
    )
    assert output.content == "Task 1 is in progress."
    assert output.structured == {
        "success": True,
        "taskId": "1",
        "updatedFields": ["subject", "metadata", "status"],
        "statusChange": {"from": "pending", "to": "in_progress"},
    }
    assert tasks.tasks["1"] == Task("1", "uno", status="in_progress", metadata={"a": 1, "c": 3})
    assert isinstance(output.display, TaskListDisplay)
    assert [row.changed for row in output.display.tasks] == [True, False, False]


async def test_a_deleted_task_leaves_the_list(place: Place) -> None:
    tasks = three()
    output = await with_tasks(place, tasks).run(TOOL, taskId="#1", status="deleted")
    assert list(tasks.tasks) == ["2", "3"]
    assert output.structured == {
        "success": True,
        "taskId": "1",
        "updatedFields": ["deleted"],
        "statusChange": {"from": "pending", "to": "deleted"},
    }


async def test_waiting_is_added_to_what_was_there(place: Place) -> None:
    tasks = three()
    with_tasks(place, tasks)
    output = await place.run(TOOL, taskId="3", addBlockedBy=["#1"], owner="me")
    assert tasks.tasks["3"].blocked_by == ("2", "1")
    assert isinstance(output.structured, dict)
    assert output.structured["updatedFields"] == ["owner", "blockedBy"]
    assert output.content == "Task 3: owner, blockedBy changed."


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"taskId": "9"}, "There is no task 9. There are: 1, 2, 3."),
        ({"taskId": "1", "addBlocks": ["7"]}, "There is no task 7"),
        ({"taskId": "1", "addBlockedBy": ["1"]}, "can't wait for itself"),
        ({"taskId": "2", "addBlockedBy": ["3"]}, "would wait for one another for ever"),
        ({"taskId": "3", "addBlocks": ["2"]}, "would wait for one another for ever"),
    ],
)
async def test_what_can_not_be_is_refused_and_nothing_changed(
    place: Place, given: dict[str, Any], says: str
) -> None:
    tasks = three()
    output = await with_tasks(place, tasks).run(TOOL, **given)
    assert says in str(output.content)
    assert isinstance(output.structured, dict)
    assert output.structured["success"] is False
    assert output.structured["updatedFields"] == []
    assert tasks.tasks == three().tasks


async def test_a_hook_that_objects_keeps_a_task_open(place: Place) -> None:
    tasks = three()
    tasks.objection = "the tests fail"
    output = await with_tasks(place, tasks).run(TOOL, taskId="1", status="completed")
    assert "the tests fail" in str(output.content)
    assert tasks.tasks["1"].status == "pending"


async def test_nothing_to_change_is_told(place: Place) -> None:
    output = await with_tasks(place, three()).run(TOOL, taskId="1", status="pending")
    assert output.structured == {"success": True, "taskId": "1", "updatedFields": []}
    assert "as it was" in str(output.content)


def test_an_unknown_status_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="status"):
        TOOL.parse({"taskId": "1", "status": "done"})


async def test_without_a_list_it_says_so(place: Place) -> None:
    assert (await place.run(TOOL, taskId="1")).is_error
