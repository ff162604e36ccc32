"""Leave; the session can be resumed."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage

ALIASES = ("quit",)


def run(stage: Stage, argument: str) -> None:
    """End the program."""
    stage.leave()
