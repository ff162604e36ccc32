"""TaskGet."""

from __future__ import annotations

import pytest

from agent_tui.protocol.tasks import Task
from agent_tui.tools.builtin.task_get import TOOL
from tests.tools.place import Place
from tests.tools.world import FakeTasks, with_tasks

pytestmark = pytest.mark.anyio


async def test_one_task_is_given_whole(place: Place) -> None:
    task = Task("1", "one", "all about it", blocks=("2",), metadata={"k": "v"})
    with_tasks(place, FakeTasks({"1": task, "2": Task("2", "two", blocked_by=("1",))}))
    for name in ("1", "#1", 1):
        output = await place.run(TOOL, taskId=name)
        assert output.structured == {
            "task": {
                "id": "1",
                "subject": "one",
                "description": "all about it",
                "status": "pending",
                "blocks": ["2"],
                "blockedBy": [],
            }
        }
        assert output.content == (
            "#1 [pending] one\nall about it\nWaiting for it: 2\nMetadata: {'k': 'v'}"
        )


async def test_no_such_task_is_an_answer(place: Place) -> None:
    output = await with_tasks(place, FakeTasks({"1": Task("1", "one")})).run(TOOL, taskId="9")
    assert output.structured == {"task": None}
    assert output.content == "There is no task 9. There are: 1."
    assert output.is_error is None


async def test_without_a_list_it_says_so(place: Place) -> None:
    assert (await place.run(TOOL, taskId="1")).is_error
