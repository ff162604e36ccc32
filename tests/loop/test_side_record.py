"""What a sub-agent costs stands in both journals."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.entries import ResponseEntry
from agent_tui.loop.agent_voice import AgentVoice
from agent_tui.loop.record import Price
from agent_tui.loop.side_record import SideRecorder
from agent_tui.model.client import ModelResponse
from agent_tui.protocol.usage import Usage
from tests.loop.home import Home, SideEntries
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


async def _quiet(*what: object) -> None:
    """Hear nothing."""


def recorder(home: Home, book: SideEntries) -> SideRecorder:
    voice = AgentVoice(
        _quiet,
        "c",
        "a1",
        forwards=False,
        texts=False,
        on_call=_quiet,
        on_text=_quiet,
        on_wait=_quiet,
    )
    return SideRecorder(book, home.household, "a1", voice)


def answer() -> ModelResponse:
    return ModelResponse("m1", "x", (), "end_turn", Usage(input_tokens=50, output_tokens=5))


async def test_the_sessions_totals_grow_and_its_window_does_not(tmp_path: Path) -> None:
    home, book = Home(Stage(tmp_path)), SideEntries()
    record = recorder(home, book)
    record.response(answer(), Price(0.5, 1000), "x", "main")
    session = home.stage.record.conversation
    assert session.total_cost_usd == 0.5
    assert session.model_usage["x"].usage.input_tokens == 50
    assert (session.context_tokens, session.turns, session.usage) == (0, 0, Usage())
    assert record.conversation.context_tokens == 55
    [own] = book.entries
    [theirs] = home.stage.sink.entries
    assert isinstance(own, ResponseEntry) and isinstance(theirs, ResponseEntry)
    assert (own.purpose, theirs.purpose) == ("main", "agent")
    assert (own.header.agent_id, theirs.header.agent_id) == ("a1", "")
    assert home.changes == 1
