from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent_tui.settings.options import Options
from agent_tui.tui.screens.acting import source_id, write_block
from agent_tui.view.blocks import AnswerBlock, PromptBlock, ToolBlock
from tests.tui.scenes import main_scene
from tests.tui.stage import running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("block", "ident"),
    [
        ("toolu_1", "toolu_1"),
        ("msg_1/0", "msg_1"),
        ("msg_1/12", "msg_1"),
        ("msg_1/0<", "msg_1"),
        ("u-1<", "u-1"),
        ("a/b", "a/b"),
    ],
)
def test_the_journal_knows_what_a_block_came_from(block: str, ident: str) -> None:
    assert source_id(AnswerBlock(block, "")) == ident


def test_a_block_goes_into_a_new_file_that_is_its_owners(tmp_path: Path) -> None:
    first = write_block(tmp_path, AnswerBlock("a", "**x**"))
    second = write_block(tmp_path, AnswerBlock("a", "y"))
    odd = write_block(tmp_path, ToolBlock("t", "mcp__../x"))
    assert [path.name for path in (first, second, odd)] == [
        "export-answer-1.md",
        "export-answer-2.md",
        "export-mcpx-1.md",
    ]
    assert "**x**" in first.read_text() and stat.S_IMODE(first.stat().st_mode) == 0o600


def test_where_it_can_not_be_written_it_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        write_block(tmp_path / "file", PromptBlock("p", "x"))


async def test_x_exports_the_block_under_the_cursor_and_says_where(tmp_path: Path) -> None:
    async with running(options=Options(cwd=str(tmp_path), interactive=True)) as on:
        for message in main_scene():
            await on.say(message)
        on.main.conversation.focus()
        await on.press("up", "up", "x")
        for _ in range(50):
            await on.pilot.pause(0.02)
            if on.main.hint.startswith("exported"):
                break
        assert on.main.hint == "exported to export-answer-1.md"
        assert "All 15 tests pass now" in (tmp_path / "export-answer-1.md").read_text()
