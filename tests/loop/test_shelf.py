"""The shelf of deferred tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.journal.entries import ToolsTakenEntry
from agent_tui.journal.fold import fold
from agent_tui.loop.shelf import Shelf, take_unseen
from agent_tui.loop.toolbox import Toolbox
from agent_tui.model.prices import ModelTable
from agent_tui.tools.base import ToolSet
from agent_tui.tools.deferral import Deferral
from tests.loop.stage import MODEL, FakeTool, Stage

pytestmark = pytest.mark.anyio


def shelf_of(stage: Stage, model: str = MODEL) -> Shelf:
    names = ("Look", "ToolSearch", "mcp__a__y", "mcp__a__x")
    tools = ToolSet.of(tuple(FakeTool(name) for name in names))
    toolbox = Toolbox(tools, Deferral(enabled=True), ModelTable.of({}))
    return Shelf(stage.record, toolbox, lambda: model)


async def test_what_is_taken_is_written_once_and_known_to_a_resumed_session(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    shelf = shelf_of(stage)
    assert [(t.name, t.taken) for t in shelf.shelved()] == [
        ("mcp__a__x", False),
        ("mcp__a__y", False),
    ]
    assert shelf.shelved()[0].description == "?"
    shelf.take(("mcp__a__y", "Look", "unknown", "mcp__a__y"))
    shelf.take(("mcp__a__y",))
    assert [e.names for e in stage.sink.entries if isinstance(e, ToolsTakenEntry)] == [
        ("mcp__a__y",)
    ]
    assert fold(stage.sink.entries).tools_taken == ("mcp__a__y",)
    assert [t.taken for t in shelf.shelved()] == [False, True]


async def test_a_call_of_an_unseen_tool_takes_it_so_that_the_next_one_works(tmp_path: Path) -> None:
    shelf = shelf_of(Stage(tmp_path))
    assert take_unseen(shelf, "Look") is None
    text = take_unseen(shelf, "mcp__a__x")
    assert text is not None and "select:mcp__a__x" in text
    assert take_unseen(shelf, "mcp__a__x") is None
    assert take_unseen(None, "mcp__a__x") is None


async def test_for_a_model_that_has_every_definition_the_shelf_is_empty(tmp_path: Path) -> None:
    shelf = shelf_of(Stage(tmp_path), "claude-haiku-4-5")
    assert shelf.shelved() == ()
    assert take_unseen(shelf, "mcp__a__x") is None
