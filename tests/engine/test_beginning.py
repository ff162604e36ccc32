"""What is written before a prompt."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

import pytest

from agent_tui.context.system_prompt import Surroundings, context_text
from agent_tui.engine.beginning import Beginning, day_told
from agent_tui.journal.entries import Stamp
from agent_tui.journal.file import Journal
from agent_tui.journal.fold import Conversation
from agent_tui.loop.hub import Hub
from agent_tui.loop.record import Recorder
from tests.engine.sessions import Place, texts_of

pytestmark = pytest.mark.anyio
MARCH = datetime(2026, 3, 1, 23, 59)


@dataclass
class Scene:
    """A conversation in a file, and a clock."""

    record: Recorder
    time: datetime = MARCH
    begun: list[str] = field(default_factory=list[str])

    def beginning(self) -> Beginning:
        def first_lines() -> None:
            self.begun.append("begun")
            self.record.started("interactive")

        return Beginning(self.record, first_lines, context, lambda: self.time)

    @property
    def texts(self) -> list[str]:
        return [str(line.blocks[0]["text"]) for line in self.record.conversation.lines]


def context(now: datetime) -> str:
    return context_text(Surroundings("/w", now.date().isoformat()))


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    numbers = iter(range(1000))
    stamp = Stamp("s", "/w", "0", lambda: MARCH, lambda: f"id-{next(numbers)}", "")
    journal = Journal.create(tmp_path / "s.jsonl")
    return Scene(Recorder(journal, stamp, Conversation(session_id="s"), Hub().emit))


async def test_a_new_journal_begins_once_with_its_lines_and_the_context(scene: Scene) -> None:
    begin = scene.beginning()
    await begin()
    await scene.record.prompt("hi", "p1")
    await begin()
    assert scene.begun == ["begun"]
    assert scene.record.conversation.has_context
    assert scene.texts[0].startswith("<system-reminder>\nEnvironment")
    assert scene.texts[1:] == ["hi"]
    assert day_told(scene.record.conversation) == "2026-03-01"


async def test_a_new_day_is_told_once_behind_what_was_said(scene: Scene) -> None:
    await scene.beginning()()
    await scene.record.prompt("good night", "p1")
    scene.time = datetime(2026, 3, 2, 8)
    for number in range(2):
        await scene.beginning()()
        await scene.record.prompt(f"good morning {number}", f"m{number}")
    assert scene.texts[1:] == [
        "good night",
        "<system-reminder>\nA new day has begun.\nToday's date: 2026-03-02\n</system-reminder>",
        "good morning 0",
        "good morning 1",
    ]
    assert day_told(scene.record.conversation) == "2026-03-02"


async def test_a_day_somebody_typed_is_not_taken_for_the_one_that_was_told(scene: Scene) -> None:
    await scene.beginning()()
    await scene.record.prompt("Today's date: 2030-01-01", "p1")
    assert day_told(scene.record.conversation) == "2026-03-01"
    assert day_told(Conversation()) is None


async def test_c6_a_session_resumed_on_a_later_day_keeps_its_prefix(place: Place) -> None:
    place.api.enqueue("one", "two")
    talk = await place.talk("first")
    old = talk.journal.read_text()
    talk.journal.write_text(
        re.sub(r"Today's date: \d{4}-\d\d-\d\d", "Today's date: 2020-02-20", old)
    )
    await place.resuming(talk.session_id).talk("second")
    first, again, *_ = (r.messages for r in place.api.messages)
    before, after = json.dumps(again[0]), json.dumps(again[-1])
    assert "2020-02-20" in before
    assert "A new day has begun" not in before
    assert len(first) == 1
    blocks = texts_of(again[-1])
    assert blocks[-1] == "second"
    today = datetime.now().astimezone().date().isoformat()
    assert f"Today's date: {today}" in blocks[0]
    assert "2020-02-20" not in after


async def test_what_stands_is_told_before_each_prompt_and_each_request(scene: Scene) -> None:
    told: list[int] = []

    def standing() -> None:
        told.append(len(scene.texts))

    begin = Beginning(
        scene.record,
        lambda: scene.record.started("interactive"),
        context,
        lambda: MARCH,
        standing,
    )
    await begin()
    await begin.renew()
    assert told
    assert set(told) == {1}  # always behind the window's context
