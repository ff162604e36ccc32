"""``/context``."""

from __future__ import annotations

import json

from agent_tui.engine.command import CommandContext


class Command:
    """Show what fills the context window."""

    hint = ""

    async def run(self, args: str, context: CommandContext) -> None:
        """List the parts with their size: measured for the whole, estimated (bytes / 4) for the parts."""
        record = context.record
        request = context.requests.main(record.conversation)
        system = sum(len(str(block.get("text", "")).encode()) for block in request.system)
        tools = len(json.dumps(request.tools).encode())
        messages = sum(line.size for line in record.conversation.lines)
        parts = {"System prompt": system, "Tools": tools, "Conversation": messages}
        used, window = record.conversation.context_tokens, context.status.window
        share = f" ({used / window:.0%} of {window:,})" if window else ""
        rows = [f"Context: {used:,} tokens{share} after the last response."]
        rows += [f"{name}: about {size // 4:,} tokens" for name, size in parts.items()]
        await record.command_output("\n".join(rows))
