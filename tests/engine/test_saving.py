"""Saving fails, saving works again: both are said once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import anyio
import pytest

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.saving import SavingNotice
from agent_tui.loop.hub import Subscription
from agent_tui.protocol.messages import ResultMessage, SystemMessage
from agent_tui.protocol.ops import Prompt
from tests.engine.sessions import Place, Talk

pytestmark = pytest.mark.anyio


def states(talk: Talk) -> list[str]:
    return [str(m.data["state"]) for m in talk.system("saving")]


def test_it_knows_whether_all_is_saved() -> None:
    notice = SavingNotice()
    assert not notice.unsaved
    notice.changed("disk full")
    assert notice.unsaved
    notice.changed(None)
    assert not notice.unsaved


async def test_h8_a_session_that_cant_be_saved_says_so_and_goes_on_and_catches_up(
    place: Place,
) -> None:
    place.api.enqueue("one", "two")
    blocked = place.home / ".agent-tui" / "projects"
    blocked.parent.mkdir()
    blocked.write_text("a file where the folder should be")
    talk = Talk()

    async def body(opened: OpenSession) -> None:
        talk.journal = opened.journal_path
        with opened.session.subscribe() as messages:
            opened.session.send(Prompt("first", "q1"))
            await read(messages, talk, lambda: bool(talk.results) and "failed" in states(talk))
            blocked.unlink()
            opened.session.send(Prompt("second", "q2"))
            await read(messages, talk, lambda: len(talk.results) == 2 and "ok" in states(talk))

    with anyio.fail_after(20):
        await place.run(body)
    assert states(talk) == ["failed", "ok"]
    assert "error" in talk.system("saving")[0].data
    assert [r.result for r in talk.results] == ["one", "two"]
    text = Path(talk.journal).read_text()
    assert text.index('"first"') < text.index('"second"')


async def read(messages: Subscription, talk: Talk, done: Callable[[], bool]) -> None:
    async for message in messages:
        talk.heard.append(message)
        if isinstance(message, ResultMessage | SystemMessage) and done():
            return
