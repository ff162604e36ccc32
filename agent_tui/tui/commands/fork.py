"""Go on in a copy of this session; the original stays as it is and can be resumed."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage

ALIASES = ("branch",)
ARGUMENT = "[title]"


def run(stage: Stage, argument: str) -> None:
    """Open the copy, perhaps under a title of its own."""
    stage.fork(argument)
