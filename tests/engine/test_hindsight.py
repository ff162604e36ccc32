from __future__ import annotations

import anyio
import pytest

from agent_tui.protocol.errors import UsageError
from tests.engine.hindsight import Desk, at_desk, edit
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, stall

pytestmark = pytest.mark.anyio


async def test_one_may_look_while_a_run_goes_but_take_nothing_back(place: Place) -> None:
    file = place.write("a.txt", "one\n")
    place.api.enqueue(edit(file, "one", "two"), "done", reply("late", fault=stall(block=0)))

    async def body(desk: Desk) -> None:
        uuid = await desk.prompt("go")
        async with anyio.create_task_group() as group:
            group.start_soon(desk.prompt, "and on")
            await anyio.to_thread.run_sync(place.api.wait_requests, 3, 20)
            change = await desk.change(file)
            assert [row.shown for row in (await desk.plan(uuid)).files] == ["a.txt"]
            assert len((await desk.points()).points) == 2
            with pytest.raises(UsageError, match="at work"):
                await desk.take_back(file, change.file.seen)
            group.cancel_scope.cancel()

    await at_desk(place, body)
    assert file.read_text() == "two\n"
