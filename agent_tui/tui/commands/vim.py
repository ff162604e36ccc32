"""Edit the prompt as in Vim, or as usual again."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage


def run(stage: Stage, argument: str) -> None:
    """Change to the other way."""
    if stage.toggle_vim():
        stage.say("The prompt is edited as in Vim. Setting `editorMode` to `vim` keeps it so.")
    else:
        stage.say("The prompt is edited as usual.")
