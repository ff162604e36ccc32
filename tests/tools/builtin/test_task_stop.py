"""TaskStop: the end of a task."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.protocol.background import BackgroundTask
from agent_tui.tools.base import ToolSet
from agent_tui.tools.builtin.task_stop import TOOL
from tests.tools.hands import FakeBackground, with_background
from tests.tools.place import Place

pytestmark = pytest.mark.anyio

TASK = BackgroundTask("b1", "local_bash", "wait", "call", "/out", command="sleep 9")


async def test_it_says_what_was_ended_and_where_its_output_is(place: Place) -> None:
    here = with_background(place, FakeBackground({"b1": TASK}))
    output = await here.run(TOOL, task_id="b1")
    message = "Stopped b1 (wait). Its output until then is in /out."
    assert output.content == message
    assert output.structured == {
        "message": message,
        "task_id": "b1",
        "task_type": "local_bash",
        "command": "sleep 9",
    }


async def test_one_that_ended_in_the_same_moment_was_not_stopped(place: Place) -> None:
    class Quick(FakeBackground):
        async def stop(self, task_id: str, *, by_person: bool = False) -> BackgroundTask:
            return replace(TASK, status="completed")

    output = await with_background(place, Quick({"b1": TASK})).run(TOOL, task_id="b1")
    assert output.content == "b1 (wait) had just ended by itself: completed."


async def test_an_unknown_task_and_a_missing_background_are_errors(place: Place) -> None:
    here = with_background(place, FakeBackground())
    assert "no background task 'b1'" in str((await here.run(TOOL, task_id="b1")).content)
    assert (await place.run(TOOL, task_id="b1")).is_error


def test_older_names_are_taken() -> None:
    assert TOOL.parse({"shell_id": "b1"}).task_id == "b1"
    tools = ToolSet.of((TOOL,))
    assert tools.named("KillShell") is tools.named("KillBash") is TOOL
