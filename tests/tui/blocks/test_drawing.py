from __future__ import annotations

import pkgutil
from typing import get_args

import pytest

from agent_tui.protocol.display import CommandDisplay
from agent_tui.tui import blocks
from agent_tui.tui.blocks.drawing import View, render_block
from agent_tui.tui.glyphs import ASCII
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    CompactBlock,
    ErrorBlock,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from tests.fakes.conversation_host import page, scene, texts

NASTY = "x\x1b]52;c;aGk=\x07[bold]\x9b31m\u202e"
SAMPLES: list[Block] = [
    PromptBlock("1", f"{NASTY}\n" * 30, "2026-11-30T14:02:00Z", 2),
    AnswerBlock("2", f"{NASTY} `{NASTY}`\n\n```{NASTY}\n{NASTY}\n```"),
    ThoughtBlock("3", NASTY, 6.0),
    ToolBlock("4", NASTY, {NASTY: NASTY, "n": [1]}, "done", None, NASTY, behind="failed"),
    ToolBlock(
        "5",
        f"mcp__{NASTY}__x",
        {"command": NASTY},
        "failed",
        CommandDisplay(NASTY, exit_code=1),
        NASTY,
    ),
    ToolBlock("6", "Bash", {"command": NASTY}, "stopped", None, NASTY, why=NASTY),
    NoticeBlock("7", "warning", NASTY),
    NoticeBlock("8", "output", f"{NASTY}\n" * 90),
    ResultBlock("9", 3, 100, None, 1000, "error_max_turns", NASTY),
    CompactBlock("10", "auto", 900, 90, NASTY),
    ErrorBlock("11", NASTY, NASTY),
]


def test_each_kind_has_a_module_of_its_name() -> None:
    modules = {module.name for module in pkgutil.iter_modules(blocks.__path__)}
    assert modules == {kind.__dataclass_fields__["kind"].default for kind in get_args(Block)} | {
        "drawing"
    }


@pytest.mark.parametrize("block", SAMPLES, ids=lambda block: f"{block.kind}-{block.id}")
@pytest.mark.parametrize("width", [40, 70, 120])
@pytest.mark.parametrize("expanded", [False, True], ids=["folded", "expanded"])
def test_u1_u2_every_row_is_as_wide_as_the_page_and_holds_no_code(
    block: Block, width: int, expanded: bool
) -> None:
    rows = list(render_block(block, page(width), View(expanded)))
    assert rows
    for line in rows:
        assert sum(s.cell_length for s in line.strip) == width
        assert not any(c < " " or "\x7f" <= c <= "\x9f" or c == "\u202e" for c in line.strip.text)


def test_with_the_ascii_glyphs_nothing_of_ours_is_more_than_ascii() -> None:
    sheet = page(100, glyphs=ASCII)
    for block in scene():
        for expanded in (False, True):
            for line in render_block(block, sheet, View(expanded)):
                assert line.strip.text.isascii(), line.strip.text


def test_the_two_texts_of_a_row_never_touch() -> None:
    for width in (40, 60, 80):
        for block in scene():
            for row in texts(render_block(block, page(width))):
                assert len(row) <= width - 2
