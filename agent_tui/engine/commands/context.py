"""``/context``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext


class Command:
    """Show what fills the context window."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """List the parts: the whole as the API counted it, the parts estimated."""
        conversation = context.record.conversation
        parts = context.requests.parts(conversation)
        used, window = conversation.context_tokens, context.requests.window
        rows = [
            f"Context: {used:,} of {window:,} tokens ({used / window:.0%}) after the last response.",
            f"Estimated: {parts.sentence()}.",
        ]
        await context.output("\n".join(rows))
