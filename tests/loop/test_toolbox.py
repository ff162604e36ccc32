"""What requests tell the model of its tools."""

from __future__ import annotations

from agent_tui.journal.fold import Conversation
from agent_tui.loop.toolbox import Toolbox
from agent_tui.model.prices import ModelTable
from agent_tui.protocol.content import JsonObject
from agent_tui.tools.base import ToolSet
from agent_tui.tools.deferral import Deferral
from tests.loop.stage import FakeTool

MODEL = "claude-opus-5-5"
FIXED = ("Look", "ToolSearch")


class Loaded(FakeTool):
    """A server's tool that is never deferred."""

    always_load = True


def box(*names: str, percent: int = 0) -> Toolbox:
    tools = ToolSet.of(tuple(FakeTool(name) for name in (*FIXED, *names)))
    return Toolbox(tools, Deferral(enabled=True, percent=percent), ModelTable.of({}))


def names(definitions: tuple[JsonObject, ...]) -> list[str]:
    return [str(one["name"]) for one in definitions]


def taken(*tools: str) -> Conversation:
    return Conversation(tools_taken=tools)


def test_tools_of_a_server_are_known_by_name_until_they_are_taken() -> None:
    toolbox = box("mcp__a__x", "mcp__a__y")
    assert toolbox.deferred(MODEL) == {"mcp__a__x", "mcp__a__y"}
    assert names(toolbox.definitions(Conversation(), MODEL)) == ["Look", "ToolSearch"]
    found = toolbox.definitions(taken("mcp__a__y", "gone", "mcp__a__x"), MODEL)
    assert names(found) == ["Look", "ToolSearch", "mcp__a__y", "mcp__a__x"]
    assert [one.get("defer_loading") for one in found] == [None, None, True, True]


def test_those_that_are_always_loaded_are_told_in_full() -> None:
    toolbox = box("mcp__a__x")
    toolbox.tools.renew((*toolbox.tools.tools, Loaded("mcp__a__y")))
    assert names(toolbox.definitions(Conversation(), MODEL)) == ["Look", "ToolSearch", "mcp__a__y"]


def test_a_model_that_cannot_search_is_told_everything() -> None:
    toolbox = box("mcp__a__x")
    found = toolbox.definitions(taken("mcp__a__x"), "claude-haiku-4-5")
    assert names(found) == ["Look", "ToolSearch", "mcp__a__x"]
    assert "defer_loading" not in found[2]
    assert toolbox.deferred("claude-haiku-4-5") == frozenset()


def test_without_the_search_tool_nothing_is_deferred() -> None:
    toolbox = box()
    toolbox.tools.renew((FakeTool("Look"), FakeTool("mcp__a__x")))
    assert names(toolbox.definitions(Conversation(), MODEL)) == ["Look", "mcp__a__x"]


def test_few_definitions_are_sent_whole_where_the_person_wants_that() -> None:
    toolbox = box("mcp__a__x", percent=10)
    assert names(toolbox.definitions(Conversation(), MODEL))[-1] == "mcp__a__x"


def test_tools_that_come_later_wait_on_the_shelf_and_change_no_request() -> None:
    toolbox = box()
    before = toolbox.definitions(Conversation(), MODEL)
    toolbox.tools.renew((*toolbox.tools.tools, FakeTool("mcp__a__x")))
    assert toolbox.definitions(Conversation(), MODEL) == before
    assert toolbox.deferred(MODEL) == {"mcp__a__x"}
