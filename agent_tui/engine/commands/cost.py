"""``/cost``."""

from __future__ import annotations

from agent_tui.engine.command import CommandContext
from agent_tui.protocol.usage import ModelUsage


class Command:
    """Show what this session has used and cost, per model."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """List tokens by kind and dollars for each model, then the total."""
        conversation = context.record.conversation
        rows = [_row(name, used) for name, used in conversation.model_usage.items()]
        total = conversation.total_cost_usd
        rows.append("Total: " + ("unknown" if total is None else f"${total:.4f}"))
        await context.output("\n".join(rows))


def _row(name: str, used: ModelUsage) -> str:
    usage = used.usage
    cost = "price unknown" if used.cost_usd is None else f"${used.cost_usd:.4f}"
    return (
        f"{name}: {usage.input_tokens:,} input, {usage.cache_read_input_tokens:,} cache read, "
        f"{usage.cache_creation_input_tokens:,} cache write, {usage.output_tokens:,} output, {cost}"
    )
