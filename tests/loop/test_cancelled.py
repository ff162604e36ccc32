"""Cancelled at every await of a run with sub-agents: both histories stay valid, one result is said, nothing is left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.journal.entries import ResultEntry
from agent_tui.journal.fold import fold
from agent_tui.loop.agents import SessionAgents
from agent_tui.loop.hooks import NoHooks
from agent_tui.loop.household import Caller
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.protocol.messages import ResultMessage
from agent_tui.tools.base import ToolCall, ToolOutput
from agent_tui.tools.builtin.agent import Agent
from tests.context.wire import complaints
from tests.fakes.model import Said, ScriptedModel, call, said
from tests.loop.home import Home, session_model
from tests.loop.stage import PROMPT_ID, FakeTool, Moments, Person, Stage

pytestmark = pytest.mark.anyio


class Hooked(NoHooks):
    """Passes a moment whenever it is fired; sends a sub-agent that would stop back to work once."""

    def __init__(self, moments: Moments) -> None:
        self._moments = moments
        self.events: list[HookEvent] = []

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        await self._moments()
        self.events.append(event)
        first = event == "SubagentStop" and self.events.count(event) == 1
        return HookOutcome(blocked="Once more." if first else None)


def told(*numbers: str) -> Said:
    """Ask for sub-agents, one a number, waited for."""
    given = {"description": "do", "prompt": "P", "subagent_type": "helper"}
    calls = [call("Agent", f"a{n}", **given, run_in_background=False) for n in numbers]
    return said("On it.", *calls)


ONE = (told("1"), said("I change.", call("Change", "c")), said("early"), said("done"), said("End."))
TWO = (
    told("1", "2"),
    *(said(call("Change", one)) for one in "cd"),
    *(said(text) for text in ("x", "y", "z")),
    said("End."),
)
"""Who of the two takes which step is left to the loop; together they need all of them."""


def scene(folder: Path, at: int, script: tuple[Said, ...]) -> Home:
    moments = Moments(at)

    async def does(args: JsonObject, call: ToolCall) -> ToolOutput:
        await moments()
        return ToolOutput("changed")

    stage = Stage(
        folder, ScriptedModel(*script, between=moments), [Agent(), FakeTool("Change", does)],
        moments, Person(moments=moments), Hooked(moments),
    )  # fmt: skip
    home = Home(stage)
    agents = SessionAgents(home.household, Caller(0, session_model))
    stage.place = replace(stage.place, ports=replace(stage.place.ports, agents=agents))
    return home


def require_whole(home: Home) -> None:
    """Check that both histories can be sent, and that nothing of a sub-agent is left."""
    stage = home.stage
    stage.require_valid()
    assert not home.household.busy.count
    for book in home.books:
        assert book.closed
        left = fold(book.entries)
        assert not left.open_tool_uses
        assert complaints(stage.requests.main(left)) == []
        assert sum(isinstance(entry, ResultEntry) for entry in book.entries) <= 1
    begun, ended = (home.system_said.count(f"task_{word}") for word in ("started", "notification"))
    assert begun == ended


@pytest.mark.parametrize("script", [ONE, TWO], ids=["one", "two side by side"])
async def test_cancelled_anywhere_with_sub_agents_at_work(
    tmp_path: Path, script: tuple[Said, ...]
) -> None:
    at, endings = 1, set[str | None]()
    while True:
        home = scene(tmp_path, at, script)
        stage = home.stage
        await stage.record.prompt("go", PROMPT_ID)
        begun = stage.moments.passed
        with stage.moments.scope:
            await stage.run_only()
        if not stage.moments.reached:
            break
        require_whole(home)
        if at > begun:
            [result] = stage.results
            assert isinstance(stage.said[-1], ResultMessage)
            endings.add(result.terminal_reason)
        at += 1
    require_whole(home)
    assert endings == {"aborted_streaming", "aborted_tools", "completed"}
    assert stage.results[0].result == "End."
    assert len(home.books) == len([e for e in home.system_said if e == "task_started"])
    assert at > 60
