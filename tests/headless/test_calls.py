from __future__ import annotations

from typing import Any

import anyio
import pytest

from agent_tui.headless.calls import HostCalls
from agent_tui.headless.words import Answered
from agent_tui.protocol.errors import LinkError, NobodyThereError

pytestmark = pytest.mark.anyio


class Wire:
    """What was written, and the answers by number."""

    def __init__(self) -> None:
        self.written: list[dict[str, Any]] = []
        self.calls = HostCalls(self.written.append, self._id)
        self._count = 0

    def _id(self) -> str:
        self._count += 1
        return f"r{self._count}"

    async def until(self, count: int) -> None:
        while len(self.written) < count:
            await anyio.lowlevel.checkpoint()


async def test_answers_find_their_requests() -> None:
    wire, got = Wire(), dict[str, Any]()

    async def ask(name: str) -> None:
        got[name] = await wire.calls.ask({"subtype": name})

    async with anyio.create_task_group() as group:
        group.start_soon(ask, "a")
        group.start_soon(ask, "b")
        await wire.until(2)
        ids = {w["request"]["subtype"]: w["request_id"] for w in wire.written}
        wire.calls.answered(Answered("unknown", {}))
        wire.calls.answered(Answered(ids["b"], {"n": 2}))
        wire.calls.answered(Answered(ids["b"], {"n": 3}))
        wire.calls.answered(Answered(ids["a"], {"n": 1}))
    assert got == {"a": {"n": 1}, "b": {"n": 2}}
    assert {w["type"] for w in wire.written} == {"control_request"}


async def test_a_refusal_is_an_error() -> None:
    wire = Wire()
    async with anyio.create_task_group() as group:

        async def refuse() -> None:
            await wire.until(1)
            wire.calls.answered(Answered("r1", {}, "not me"))

        group.start_soon(refuse)
        with pytest.raises(LinkError, match="not me"):
            await wire.calls.ask({})


async def test_a_wait_that_is_given_up_is_withdrawn() -> None:
    wire = Wire()
    with anyio.move_on_after(0.02):
        await wire.calls.ask({})
    assert wire.written[1:] == [{"type": "control_cancel_request", "request_id": "r1"}]
    wire.calls.answered(Answered("r1", {}))


async def test_when_nobody_can_answer_any_more_all_are_told() -> None:
    wire = Wire()
    async with anyio.create_task_group() as group:

        async def close() -> None:
            await wire.until(1)
            wire.calls.close()

        group.start_soon(close)
        with pytest.raises(NobodyThereError, match="closed"):
            await wire.calls.ask({})
    with pytest.raises(NobodyThereError, match="closed"):
        await wire.calls.ask({})
    assert len(wire.written) == 1
