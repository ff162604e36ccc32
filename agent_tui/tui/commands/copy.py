"""Copy the last answer, or the Nth last, to the clipboard as markdown."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage

ARGUMENT = "[N]"


def run(stage: Stage, argument: str) -> None:
    """Copy an answer."""
    answers = stage.answers()
    back = int(argument) if argument.isdecimal() else 1
    if argument and not argument.isdecimal():
        stage.say("Which answer? /copy copies the last one, /copy 2 the one before.", error=True)
    elif not 1 <= back <= len(answers):
        stage.say("There is no such answer yet.", error=True)
    else:
        text = answers[-back]
        stage.copy(text)
        lines = text.count("\n") + 1
        stage.say(f"Copied {lines} line{'s' if lines > 1 else ''}.")
