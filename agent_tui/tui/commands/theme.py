"""Change the colours; without a name, list what there is."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage

ARGUMENT = "[name]"


def run(stage: Stage, argument: str) -> None:
    """Switch to the theme named."""
    names = stage.theme_names()
    if argument in names:
        stage.use_theme(argument)
    elif argument:
        stage.say(f"There is no theme {argument!r}; there are {', '.join(names)}.", error=True)
    else:
        others = ", ".join(name for name in names if name != stage.current_theme())
        stage.say(f"The theme is {stage.current_theme()}. Others: {others}.")
