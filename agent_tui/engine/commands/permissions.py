"""``/permissions``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.errors import UsageError
from agent_tui.view.explanations import explanation_text, in_force_text


class Command:
    """List the permission rules and where they stand, or say what would be decided over a call."""

    hint = "[a shell line, a path, Read .env …]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Say what holds, or with ``args`` (``check`` may stand before) what would be decided, and why."""
        text = args.strip()
        word, _, rest = text.partition(" ")
        if word == "check" and rest.strip():
            text = rest.strip()
        home = context.explaining.home
        if text in ("", "list"):
            await context.output(in_force_text(await context.explaining.state(), home))
            return
        try:
            explained = await context.explaining.explain(text)
        except ValueError as error:
            raise UsageError(str(error)) from error
        await context.output(explanation_text(explained, home))
