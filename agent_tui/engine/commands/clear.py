"""``/clear``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext


class Command:
    """Begin a new conversation; the old one stays resumable."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """Leave the conversation as it is on disk and begin an empty one; totals restart."""
        await context.wiring.clear()
