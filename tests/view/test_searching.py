from __future__ import annotations

import pytest

from agent_tui.protocol.display import CommandDisplay, DiffDisplay, FileDisplay, Hunk, TextDisplay
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
from agent_tui.view.searching import MAX_NEEDLE, count_in, needle_of

DIFF = DiffDisplay(
    "src/needle.py", (Hunk(1, 1, 1, 1, ("-a needle", "+a pin"), "class Needle"),), 1, 1
)


@pytest.mark.parametrize(
    ("block", "places"),
    [
        (PromptBlock("1", "Needle, needle"), 2),
        (AnswerBlock("1", "a **nee**dle and `needle`"), 2),
        (ThoughtBlock("1", "needle"), 1),
        (NoticeBlock("1", "info", "needle"), 1),
        (ErrorBlock("1", "needle"), 1),
        (CompactBlock("1", summary="the needle"), 1),
        (ResultBlock("1", 1, 1, None, 1, why="needle"), 1),
        (ToolBlock("1", "Needle", {"x": "needle"}, "done", result="needle"), 3),
        (ToolBlock("1", "Edit", {"old": "needle"}, "done", DIFF, "needle"), 2),
        (ToolBlock("1", "Read", {"file_path": "needle"}, "done", FileDisplay("a"), "needle"), 1),
        (
            ToolBlock("1", "Bash", {"command": "x"}, "done", CommandDisplay("needle", tail=("needle",)), "needle"),
            2,
        ),
        (ToolBlock("1", "X", {"a": ["needle", {"b": "needle"}]}, "running"), 2),
        (ToolBlock("1", "X", {}, "done", TextDisplay("needle", "no")), 1),
        (ResultBlock("1", 1, 1, None, 1), 0),
    ],
)  # fmt: skip
def test_each_kind_of_block_is_looked_through(block: Block, places: int) -> None:
    needle = needle_of("needle")
    assert needle is not None
    assert count_in(block, needle) == places


def test_any_blanks_stand_for_any_others_and_nothing_is_a_pattern() -> None:
    needle = needle_of("  a.b   c ")
    assert needle is not None
    assert count_in(PromptBlock("1", "A.B\n  c and axb c"), needle) == 1


@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_there_may_be_nothing_to_look_for(text: str) -> None:
    assert needle_of(text) is None


def test_a_pasted_page_is_no_needle() -> None:
    needle = needle_of("x" * 10_000)
    assert needle is not None
    assert len(needle.pattern) == MAX_NEEDLE
