"""``/diff``."""

from __future__ import annotations

from anyio import to_thread

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.reviews import Scope

MOST_LINES = 2_000
SCOPES: dict[str, Scope] = {"": "session", "session": "session", "prompt": "prompt"}


class Command:
    """Show what was changed of files, since the last prompt or in the whole session."""

    hint = "[session|prompt]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Print it as a unified diff."""
        scope = SCOPES.get(args.strip().lower())
        if scope is None:
            raise UsageError("Usage: /diff [session|prompt]")
        text = await to_thread.run_sync(context.reviewing.text, scope)
        lines = text.splitlines()
        if len(lines) > MOST_LINES:
            more = len(lines) - MOST_LINES
            text = "\n".join([*lines[:MOST_LINES], f"({more} more lines)"])
        since = "since the last prompt" if scope == "prompt" else "in this session"
        await context.output(text or f"No file was changed {since}.")
