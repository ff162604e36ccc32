"""``/model``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext


class Command:
    """Show or change the model, from the next request on."""

    hint = "[model]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Change to ``args`` (an id or an alias), or say which model is used."""
        if args.strip():
            chosen = await context.wiring.use_model(args.strip())
            await context.output(f"Model is {chosen} from the next request on.")
        else:
            await context.output(f"Model is {context.status.model}.")
