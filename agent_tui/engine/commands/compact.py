"""``/compact``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext


class Command:
    """Summarise the conversation so far to free the context window."""

    hint = "[instructions]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Ask the model for a summary, with ``args`` as what to keep, and go on from it."""
        told = await context.compactor.by_hand(args.strip(), context.init.say)
        if told:
            await context.output(told, "warning")
