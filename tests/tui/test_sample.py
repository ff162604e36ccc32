"""What a theme is judged by."""

from __future__ import annotations

from agent_tui.tui.sample import sample
from agent_tui.view.blocks import ToolBlock


def test_it_has_a_little_of_everything_a_theme_colours() -> None:
    blocks = sample()
    assert len({block.id for block in blocks}) == len(blocks)
    kinds = {block.kind for block in blocks}
    assert {"prompt", "thought", "tool", "answer", "notice", "result"} <= kinds
    tools = [block for block in blocks if isinstance(block, ToolBlock)]
    assert {block.state for block in tools} == {"done", "failed"}
    assert {block.display.kind for block in tools if block.display} == {"file", "diff", "command"}
