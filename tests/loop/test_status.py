from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from agent_tui.loop.status import SETTLE_SECONDS, Fixed, Status
from agent_tui.protocol.messages import StatusChanged
from agent_tui.protocol.usage import Usage
from tests.fakes.model import Said, ScriptedModel
from tests.loop.stage import MODEL, Stage

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
