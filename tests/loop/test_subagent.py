"""One sub-agent on a stage: what it is asked with, what it gives back, what an end of any kind leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest

from agent_tui.journal.entries import UnknownEntry, UserEntry
from agent_tui.journal.fold import fold
from agent_tui.loop.agent_output import AgentOutput
from agent_tui.loop.household import Caller
from agent_tui.loop.subagent import NO_ANSWER, Order, SubAgent
from agent_tui.protocol.agents import AgentDefinition, AgentTask
from agent_tui.protocol.background import BackgroundTask
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import ModelError, PortError
from agent_tui.protocol.hooks import HookOutcome
from agent_tui.protocol.usage import Usage
from agent_tui.tools.base import ToolCall, ToolOutput
from tests.fakes.model import Broken, Said, ScriptedModel, call, said
from tests.loop.home import HELPER, Home, session_model
from tests.loop.spoken import Spoken
from tests.loop.stage import MODEL, FakeTool, Stage

pytestmark = pytest.mark.anyio


class Trial:
    """One sub-agent to be run, and what it was seen to do."""

    def __init__(
        self,
        folder: Path,
        *script: Any,
        kind: AgentDefinition = HELPER,
        output: AgentOutput | None = None,
        **stage: Any,
    ) -> None:
        self.look = FakeTool("Read", read_only=True)
        stage.setdefault("tools", (self.look, FakeTool("Bash")))
        self.home = Home(Stage(folder, ScriptedModel(*script), **stage))
        self.steps: list[tuple[int, str, str]] = []
        order = Order(
            kind,
            AgentTask("find it", "PROMPT", kind.name),
            BackgroundTask("a1", "local_agent", "find it", "call", ""),
            Caller(0, session_model),
            MODEL,
            output=output,
        )
        self.agent = SubAgent(self.home.household, order, self._step)

    async def _step(self, seen: BackgroundTask, tool: str, words: str) -> None:
        self.steps.append((seen.tool_uses, tool, words))

    @property
    def texts(self) -> list[str]:
        """The texts of the first request's only message."""
        [message] = self.home.stage.model.requests[0].messages
        return [block["text"] for block in message["content"]]


async def test_it_is_asked_with_its_own_prompt_tools_and_context(tmp_path: Path) -> None:
    trial = Trial(tmp_path, said("answer"), kind=replace(HELPER, tools=("Read",)))
    report = await trial.agent.run()
    assert (report.status, report.text, report.error) == ("completed", "answer", "")
    [request] = trial.home.stage.model.requests
    assert [block["text"] for block in request.system] == ["HELPER SYSTEM"]
    assert [tool["name"] for tool in request.tools] == ["Read"]
    assert trial.texts == ["context with memory: True", "PROMPT"]
    assert not trial.home.stage.record.conversation.lines


async def test_its_numbers_are_told_step_by_step_and_in_the_report(tmp_path: Path) -> None:
    steps = (Said((call("Read"),), "tool_use", Usage(10, 1)), Said(("end",), usage=Usage(40, 2)))
    trial = Trial(tmp_path, *steps)
    report = await trial.agent.run()
    assert trial.steps == [(1, "Read", "Read")]
    assert (report.tool_uses, report.total_tokens) == (1, 42)
    assert report.usage["input_tokens"] == 50
    assert report.model == MODEL


async def test_a_hook_adds_to_what_it_knows(tmp_path: Path) -> None:
    hooks = Spoken({"SubagentStart": HookOutcome(additional_context=("KNOW",))})
    trial = Trial(tmp_path, said("answer"), hooks=hooks)
    await trial.agent.run()
    assert trial.texts[-1] == "KNOW"
    assert hooks.events == ["SubagentStart", "SubagentStop"]


@pytest.mark.parametrize(
    ("script", "turns", "error", "text"),
    [
        ((said("half", call("Read")), Broken(ModelError("gone"))), None, "gone", "half"),
        ((Broken(ModelError("gone")),), None, "gone", NO_ANSWER),
        ((said("half", call("Read")),), 1, "Reached maximum number of turns (1)", "half"),
    ],
)
async def test_without_an_answer_it_says_why_and_the_last_it_said(
    tmp_path: Path, script: tuple[Any, ...], turns: int | None, error: str, text: str
) -> None:
    trial = Trial(tmp_path, *script, kind=replace(HELPER, max_turns=turns))
    report = await trial.agent.run()
    assert (report.status, report.error) == ("failed", error)
    assert report.text == text


async def test_what_is_spent_ends_it_with_the_documented_words(tmp_path: Path) -> None:
    prices = {MODEL: {"input": 1_000_000, "output": 0}}
    trial = Trial(tmp_path, said("so far", call("Read")), budget_usd=1.0, prices=prices)
    price: JsonObject = {"input": 1_000_000, "output": 0}
    trial.home.prices = {MODEL: price}
    report = await trial.agent.run()
    assert (report.status, report.error, report.text) == (
        "failed",
        "Budget limit reached",
        "so far",
    )
    assert trial.look.ran == []


async def test_without_a_tool_of_those_it_names_it_does_not_begin(tmp_path: Path) -> None:
    trial = Trial(tmp_path, kind=replace(HELPER, tools=("mcp__gone",)))
    with pytest.raises(PortError, match="would have no tool"):
        await trial.agent.run()
    assert trial.home.books[0].closed


async def test_in_the_background_it_is_not_heard_but_written_down(tmp_path: Path) -> None:
    output = AgentOutput(tmp_path / "a1.txt")
    trial = Trial(tmp_path, said("one", call("Read")), said("two"), output=output)
    await trial.agent.run()
    assert output.path.read_text() == "one\n[Read]\ntwo\n"
    assert trial.home.stage.said == []


async def test_cancelled_it_leaves_a_valid_history_and_a_closed_journal(tmp_path: Path) -> None:
    begun = anyio.Event()

    async def stays(args: JsonObject, call: ToolCall) -> ToolOutput:
        begun.set()
        await anyio.sleep_forever()
        raise AssertionError

    tools = (FakeTool("Read", stays, read_only=True),)
    trial = Trial(tmp_path, said(call("Read")), tools=tools)
    async with anyio.create_task_group() as group:
        group.start_soon(trial.agent.run)
        await begun.wait()
        group.cancel_scope.cancel()
    [book] = trial.home.books
    assert book.closed
    conversation = fold(book.entries)
    assert not conversation.open_tool_uses
    results = [
        e for e in book.entries if isinstance(e, UserEntry) and "interrupted" in str(e.message)
    ]
    assert results
    assert trial.agent.seen_as.tool_uses == 1


async def test_its_journal_says_whose_it_is(tmp_path: Path) -> None:
    trial = Trial(tmp_path, said("answer"))
    await trial.agent.run()
    [meta] = trial.home.metas
    assert (meta.tool_use_id, meta.agent_type, meta.description) == ("call", "helper", "find it")
    lines = [e for e in trial.home.books[0].entries if not isinstance(e, UnknownEntry)]
    assert {line.header.agent_id for line in lines} == {"a1"}
