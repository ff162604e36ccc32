"""A sub-agent's part of the background: its own works only, gone when it is."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from agent_tui.loop.background import SessionBackground
from agent_tui.loop.lent_background import LentBackground
from agent_tui.protocol.background import BackgroundTask, Ended
from agent_tui.protocol.errors import PortError
from agent_tui.protocol.ops import Prompt
from tests.loop.home import served
from tests.loop.stage import Stage

pytestmark = pytest.mark.anyio


async def test_its_works_are_its_own_and_end_with_it(tmp_path: Path) -> None:
    session_told: list[Prompt] = []
    own_told: list[Prompt] = []
    session = SessionBackground(Stage(tmp_path).record, session_told.append)
    lent = LentBackground(session, own_told.append)

    async def quick() -> Ended:
        return Ended("completed", "done")

    async def slow() -> Ended:
        await anyio.sleep_forever()
        raise AssertionError

    def task(name: str) -> BackgroundTask:
        return BackgroundTask(name, "local_bash", name, "call", "/file")

    async def body() -> None:
        await session.start(task("theirs"), slow)
        await lent.start(task("quick"), quick)
        await session.next_end()
        await lent.start(task("slow"), slow)
        await lent.start(task("other"), slow)
        assert [one.id for one in lent.all()] == ["quick", "slow", "other"]
        with pytest.raises(PortError, match="Running now: slow, other"):
            await lent.stop("theirs")
        with pytest.raises(PortError):
            await lent.wait("theirs", 0)
        assert (await lent.stop("slow")).status == "killed"
        assert (await lent.wait("quick", 0)).status == "completed"
        await lent.progress(task("other"), "x")
        assert lent.new_id("local_bash").startswith("b")
        await lent.end()
        assert [one.id for one in session.running()] == ["theirs"]

    await served(session, body)
    assert session_told == []
    assert len(own_told) == 1
