from __future__ import annotations

import anyio
import pytest

from agent_tui.loop.hub import BUFFER, Hub
from agent_tui.protocol.messages import Message, StreamEvent, SystemMessage

pytestmark = pytest.mark.anyio


def note(number: int) -> SystemMessage:
    return SystemMessage("informational", {"n": number})


async def test_every_listener_hears_everything_in_order() -> None:
    hub = Hub()
    with hub.subscribe() as one, hub.subscribe() as two:
        for number in range(5):
            await hub.emit(note(number))
        hub.close()
        assert [m async for m in one] == [m async for m in two] == [note(n) for n in range(5)]


async def test_deltas_go_to_those_who_want_them() -> None:
    hub = Hub()
    delta = StreamEvent("u", "s", {"type": "ping"})
    with hub.subscribe(deltas=False) as plain:
        with hub.subscribe() as full:
            await hub.emit(delta)
            await hub.emit(note(1))
            assert [full.waiting(), full.waiting(), full.waiting()] == [delta, note(1), None]
        assert plain.waiting() == note(1)


async def test_a_slow_listener_slows_the_session_and_loses_nothing() -> None:
    hub = Hub()
    heard: list[Message] = []
    with hub.subscribe() as slow:
        async with anyio.create_task_group() as group:

            async def talk() -> None:
                for number in range(BUFFER + 50):
                    await hub.emit(note(number))
                hub.close()

            group.start_soon(talk)
            await anyio.wait_all_tasks_blocked()
            heard.extend([message async for message in slow])
    assert heard == [note(n) for n in range(BUFFER + 50)]


async def test_a_listener_that_left_is_no_hindrance() -> None:
    hub = Hub()
    gone = hub.subscribe()
    gone.close()
    with hub.subscribe() as here:
        await hub.emit(note(1))
        assert here.waiting() == note(1)
    hub.close()
    late = hub.subscribe()
    assert [m async for m in late] == []
    late.close()
