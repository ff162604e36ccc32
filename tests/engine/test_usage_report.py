"""What fills the window, in the documented shape."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.usage_report import SIDE
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.settings.options import ModelOptions, ToolOptions
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


async def reported(place: Place, *prompts: str) -> JsonObject:
    found: list[JsonObject] = []

    async def body(opened: OpenSession) -> None:
        with opened.session.subscribe() as messages:
            for text in prompts:
                opened.session.send(Prompt(text, f"u-{text}"))
                async for message in messages:
                    if isinstance(message, ResultMessage):
                        break
        found.append(await opened.usage.report())

    await place.run(body)
    return found[0]


def tokens(report: JsonObject) -> dict[str, int]:
    return {one["name"]: one["tokens"] for one in report["categories"]}


async def test_a_new_session_holds_what_every_request_begins_with(place: Place) -> None:
    place.write("CLAUDE.md", "Use tabs. " * 50)
    report = await reported(place)
    sizes = tokens(report)
    assert sizes["System prompt"] > 100 and sizes["System tools"] > 1000
    assert report["totalTokens"] == sizes["System prompt"] + sizes["System tools"]
    assert [one["tokens"] for one in report["memoryFiles"]] == [125]
    assert "Read" in [one["name"] for one in report["systemTools"]]
    assert (report["mcpTools"], report["apiUsage"]["input_tokens"]) == ([], 0)


async def test_the_parts_make_the_whole_window(place: Place) -> None:
    place.api.enqueue("Hello. " * 200)
    report = await reported(place, "hi " * 2000)
    sizes = tokens(report)
    used = [name for name in sizes if name not in ("Free space", "Autocompact buffer")]
    assert sum(sizes[name] for name in used) == report["totalTokens"]
    assert sum(sizes.values()) == report["rawMaxTokens"] == 1_000_000
    assert sizes["Messages"] > 1000
    assert report["isAutoCompactEnabled"]
    assert report["autoCompactThreshold"] == report["maxTokens"] == 967_000
    assert report["percentage"] == round(report["totalTokens"] / 10_000, 1)
    assert report["apiUsage"]["output_tokens"] > 0
    assert report["model"] == "claude-sonnet-5-5"


async def test_the_grid_is_a_picture_of_it(place: Place) -> None:
    place.options = replace(place.options, model=ModelOptions("claude-haiku-4-5"))
    place.api.enqueue("Hello.")
    grid = (await reported(place, "hi " * 60_000))["gridRows"]
    assert [len(row) for row in grid] == [SIDE] * SIDE
    squares = [square["categoryName"] for row in grid for square in row]
    assert squares.count("Messages") > 10
    assert squares[-1] == "Autocompact buffer"
    assert 0 < squares.index("Free space") < squares.index("Autocompact buffer")
    assert {square["isFilled"] for row in grid for square in row} == {True, False}


async def test_without_automatic_compaction_all_of_it_is_free(place: Place) -> None:
    place.variables["DISABLE_AUTO_COMPACT"] = "1"
    report = await reported(place)
    assert "autoCompactThreshold" not in report and not report["isAutoCompactEnabled"]
    assert report["maxTokens"] == report["rawMaxTokens"]
    assert "Autocompact buffer" not in tokens(report)


async def test_sub_agents_are_listed(place: Place) -> None:
    agents = (AgentDefinition("scout", "Looks around.", "p"),)
    place.options = replace(place.options, tools=ToolOptions(agents=agents))
    listed = {one["agentType"]: one for one in (await reported(place))["agents"]}
    assert listed["scout"]["source"] == "program"
    assert listed["scout"]["tokens"] > 0
