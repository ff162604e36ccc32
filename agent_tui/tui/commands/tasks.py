"""What is to be done and what runs in the background; ``stop ID`` ends one of it."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage

ARGUMENT = "[stop ID]"


def run(stage: Stage, argument: str) -> None:
    """Open the tasks screen, or stop what is named."""
    verb, _, task_id = argument.partition(" ")
    if not argument:
        stage.show_tasks()
    elif verb != "stop":
        stage.say("/tasks shows what runs; /tasks stop ID ends one of it.", error=True)
    else:
        stage.stop_task(task_id.strip())
