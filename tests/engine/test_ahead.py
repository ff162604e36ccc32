"""Lines that wait for the first one that is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.engine.ahead import Ahead
from agent_tui.journal.unsaved import UnsavedJournal
from tests.journal.story import Story

pytestmark = pytest.mark.anyio


async def test_what_waits_is_written_once_and_first() -> None:
    story = Story()
    one, two, three = (story.prompt(word) for word in ("one", "two", "three"))
    journal = UnsavedJournal(Path("x"))
    sink = Ahead(journal, (one, two))
    await sink.sync()
    assert journal.stored() == ()
    sink.append(three)
    sink.append(three)
    assert journal.stored() == (one, two, three, three)
