"""What the messages in the window are made of, in tokens estimated from bytes: prompts, answers, thinking, calls, results."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, cast

from agent_tui.journal.fold import Conversation
from agent_tui.journal.lines import block_size
from agent_tui.protocol.content import JsonObject

LARGEST = 3
"""Results that are named."""
_BYTES = 4
_ABOUT = ("file_path", "path", "pattern", "command", "url", "query", "description")


def breakdown(conversation: Conversation) -> JsonObject:
    """Give the documented ``messageBreakdown``, with thinking told apart and the largest results by name."""
    sums: dict[str, int] = defaultdict(int)
    by_tool: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    calls: dict[str, tuple[str, str]] = {}
    results: list[tuple[int, str, str]] = []
    prompts = 0
    for line in conversation.lines:
        if line.is_context:
            continue
        kinds = {block.get("type") for block in line.blocks}
        prompts += line.role == "user" and "tool_result" not in kinds
        for block in line.blocks:
            size = block_size(block)
            match block.get("type"):
                case "tool_use":
                    name = str(block.get("name"))
                    calls[str(block.get("id"))] = name, _about(block.get("input"))
                    sums["toolCallTokens"] += size
                    by_tool[name][0] += size
                case "tool_result":
                    name, about = calls.get(str(block.get("tool_use_id")), ("", ""))
                    sums["toolResultTokens"] += size
                    by_tool[name][1] += size
                    results.append((size, name, about))
                case "thinking" | "redacted_thinking":
                    sums["thinkingTokens"] += size
                case "image" | "document":
                    sums["attachmentTokens"] += size
                case _:
                    mine = "userMessageTokens" if line.role == "user" else "assistantMessageTokens"
                    sums[mine] += size
    names = ("toolCallTokens", "toolResultTokens", "attachmentTokens", "assistantMessageTokens")
    return {
        **{name: sums[name] // _BYTES for name in (*names, "userMessageTokens", "thinkingTokens")},
        "prompts": prompts,
        "toolCallsByType": [
            {"name": name, "callTokens": call // _BYTES, "resultTokens": result // _BYTES}
            for name, (call, result) in by_tool.items()
        ],
        "largestResults": [
            {"name": name, "about": about, "tokens": size // _BYTES}
            for size, name, about in sorted(results, reverse=True)[:LARGEST]
        ],
    }


def _about(given: Any) -> str:
    """Say in a few words what a call was about."""
    data = cast("JsonObject", given) if isinstance(given, dict) else {}
    for key in _ABOUT:
        value = data.get(key)
        if isinstance(value, str) and value:
            return " ".join(value.split())[:60]
    return ""
