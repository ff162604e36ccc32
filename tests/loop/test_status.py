from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from agent_tui.context.window import CompactPolicy
from agent_tui.loop.status import SETTLE_SECONDS, Fixed, Status
from agent_tui.model.client import ModelResponse
from agent_tui.protocol.messages import StatusChanged
from agent_tui.protocol.usage import Usage
from tests.fakes.model import Said, ScriptedModel, Step, call
from tests.loop.stage import MODEL, FakeTool, Stage

pytestmark = pytest.mark.anyio


class Bar:
    """Hears the status, as a front end does."""

    def __init__(self, stage: Stage) -> None:
        self.heard: list[StatusChanged] = []
        fixed = Fixed(str(stage.folder), ("default", "plan"), False)
        conversation = lambda: stage.record.conversation  # noqa: E731
        self.status = Status(self._hear, conversation, stage.policy, fixed)
        self._news = anyio.Event()

    async def _hear(self, value: StatusChanged) -> None:
        self.heard.append(value)
        self._news.set()

    async def next(self, change: Callable[[], None]) -> StatusChanged:
        """Change something and wait for what is said."""
        self._news = anyio.Event()
        change()
        with anyio.fail_after(5):
            await self._news.wait()
        return self.heard[-1]


async def test_it_is_derived_from_the_conversation_and_the_policy(tmp_path: Path) -> None:
    usage = Usage(input_tokens=100, output_tokens=50, cache_read_input_tokens=300)
    stage = Stage(tmp_path, ScriptedModel(Said(("Done.",), usage=usage)), mode="plan")
    bar = Bar(stage)
    bar.status.model, bar.status.branch, bar.status.budget_usd = MODEL, "main", 2.5
    await stage.run()
    value = bar.status.value()
    assert (value.session_id, value.model, value.mode) == ("session", MODEL, "plan")
    assert (value.turns, value.run_tokens, value.context_tokens) == (1, 450, 450)
    assert value.cache_share == 0.75
    assert value.total_cost_usd == value.run_cost_usd == stage.results[0].total_cost_usd
    assert value.context_window > 0
    assert (value.branch, value.budget_usd) == ("main", 2.5)
    assert (value.cwd, value.modes) == (str(tmp_path), ("default", "plan"))


async def test_the_cost_of_a_run_counts_from_its_beginning(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(last=Said(("Done.",))))
    bar = Bar(stage)
    await stage.run()
    bar.status.begin()
    assert bar.status.value().run_cost_usd == 0
    await stage.run("again", "22222222-0000-4000-8000-000000000000")
    value = bar.status.value()
    assert value.total_cost_usd is not None and value.run_cost_usd is not None
    assert round(value.run_cost_usd, 9) == round(value.total_cost_usd / 2, 9)


async def test_a_price_that_is_unknown_makes_the_cost_unknown(tmp_path: Path) -> None:
    stage = Stage(tmp_path, ScriptedModel(last=Said(("Done.",))))
    stage.requests.use("nobody-knows")
    await stage.run()
    value = Bar(stage).status.value()
    assert (value.total_cost_usd, value.run_cost_usd) == (None, None)


async def test_it_says_changes_and_only_changes(tmp_path: Path) -> None:
    bar = Bar(Stage(tmp_path))
    async with anyio.create_task_group() as group:
        group.start_soon(bar.status.serve)
        busy = await bar.next(bar.status.begin)
        assert (busy.busy, busy.phase) == (True, "requesting")
        bar.status.touch()
        idle = await bar.next(bar.status.idle)
        assert (idle.busy, idle.phase) == (False, "idle")
        assert len(bar.heard) == 2
        again = await bar.next(bar.status.announce)
        assert again == idle
        group.cancel_scope.cancel()


async def test_many_changes_are_said_together(tmp_path: Path) -> None:
    bar = Bar(Stage(tmp_path))
    async with anyio.create_task_group() as group:
        group.start_soon(bar.status.serve)
        await bar.next(bar.status.begin)
        began = anyio.current_time()

        def many() -> None:
            for _ in range(50):
                bar.status.phase("streaming")
                bar.status.phase("tools")

        last = await bar.next(many)
        assert last.phase == "tools"
        assert anyio.current_time() - began >= SETTLE_SECONDS * 0.9
        assert len(bar.heard) == 2
        group.cancel_scope.cancel()


async def test_c3_twelve_cached_calls_and_three_sub_agents_do_not_fill_the_window(
    tmp_path: Path,
) -> None:
    usage = Usage(2, 50, cache_creation_input_tokens=100, cache_read_input_tokens=150_000)
    calls: list[Step] = [Said((call("Look", f"c{n}"),), "tool_use", usage) for n in range(11)]
    stage = Stage(
        tmp_path,
        ScriptedModel(*calls, Said(("Done.",), usage=usage)),
        [FakeTool("Look", read_only=True)],
        prices={MODEL: {"window": 200_000}},
        compaction=CompactPolicy(percent=90),
    )
    bar = Bar(stage)
    await stage.run()
    for number in range(3):
        spent = Usage(input_tokens=100_000)
        response = ModelResponse(f"sub{number}", MODEL, (), "end_turn", spent)
        stage.record.response(response, stage.requests.price(MODEL, spent), MODEL, "agent")
    bar.status.window = stage.requests.window
    value = bar.status.value()
    assert value.context_tokens == 150_152
    assert round(100 * value.context_tokens / value.context_window) == 75
    assert not stage.system_messages("compact_boundary")
    assert len(stage.model.requests) == 12
    assert stage.results[0].usage is not None
    assert stage.results[0].usage["cache_read_input_tokens"] == 12 * 150_000


async def test_c5_cached_tokens_cost_what_they_cost(tmp_path: Path) -> None:
    usage = Usage(3, 1_059, cache_creation_input_tokens=2_124, cache_read_input_tokens=73_030)
    prices = {MODEL: {"input": 3, "output": 15, "read": 0.3, "write_5m": 3.75, "window": 200_000}}
    stage = Stage(tmp_path, ScriptedModel(Said(("Done.",), usage=usage)), prices=prices)
    result = await stage.run()
    assert round(result.total_cost_usd or 0.0, 6) == 0.045768
    assert result.usage is not None
    counts = (
        "input_tokens",
        "cache_read_input_tokens",
        "cache_creation_input_tokens",
        "output_tokens",
    )
    assert [result.usage[name] for name in counts] == [3, 73_030, 2_124, 1_059]


async def test_a_budget_the_person_raised_is_shown(tmp_path: Path) -> None:
    bar = Bar(Stage(tmp_path))
    assert bar.status.value().budget_usd is None
    bar.status.budget_usd = 4.0
    assert bar.status.value().budget_usd == 4.0
