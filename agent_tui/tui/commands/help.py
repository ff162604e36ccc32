"""Keys and commands."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage


def run(stage: Stage, argument: str) -> None:
    """Open the help screen."""
    stage.show_help()
