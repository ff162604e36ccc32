from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from agent_tui.tui.screens.reading import MOST_LINES, FileText, ReadingScreen, read_files
from tests.tui.offered import OFFER, counts, offering
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def test_files_are_read_as_far_as_they_can_be_shown(tmp_path: Path) -> None:
    first, second, pipe = tmp_path / "a", tmp_path / "b", tmp_path / "pipe"
    first.write_bytes(b"one\r\n\xfftwo\n")
    second.write_text("x\n" * (MOST_LINES + 8))
    os.mkfifo(pipe)
    found = read_files([str(first), str(tmp_path / "gone"), str(pipe), str(second)])
    assert found[0] == FileText(str(first), ("one", "\ufffdtwo"))
    assert found[1].trouble == "can't be read: No such file or directory"
    assert "no regular file" in found[2].trouble
    assert len(found[3].lines) == MOST_LINES - 2
    assert found[3].trouble == "10 more lines are not shown"


async def test_the_files_are_shown_before_the_answer_and_escape_leads_back(tmp_path: Path) -> None:
    file = tmp_path / "settings.json"
    file.write_text('{"hooks": "\x1b]0;pwn\x07[bold]x"}\n' + "line\n" * 100 + "the end\n")
    offer = replace(OFFER, files=(str(file),))
    async with running(up=False, replies=offering(offer)) as on:
        await counts(on)
        await on.press("r")
        await on.settle()
        assert isinstance(on.app.screen, ReadingScreen)
        assert "What this folder brings" in on.rows[0]
        assert str(file) in on.text
        assert '{"hooks": "␛]0;pwn␇[bold]x"}' in on.text
        assert "the end" not in on.text
        await on.press("end")
        assert "the end" in on.text
        await on.press("home", "pagedown", "up", "down", "space")
        assert str(file) not in on.text
        await on.press("escape")
        assert "Do you trust this folder?" in on.text
        assert not on.link.sent
        await counts(on)
        await on.press("enter")
        assert isinstance(on.app.screen, ReadingScreen), "reading is still the chosen answer"
