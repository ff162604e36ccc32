"""``/export``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext


class Command:
    """Write the conversation into a file that only you can read; secrets are hidden."""

    hint = "[md|html|json] [file]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Write it as markdown unless a form is named or the file's ending says so."""
        path = await context.exporting.write(args)
        await context.output(f"Exported to {path}.")
