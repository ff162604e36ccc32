"""``/init``."""

from __future__ import annotations

from importlib import resources

from agent_tui.engine.command import CommandContext


class Command:
    """Have the model look at the project and write CLAUDE.md, which tells it every time how to work here."""

    hint = "[what matters]"

    async def run(self, args: str, context: CommandContext) -> str:
        """Give the prompt that asks for it, with ``args`` as what the person wants in it."""
        text = resources.files("agent_tui.engine").joinpath("init.md").read_text("utf-8").strip()
        if args.strip():
            text += f"\n\nThe user wants this in it: {args.strip()}"
        return text
