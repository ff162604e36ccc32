"""``/rename``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.engine.titles import given_title
from agent_tui.protocol.errors import UsageError


class Command:
    """Give this session a title."""

    hint = "<title>"

    async def run(self, args: str, context: CommandContext) -> None:
        """Store ``args``, cleaned and cut to 200 characters, as the title."""
        title = given_title(args)
        if not title:
            raise UsageError("Usage: /rename <title>")
        context.record.title(title, generated=False)
        context.status.touch()
        await context.output(f"This session is now called {title!r}.")
