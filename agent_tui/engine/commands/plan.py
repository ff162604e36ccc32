"""``/plan``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.ops import SetMode


class Command:
    """Plan first: change to plan mode; what follows the name is the task to plan."""

    hint = "[task]"

    async def run(self, args: str, context: CommandContext) -> str | None:
        """Change the mode; give the task as the prompt to go on with."""
        task = args.strip()
        if context.policy.mode == "plan" and not task:
            raise UsageError("This is plan mode already.")
        if context.policy.mode != "plan":
            await context.wiring.set_mode(SetMode("plan"))
            if not task:
                await context.output("Plan mode: the model looks, and changes nothing.")
        return task or None
