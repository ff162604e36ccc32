"""``/effort``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.errors import UsageError

WORDS = ("low", "medium", "high", "xhigh", "max", "auto")


class Command:
    """Show or change how hard the model thinks, from the next request on."""

    hint = "[low|medium|high|xhigh|max|auto]"

    async def run(self, args: str, context: CommandContext) -> None:
        """Change to ``args``; ``auto`` leaves it to the model. What the model can't do is lowered, and said."""
        level = args.strip().lower()
        if not level:
            now = context.requests.effort
            await context.output(f"Effort is {now}." if now else "The model chooses its effort.")
            return
        if level not in WORDS:
            raise UsageError(f"There is no level {level!r}; there are {', '.join(WORDS)}.")
        notes = context.wiring.use_effort(None if level == "auto" else level)
        now = context.requests.effort
        said = f"Effort is {now}" if now else "The model chooses its effort"
        await context.output(f"{said} from the next request on.")
        for note in notes:
            await context.output(note, "warning")
