"""Notes on results that are not whole."""

from __future__ import annotations

from agent_tui.protocol.ports import ToolLimits
from agent_tui.tools.search_notes import hidden_note, timeout_note


def test_notes_are_made_only_when_needed() -> None:
    assert hidden_note(0) == []
    assert "2 files were left out" in hidden_note(2)[0]
    assert timeout_note(False, ToolLimits()) == []
    assert "after 20 s" in timeout_note(True, ToolLimits())[0]
