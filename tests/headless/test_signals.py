from __future__ import annotations

import os
import signal

import anyio
import pytest

from agent_tui.headless.signals import Signals
from agent_tui.protocol.errors import UsageError

pytestmark = pytest.mark.anyio


async def test_without_a_signal_the_code_is_the_bodys() -> None:
    signals = Signals()

    async def body() -> int:
        await anyio.lowlevel.checkpoint()
        return 3

    assert signals.code(await signals.around(body)) == 3
    assert signals.code(None) == 0


async def test_who_attends_hears_each_signal(anyio_backend: str) -> None:
    signals = Signals()
    heard: list[bool] = []
    more = anyio.Event()

    def act(again: bool) -> None:
        heard.append(again)
        if again:
            more.set()
        else:
            os.kill(os.getpid(), signal.SIGINT)

    async def body() -> int:
        with signals.attended(act):
            os.kill(os.getpid(), signal.SIGTERM)
            await more.wait()
        return 0

    assert signals.code(await signals.around(body)) == 130
    assert heard == [False, True]


async def test_before_anybody_attends_a_signal_ends_the_opening() -> None:
    signals = Signals()

    async def body() -> int:
        os.kill(os.getpid(), signal.SIGTERM)
        await anyio.sleep_forever()
        return 0

    assert await signals.around(body) is None
    assert signals.code(None) == 143


async def test_while_it_is_being_closed_a_signal_leaves_the_closing_alone() -> None:
    signals = Signals()

    async def body() -> int:
        with signals.attended(lambda again: None):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        while signals.number is None:
            await anyio.lowlevel.checkpoint()
        return 0  # what was being closed is closed

    assert await signals.around(body) == 0
    assert signals.code(0) == 143


async def test_a_fault_of_the_body_comes_as_it_is() -> None:
    async def body() -> int:
        raise UsageError("no")

    with pytest.raises(UsageError, match="no"):
        await Signals().around(body)
