from __future__ import annotations

import contextvars
import gc

import anyio
import pytest

from agent_tui.sdk.detached import spawn

pytestmark = pytest.mark.anyio

who = contextvars.ContextVar("who", default="nobody")


async def test_it_runs_beside_with_the_starter_s_context_and_outlives_its_scope() -> None:
    begun, go_on, done = anyio.Event(), anyio.Event(), anyio.Event()
    seen: list[str] = []

    async def work() -> None:
        seen.append(who.get())
        begun.set()
        await go_on.wait()
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.lowlevel.checkpoint)
        done.set()

    who.set("somebody")
    with anyio.CancelScope() as scope:
        spawn(work, "work")
        await begun.wait()
        scope.cancel()
        await anyio.lowlevel.checkpoint()
    assert scope.cancelled_caught
    gc.collect()  # nothing but the spawner holds the task
    go_on.set()
    with anyio.fail_after(10):
        await done.wait()
    assert seen == ["somebody"]


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_the_loop_s_end_cancels_it_and_waits_for_its_clean_up(backend: str) -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.lowlevel.checkpoint()
                ended.append("clean")

    async def main() -> None:
        spawn(work, "work")
        await anyio.lowlevel.checkpoint()
        await anyio.lowlevel.checkpoint()

    anyio.run(main, backend=backend)
    assert ended == ["clean"]
