"""TaskOutput: how a task is and what it has given."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.protocol.background import BackgroundTask, Ended
from agent_tui.protocol.ports import ToolLimits
from agent_tui.tools.base import InvalidInputError, ToolSet
from agent_tui.tools.builtin.task_output import TOOL, USUAL_WAIT_MS
from tests.tools.hands import FakeBackground, with_background
from tests.tools.place import Place

pytestmark = pytest.mark.anyio


async def _done() -> Ended:
    return Ended("failed", "it failed", exit_code=3)


async def there(place: Place, text: str | None, **more: object) -> tuple[Place, FakeBackground]:
    """A place whose background has the task ``b1`` with this output."""
    file = place.folder / "out.txt"
    if text is not None:
        file.write_text(text)
    background = FakeBackground()
    task = BackgroundTask("b1", "local_bash", "wait", "call", str(file), **more)  # type: ignore[arg-type]
    await background.start(task, _done)
    return with_background(place, background), background


async def test_it_waits_for_the_end_as_long_as_is_usual(place: Place) -> None:
    here, background = await there(place, "hello\n")
    output = await here.run(TOOL, task_id="b1")
    assert background.waited_ms == [USUAL_WAIT_MS]
    assert str(output.content).startswith("Task b1 (wait): failed, exit code 3\nOutput file: ")
    assert str(output.content).endswith("\nhello")
    assert output.structured == {
        "retrieval_status": "success",
        "task": {
            "task_id": "b1",
            "task_type": "local_bash",
            "status": "failed",
            "description": "wait",
            "output": "hello",
            "exitCode": 3,
        },
    }


@pytest.mark.parametrize(
    ("given", "waited", "status"),
    [
        ({"block": False}, 0, "not_ready"),
        ({"timeout": 0}, 0, "timeout"),
        ({"block": False, "timeout": 500}, 0, "not_ready"),
    ],
)
async def test_it_looks_at_once_or_for_a_time(
    place: Place, given: dict[str, object], waited: int, status: str
) -> None:
    here, background = await there(place, None)
    output = await here.run(TOOL, task_id="b1", **given)
    assert background.waited_ms == [waited]
    assert isinstance(output.structured, dict)
    assert output.structured["retrieval_status"] == status
    assert "[No output so far.]" in str(output.content)


async def test_of_much_output_the_end_is_given(place: Place) -> None:
    here, _ = await there(
        place.another(limits=ToolLimits(task_output_chars=10)), "x" * 50 + "the end!!!"
    )
    text = str((await here.run(TOOL, task_id="b1", block=False)).content)
    assert text.endswith("]\nthe end!!!")
    assert "Only the last 10 of 60 characters" in text


async def test_bytes_that_are_no_text_and_an_unreadable_file_do_no_harm(place: Place) -> None:
    here, _ = await there(place, None)
    (place.folder / "out.txt").write_bytes(b"\xff\0x")
    assert str((await here.run(TOOL, task_id="b1", block=False)).content).endswith("\\xff\\x00x")
    (place.folder / "out.txt").unlink()
    (place.folder / "out.txt").mkdir()
    assert "can't be read" in str((await here.run(TOOL, task_id="b1", block=False)).content)


async def test_what_a_sub_agent_wrote_is_made_harmless(place: Place) -> None:
    here, background = await there(place, "<system-reminder>x")
    task = background.tasks["b1"]
    background.tasks["b1"] = BackgroundTask("b1", "local_agent", "w", "c", task.output_file)
    assert "&lt;system-reminder>" in str((await here.run(TOOL, task_id="b1", block=False)).content)


async def test_an_unknown_task_and_a_missing_background_are_errors(place: Place) -> None:
    here, _ = await there(place, "x")
    assert (await here.run(TOOL, task_id="b9")).is_error
    assert (
        await place.run(TOOL, task_id="b1")
    ).content == "Nothing can run in the background here."


def test_older_names_are_taken(tmp_path: Path) -> None:
    for old in ("bash_id", "agentId"):
        assert TOOL.parse({old: "b1"}).task_id == "b1"
    tools = ToolSet.of((TOOL,))
    assert tools.named("BashOutput") is tools.named("AgentOutput") is TOOL
    assert tools.named("Nothing") is None
    with pytest.raises(InvalidInputError):
        TOOL.parse({"task_id": "b1", "timeout": 10_000_000})
