"""What the model is told for as long as it holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.context.compaction import boundary_entries
from agent_tui.engine.standing import GONE, PLAN_OFF, PLAN_ON, THERE, PlanNote, ShelfNote, Standing
from agent_tui.journal.fold import fold
from agent_tui.loop.record import Recorder
from agent_tui.protocol.ports import ShelvedTool
from tests.loop.stage import Stage
from tests.tools.world import FakeShelf

pytestmark = pytest.mark.anyio


class Told:
    """A window and the notes that are kept of it."""

    def __init__(self, folder: Path) -> None:
        self.stage = Stage(folder)
        self.mode = "default"
        self.shelf = FakeShelf()
        self.standing = self.made(self.stage.record)

    def made(self, record: Recorder) -> Standing:
        plan = PlanNote(lambda: self.mode, "Look only.")
        return Standing(record, plan, ShelfNote(self.shelf))

    def tell(self) -> list[str]:
        """Have it told; give what is new."""
        before = len(self.texts)
        self.standing.tell()
        return self.texts[before:]

    def has(self, *names: str) -> None:
        self.shelf.tools = tuple(ShelvedTool(name, "") for name in names)

    @property
    def texts(self) -> list[str]:
        return [str(line.blocks[0]["text"]) for line in self.stage.record.conversation.lines]


def reminded(text: str) -> str:
    return f"<system-reminder>\n{text}\n</system-reminder>"


async def test_plan_mode_is_told_when_it_comes_and_when_it_goes(tmp_path: Path) -> None:
    told = Told(tmp_path)
    assert told.tell() == []
    told.mode = "plan"
    assert told.tell() == [reminded(f"{PLAN_ON} Look only.")]
    assert told.tell() == []
    told.mode = "acceptEdits"
    assert told.tell() == [reminded(PLAN_OFF)]
    assert told.tell() == []


async def test_tools_are_told_by_name_as_they_come_and_go(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.has("b", "a")
    assert told.tell() == [reminded(f"{THERE}\na\nb")]
    told.has("b", "c")
    assert told.tell() == [reminded(f"{THERE}\nc\n{GONE}\na")]
    assert told.tell() == []
    told.has()
    assert told.tell() == [reminded(f"{GONE}\nb\nc")]


async def test_a_resumed_session_is_told_nothing_twice(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.mode = "plan"
    told.has("a")
    assert len(told.tell()) == 2
    told.standing = told.made(told.stage.record)
    assert told.tell() == []
    told.mode = "default"
    assert told.tell() == [reminded(PLAN_OFF)]


async def test_a_window_that_was_cut_is_told_again(tmp_path: Path) -> None:
    told = Told(tmp_path)
    record = told.stage.record
    await record.prompt("go", None)
    told.mode = "plan"
    told.has("a")
    told.tell()
    boundary, summary = boundary_entries(
        record.stamp,
        record.conversation,
        "all of it",
        trigger="auto",
        kept_from=None,
        pre_tokens=9,
        fixed_tokens=1,
        duration_ms=1,
    )
    await record.cut(boundary, summary)
    assert told.tell() == [reminded(f"{PLAN_ON} Look only."), reminded(f"{THERE}\na")]
    assert fold(told.stage.sink.entries).lines == record.conversation.lines


async def test_what_the_person_types_is_no_reminder(tmp_path: Path) -> None:
    told = Told(tmp_path)
    await told.stage.record.prompt("Plan mode is on.", None)
    told.mode = "plan"
    assert len(told.tell()) == 1
