"""ToolSearch."""

from __future__ import annotations

import pytest

from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.ports import ShelvedTool
from agent_tui.tools.builtin.tool_search import TOOL
from tests.tools.place import Place
from tests.tools.world import FakeShelf, with_shelf

pytestmark = pytest.mark.anyio


def shelf() -> FakeShelf:
    return FakeShelf(
        (
            ShelvedTool("mcp__mail__list", "Lists messages."),
            ShelvedTool("mcp__mail__send", "Sends a message."),
        )
    )


async def test_tools_by_name_are_taken_and_referred_to(place: Place) -> None:
    here = shelf()
    output = await with_shelf(place, here).run(TOOL, query="select:mcp__mail__send,mcp__x__y")
    assert here.taken == ["mcp__mail__send"]
    assert output.content == [{"type": "tool_reference", "tool_name": "mcp__mail__send"}]
    assert "can be called now: mcp__mail__send" in output.aside
    assert "Not among the tools to be loaded: mcp__x__y" in output.aside
    assert output.structured == {
        "query": "select:mcp__mail__send,mcp__x__y",
        "matches": ["mcp__mail__send"],
        "total_deferred_tools": 2,
    }
    assert output.display == TextDisplay("select:mcp__mail__send,mcp__x__y", "mcp__mail__send")


async def test_words_find_tools_up_to_a_number(place: Place) -> None:
    here = shelf()
    output = await with_shelf(place, here).run(TOOL, query="message", max_results=1)
    assert here.taken == ["mcp__mail__list"]
    assert isinstance(output.content, list) and len(output.content) == 1


async def test_nothing_found_names_what_there_is(place: Place) -> None:
    here = shelf()
    output = await with_shelf(place, here).run(TOOL, query="zebra")
    assert here.taken == []
    assert output.content == ("No tool fits 'zebra'. There are: mcp__mail__list, mcp__mail__send.")
    assert output.is_error is None


async def test_many_names_are_cut(place: Place) -> None:
    many = FakeShelf(tuple(ShelvedTool(f"t{number}", "") for number in range(60)))
    assert "and 10 more" in await with_shelf(place, many).text(TOOL, query="zebra")


async def test_with_every_tool_loaded_it_says_so(place: Place) -> None:
    assert "call it right away" in await place.text(TOOL, query="x")
    assert "call it right away" in await with_shelf(place, FakeShelf()).text(TOOL, query="x")
