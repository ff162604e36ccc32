from __future__ import annotations

import sys
from pathlib import Path

import pytest

from agent_tui.protocol.content import TextBlock
from agent_tui.protocol.messages import AssistantMessage
from tests.tui.stage import running
from tests.tui.terminal import Terminal

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def said(ident: str, text: str) -> AssistantMessage:
    return AssistantMessage((TextBlock(text),), "m", message_id=ident, uuid=ident)


async def test_copy_takes_the_source_of_the_last_answer() -> None:
    async with running() as on:
        await on.say(said("a", "first"), said("b", "**second**"))
        await on.type("/copy")
        await on.press("enter")
        assert on.app.clipboard == "**second**"
        assert "Copied 1 line." in on.text


async def test_the_session_that_is_open_is_not_opened_again() -> None:
    async with running() as on:
        session = on.main.pump.status.session
        assert session is not None
        on.main.doing.resume(session.session_id)
        await on.settle()
        assert len(on.links) == 1
        assert "This is that session." in on.text


def with_editor(script: str) -> Terminal:
    path = Path("editor.py").absolute()
    path.write_text(f"import sys, pathlib\npath = pathlib.Path(sys.argv[1])\n{script}\n")
    env = {"VISUAL": f"{sys.executable} {path}"}
    return Terminal("-m", "tests.tui.play", "plain", env=env)


def test_the_persons_own_editor_gets_the_draft_and_gives_it_back() -> None:
    change = "path.write_text(path.read_text() + ' and あ more\\nlines\\n')"
    with with_editor(f"print('in the editor'); {change}") as terminal:
        terminal.wait_for("sonnet")
        terminal.send("draft\x07")
        terminal.wait_for(" › draft and あ more")
        assert "   lines" in terminal.rows
        assert b"in the editor" in terminal.raw
        terminal.send("!")
        terminal.wait_for("   lines!")


def test_an_editor_that_fails_leaves_the_draft_alone() -> None:
    with with_editor("sys.exit(3)") as terminal:
        terminal.wait_for("sonnet")
        terminal.send("draft\x07")
        terminal.wait_for("did not end well (3)")
        assert " › draft" in terminal.rows
