"""How calls and runs went, read off the messages that end them."""

from __future__ import annotations

import re
from datetime import datetime

from agent_tui.protocol.content import JsonObject, ToolResultBlock
from agent_tui.protocol.display import AgentDisplay, CommandDisplay, Display
from agent_tui.protocol.messages import ResultMessage, UserMessage
from agent_tui.view.blocks import Behind, ToolBlock, ToolState

# What the loop answers a call with that was declined, interrupted or not begun; there is no field that tells it.
_NOT_RUN = re.compile(
    r"\W*(?:Not run: |the (?:person|user) (?:declined|interrupted|doesn't want))",
    re.IGNORECASE,
)

_DENIED = re.compile(r"\W*A hook denied this call", re.IGNORECASE)


def result_state(message: UserMessage, result: ToolResultBlock, *, refused: bool) -> ToolState:
    """Tell how a call ended. ``refused``: it is known already that it was not allowed."""
    if isinstance(message.display, CommandDisplay):
        if message.display.interrupted:
            return "stopped"
        if message.display.timed_out or message.display.exit_code:
            return "failed"
    if not result.is_error:
        return "done"
    return "stopped" if refused or _NOT_RUN.match(result_text(result.content)) else "failed"


def was_denied(text: str) -> bool:
    """Tell whether a call's result says that a hook did not let it through."""
    return bool(_DENIED.match(text))


def words_against(block: ToolBlock) -> str:
    """Give what a person or a hook had to say against a call; empty where it is no more than a no."""
    said = block.result.strip()
    plain = block.state != "stopped" or block.why != "refused" or _NOT_RUN.match(said)
    return "" if plain else said


def result_text(content: str | list[JsonObject] | None) -> str:
    """Give the text of a tool result."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(str(part.get("text", "")) for part in content if part.get("type") == "text")


def seconds_between(start: str | None, end: str | None) -> float | None:
    """Give the seconds between two ISO 8601 times, at least 0; None when either is missing or no time."""
    if start is None or end is None:
        return None
    try:
        seconds = (datetime.fromisoformat(end) - datetime.fromisoformat(start)).total_seconds()
    except (ValueError, TypeError):
        return None
    return max(0.0, seconds)


def left_behind(message: UserMessage, display: Display | None) -> Behind:
    """Tell whether a call went on in the background when it gave this result."""
    data = message.tool_use_result
    if isinstance(data, dict) and data.get("backgroundTaskId"):
        return "running"
    return "running" if isinstance(display, AgentDisplay) and display.status == "background" else ""


def count(value: object) -> int | None:
    """Give a whole number, None for anything else."""
    return value if isinstance(value, int) else None


def why_ended(message: ResultMessage) -> str:
    """Give a sentence on why a run ended without success; empty where there is nothing to say."""
    aborted = (message.terminal_reason or "").startswith("aborted")
    if not message.is_error or aborted:
        return ""  # a stopped run says so where it was stopped
    if message.errors:
        return message.errors[0]
    match message.subtype:
        case "error_max_turns":
            return f"Ended at the limit of {message.num_turns} turns."
        case "error_max_budget_usd":
            return "Ended at the limit of the budget."
        case _:
            return "The run failed."
