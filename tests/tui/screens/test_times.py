from __future__ import annotations

from dataclasses import replace

from agent_tui.protocol.display import TaskListDisplay, TaskRow, TextDisplay
from agent_tui.tui.pump import Pump
from agent_tui.tui.screens.times import Times, newest_list
from agent_tui.view.blocks import ToolBlock
from agent_tui.view.status import Status
from agent_tui.view.works import Work
from tests.tui.fake_link import FakeLink
from tests.tui.stage import Clock
from tests.tui.test_pump import Ear

SLEEP, SUITE = Work("b1", False, "sleep 9"), Work("b2", False, "suite")


def test_what_runs_is_timed_from_when_it_was_heard_of_to_its_end() -> None:
    clock, link = Clock(), FakeLink()
    pump = Pump(link, Ear(), has_past=False)
    times = Times(pump, clock)
    times.note((SLEEP,))
    clock.now += 3
    over = replace(SLEEP, state="completed")
    pump.status = Status(works=(over, SUITE))
    times.note(pump.status.works)
    clock.now += 2
    assert times.tasks().elapsed_ms == {"b1": 3000, "b2": 2000}
    assert times.tasks().works == (over, SUITE)
    link.drop()


def test_the_newest_whole_list_counts() -> None:
    older = TaskListDisplay((TaskRow("1", "a", "pending"),))
    newer = TaskListDisplay((TaskRow("1", "a", "completed"),))
    one = ToolBlock("t1", "TaskCreate", {}, "done", older)
    two = ToolBlock("t2", "TaskUpdate", {}, "done", newer)
    looked = ToolBlock("t3", "TaskGet", {}, "done", older)
    failed = ToolBlock("t4", "TaskUpdate", {}, "failed", older)
    said = ToolBlock("t5", "TaskUpdate", {}, "done", TextDisplay("x"))
    assert newest_list((one, two, looked, failed, said)) is newer
    assert newest_list((looked,)) is None
