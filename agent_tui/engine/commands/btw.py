"""``/btw``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.errors import ModelError, UsageError


class Command:
    """Ask a side question: it is answered from the conversation and doesn't become part of it."""

    hint = "<question>"

    async def run(self, args: str, context: CommandContext) -> None:
        """Say the answer."""
        try:
            answer = await context.premises.asides.ask(args)
        except ModelError as error:
            raise UsageError(f"There is no answer: {error}") from error
        await context.output(answer.text)
