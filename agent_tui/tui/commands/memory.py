"""Show the memory files, and open one in your editor."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage


def run(stage: Stage, argument: str) -> None:
    """Open the screen."""
    stage.show_memory()
