from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio
import pytest

from agent_tui.engine.opening import OpenSession, with_session
from agent_tui.headless import front
from agent_tui.headless.ending import Work
from agent_tui.headless.front import Front
from agent_tui.headless.output import Output
from agent_tui.headless.signals import Signals
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.settings.options import PermissionOptions
from tests.fakes.api_server import reply, text, tool
from tests.headless.host import Place

pytestmark = pytest.mark.anyio


class Talk:
    """One prompt at a session; remembers what was heard."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.signals = Signals()
        self.front = Front(Output(), self.hear, self.signals)
        self.heard: list[Message] = []
        self.first_result = anyio.Event()

    def hear(self, message: Message, work: Work) -> None:
        self.heard.append(message)
        if isinstance(message, ResultMessage):
            self.first_result.set()

    @property
    def results(self) -> list[ResultMessage]:
        return [message for message in self.heard if isinstance(message, ResultMessage)]

    async def run(self, ask: Callable[[OpenSession], Awaitable[None]]) -> None:
        async def body(opened: OpenSession) -> None:
            await self.front.talk(opened, lambda: ask(opened))

        await self.signals.around(partial(with_session, self.place.options, self.place.env, body))


async def test_it_ends_when_all_is_answered(station: Place) -> None:
    station.api.enqueue("Hello.")
    talk = Talk(station)

    async def ask(opened: OpenSession) -> None:
        opened.session.send(Prompt("hi", "u1"))
        await talk.first_result.wait()

    await talk.run(ask)
    assert [result.result for result in talk.results] == ["Hello."]
    assert talk.front.outcome.code(lost=False) == 0


async def test_what_ends_in_the_background_is_told_to_the_model_and_heard(station: Place) -> None:
    rule = PermissionOptions(allowed_tools=("Bash(sleep *)",))
    station.options = replace(station.options, permissions=rule)
    station.api.enqueue(
        reply(tool("Bash", command="sleep 0.3", run_in_background=True)), "Begun.", "Noticed."
    )
    talk = Talk(station)

    async def ask(opened: OpenSession) -> None:
        opened.session.send(Prompt("go", "u1"))
        await talk.first_result.wait()

    await talk.run(ask)
    assert [result.result for result in talk.results] == ["Begun.", "Noticed."]
    origin = talk.results[1].origin
    assert origin is not None and origin["kind"] == "task-notification"
    assert talk.front.outcome.result == talk.results[1]


async def test_a_signal_ends_the_run_with_its_result(station: Place) -> None:
    station.api.enqueue(reply(text("word " * 300), chunk=5, delay=0.05))
    talk = Talk(station)

    async def ask(opened: OpenSession) -> None:
        opened.session.send(Prompt("go", "u1"))
        await anyio.to_thread.run_sync(lambda: station.api.wait_requests(1, timeout=20))
        os.kill(os.getpid(), signal.SIGTERM)
        await anyio.sleep_forever()

    await talk.run(ask)
    assert [result.terminal_reason for result in talk.results] == ["aborted_streaming"]
    assert talk.front.outcome.code(lost=False) == 143


async def test_a_signal_while_nothing_runs_ends_it_at_once(station: Place) -> None:
    talk = Talk(station)

    async def ask(opened: OpenSession) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        await anyio.sleep_forever()

    await talk.run(ask)
    assert talk.results == []
    assert talk.front.outcome.code(lost=False, needed=False) == 130


async def test_a_reader_that_has_left_ends_it(station: Place) -> None:
    station.api.enqueue("Hello.")
    talk = Talk(station)

    async def ask(opened: OpenSession) -> None:
        talk.front.output.broken = True
        opened.session.send(Prompt("hi", "u1"))
        await anyio.sleep_forever()

    await talk.run(ask)
    assert talk.front.outcome.signal is None


class Left(Output):
    """An output whose reader leaves once a command runs."""

    def __init__(self, begun: Path) -> None:
        super().__init__()
        self._begun = begun

    def left(self) -> bool:
        return self._begun.exists()


@pytest.mark.parametrize("answers_to_reader", [True, False])
async def test_work_for_a_reader_ends_when_they_have_left_though_nothing_is_said(
    station: Place, monkeypatch: pytest.MonkeyPatch, answers_to_reader: bool
) -> None:
    monkeypatch.setattr(front, "READER_S", 0.01)
    begun, done = station.folder / "begun", station.folder / "done"
    seconds = 30 if answers_to_reader else 0.5
    rule = PermissionOptions(allowed_tools=("Bash",))
    station.options = replace(station.options, permissions=rule)
    command = f"touch {begun}; sleep {seconds}; touch {done}"
    station.api.enqueue(reply(tool("Bash", command=command)), "Done.")
    talk = Talk(station)
    talk.front.output = Left(begun)
    talk.front.answers_to_reader = answers_to_reader

    async def ask(opened: OpenSession) -> None:
        opened.session.send(Prompt("go", "u1"))
        await talk.first_result.wait()

    with anyio.fail_after(20):
        await talk.run(ask)
    assert done.exists() is not answers_to_reader
