from __future__ import annotations

import anyio
import pytest

from agent_tui.hooks.background import Background

pytestmark = pytest.mark.anyio


async def test_jobs_run_side_by_side_whenever_they_came() -> None:
    background = Background()
    both = [anyio.Event(), anyio.Event()]

    async def one() -> None:
        both[0].set()
        await both[1].wait()

    async def other() -> None:
        await both[0].wait()
        both[1].set()

    background.add(one)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(background.serve)
        await both[0].wait()
        background.add(other)
        with anyio.fail_after(5):
            await both[1].wait()
        tasks.cancel_scope.cancel()


async def test_what_still_runs_ends_with_the_session() -> None:
    background = Background()
    ended: list[str] = []
    begun = anyio.Event()

    async def job() -> None:
        try:
            begun.set()
            await anyio.sleep_forever()
        finally:
            ended.append("job")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(background.serve)
        background.add(job)
        await begun.wait()
        tasks.cancel_scope.cancel()
    assert ended == ["job"]
