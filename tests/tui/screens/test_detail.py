from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.looking import Raw, RawLines
from agent_tui.tui.screens.detail import DetailScreen, pretty
from tests.tui.scenes import main_scene
from tests.tui.stage import Stage, running

pytestmark = pytest.mark.anyio

EVIL = "\x1b]52;c;aGk=\x07[bold]x[/]"
REQUEST: dict[str, object] = {
    "type": "assistant",
    "timestamp": "2026-11-30T14:02:00Z",
    "message": {"content": [{"type": "tool_use", "id": "t6", "input": {"command": EVIL}}]},
}
RESULT: dict[str, object] = {
    "type": "user",
    "message": {"content": [{"type": "tool_result", "content": '{"a": [1, 2]}'}]},
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def raw_of_last_call(on: Stage) -> None:
    """Walk to the last call of the scene and ask for its raw form."""
    for message in main_scene():
        await on.say(message)
    on.main.conversation.focus()
    await on.press("up", "up", "up", "r")


async def test_r_shows_request_and_result_as_json_in_which_nothing_is_interpreted() -> None:
    asked: list[str] = []

    def reply(query: Raw) -> RawLines:
        asked.append(query.id)
        return RawLines((REQUEST, RESULT), more=3)

    async with running(size=(100, 40), replies={Raw: reply}) as on:
        await raw_of_last_call(on)
        assert asked == ["t6"]
        assert isinstance(on.app.screen, DetailScreen)
        assert on.rows[0].startswith(" Bash: raw")
        assert "3 older lines are not shown" in on.text
        request, result = on.text.index("Request"), on.text.index("Result")
        assert request < on.text.index('"command": "\\u001b]52;c;aGk=\\u0007[bold]x[/]"') < result
        assert '"a": [' in on.text and "2026-11-30T14:02:00Z" in on.text
        await on.press("y")
        copied = on.app.clipboard
        assert '"tool_use"' in copied and "\x1b" not in copied and "\x07" not in copied
        await on.press("r")
        assert on.app.screen is on.main


async def test_what_is_not_in_the_file_is_said() -> None:
    async with running(replies={Raw: RawLines()}) as on:
        await raw_of_last_call(on)
        assert "Nothing of it is in the session's file." in on.text
    async with running() as on:
        await raw_of_last_call(on)
        assert "nothing is known about that" in on.text


def test_u2_json_holds_no_code_and_json_in_texts_is_opened() -> None:
    value: dict[str, Any] = {"x": EVIL, "y": '[{"z": 1}]', "w": "[no json", "v": ("a", 1)}
    text = "\n".join(pretty(value))
    assert "\x1b" not in text and "\x07" not in text
    assert '"z": 1' in text and '"[no json"' in text
