from __future__ import annotations

import pytest

from agent_tui.tui.panes.parts import entry_of
from agent_tui.tui.panes.spacing import gap_between
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    NoticeBlock,
    PromptBlock,
    ResultBlock,
    ToolBlock,
)
from tests.fakes.conversation_host import edit, failed_tests, grep, page, read

ONE_ROW = ToolBlock("x", "Bash", {}, "queued")
STOPPED = NoticeBlock("s", "stopped", "Stopped by you")


@pytest.mark.parametrize(
    ("upper", "lower", "width", "gap"),
    [
        (PromptBlock("p", "x"), AnswerBlock("a", "x"), 120, 1),
        (AnswerBlock("a", "x"), ResultBlock("r", 1, 1, 0.1, 1), 120, 0),
        (read("1", "/a"), ONE_ROW, 120, 0),
        (failed_tests("f"), grep("g"), 120, 1),
        (ONE_ROW, edit("e"), 120, 1),
        (failed_tests("f"), grep("g"), 60, 0),
        (AnswerBlock("a", "x", aborted=True), STOPPED, 120, 0),
        (ONE_ROW, STOPPED, 120, 0),
        (AnswerBlock("a", "x"), STOPPED, 120, 1),
    ],
)
def test_blank_rows_between(upper: Block, lower: Block, width: int, gap: int) -> None:
    above, below = entry_of(upper).parts[0], entry_of(lower).parts[0]
    assert gap_between(above, below, page(width)) == gap


def test_nothing_stands_above_the_first() -> None:
    assert gap_between(None, entry_of(ONE_ROW).parts[0], page()) == 0
