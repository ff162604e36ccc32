from __future__ import annotations

import json
from typing import Any

import pytest

from agent_tui.protocol import ops
from agent_tui.protocol.queries import Failed, ServerTested
from agent_tui.protocol.queries import TestServer as ServerQuestion
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment, credentials
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio

URL = "http://localhost:8080"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def answer_test(query: ServerQuestion) -> ServerTested:
    ok = query.base_url == URL
    text = "answered in 0.4 s and offers 2 models" if ok else "no server answers there"
    return ServerTested(ok, text, ("qwen", "other") if ok else ())


REPLIES: dict[type[Any], Any] = {ServerQuestion: answer_test}


def given(on: Stage) -> Options:
    (opening,) = on.link.of(ops.Open)
    return Options.from_json(opening.options)


def stored() -> dict[str, str]:
    return json.loads(credentials(Environment.of_process()).read_text())


async def paste(on: Stage, text: str) -> None:
    for char in text:
        await on.pilot.press(
            {":": "colon", "/": "slash", ".": "full_stop", "-": "minus"}.get(char, char)
        )
    await on.settle()


async def test_nothing_is_sent_before_a_choice() -> None:
    async with running(needs_key=True, up=False) as on:
        assert not on.link.sent
        assert not on.link.asked
        assert "nothing is sent before you choose" in on.rows[39]
        assert any("agent-tui" in row for row in on.rows)


async def test_a_key_is_stored_for_its_owner_only_and_the_session_begins() -> None:
    async with running(needs_key=True, up=False) as on:
        await paste(on, "sk-test")
        assert "sk-test" not in on.text
        await on.press("enter")
        await on.settle()
        assert stored() == {"api_key": "sk-test"}
        path = credentials(Environment.of_process())
        assert path.stat().st_mode & 0o777 == 0o600
        assert given(on).model.base_url is None


async def test_a_server_is_tested_before_it_is_used() -> None:
    async with running(needs_key=True, up=False, replies=REPLIES) as on:
        await on.press("down")
        await paste(on, URL)
        await on.press("enter")
        assert "✓ answered in 0.4 s and offers 2 models" in on.text
        assert "2 found" in on.text
        assert not on.link.of(ops.Open)
        await on.press("enter")
        await on.settle()
        assert (given(on).model.base_url, given(on).model.model) == (URL, "qwen")
        assert stored()["base_url"] == URL


async def test_a_server_that_does_not_answer_is_not_used() -> None:
    async with running(needs_key=True, up=False, replies=REPLIES) as on:
        await on.press("down")
        await paste(on, "http://nowhere")
        await on.press("enter", "enter")
        assert "no server answers there" in on.text
        assert not on.link.of(ops.Open)


async def test_a_test_that_fails_says_why() -> None:
    replies = {ServerQuestion: Failed("the engine is not running")}
    async with running(needs_key=True, up=False, replies=replies) as on:
        await on.press("down")
        await paste(on, URL)
        await on.press("enter")
        assert "the engine is not running" in on.text


async def test_the_demo_needs_nothing() -> None:
    async with running(needs_key=True, up=False) as on:
        await on.press("3", "enter")
        await on.settle()
        assert given(on).demo
        assert not credentials(Environment.of_process()).exists()


async def test_leaving_without_a_choice() -> None:
    async with running(needs_key=True, up=False) as on:
        await on.press("ctrl+c")
        assert on.app.return_code == 0
        assert not on.link.of(ops.Open)


async def test_a_small_screen_shows_the_chosen_way() -> None:
    async with running(needs_key=True, up=False, size=(60, 24)) as on:
        await on.press("down")
        assert any("Base URL" in row for row in on.rows)


async def test_where_there_are_few_rows_only_the_chosen_way_says_what_it_is_about() -> None:
    async with running(needs_key=True, up=False, size=(60, 20)) as on:
        await on.press("down")
        assert "one test call shows whether it answers" in on.text
        assert "kept in a file only you can read" not in on.text
        assert "Try the demo" in on.text
        assert "Model" in on.text
