"""Change the colours; without a name, choose from a list that shows each at once."""

from __future__ import annotations

from agent_tui.tui.commands.stage import Stage

ARGUMENT = "[name]"


def run(stage: Stage, argument: str) -> None:
    """Keep the theme named, or open the list."""
    names = stage.theme_names()
    if not argument:
        stage.show_themes()
    elif argument == "auto" or argument in names:
        stage.keep_theme(argument)
    else:
        stage.say(
            f"There is no theme {argument!r}; there are auto, {', '.join(names)}.", error=True
        )
