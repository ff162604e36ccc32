"""Go on with another session."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage

ALIASES = ("continue",)
ARGUMENT = "[id]"


def run(stage: Stage, argument: str) -> None:
    """Open the picker, or the session named."""
    if argument:
        stage.resume(argument)
    else:
        stage.show_sessions()
