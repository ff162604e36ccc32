from __future__ import annotations

import pytest
from textual import events
from textual.app import App

from agent_tui.tui.screens.overlay import Overlay

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class _Question(Overlay[str], inherit_bindings=False):
    def on_key(self, event: events.Key) -> None:
        self.answer(event.key)


async def test_the_first_of_two_fast_keys_is_the_answer_and_the_second_breaks_nothing() -> None:
    app = App[None]()
    answers: list[str | None] = []
    async with app.run_test() as pilot:
        app.push_screen(_Question(), answers.append)
        await pilot.pause()
        for key in ("a", "b"):
            app.post_message(events.Key(key, key))
        await pilot.pause()
        await pilot.pause()
        assert answers == ["a"]
        assert app.is_running
