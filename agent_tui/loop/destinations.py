"""Where a response leads: each stop reason has one destination."""

from __future__ import annotations

import enum

from agent_tui.model.client import ModelResponse


class Destination(enum.Enum):
    """Where a response leads."""

    TOOLS = "tools"
    DONE = "done"
    GO_ON = "go on"
    TRUNCATED = "truncated"
    OVERFLOW = "overflow"
    REFUSED = "refused"
    EMPTY = "empty"
    BROKEN = "broken"
    UNKNOWN = "unknown"


_BY_STOP_REASON = {
    "end_turn": Destination.DONE,
    "stop_sequence": Destination.DONE,
    "tool_use": Destination.TOOLS,
    "pause_turn": Destination.GO_ON,
    "max_tokens": Destination.TRUNCATED,
    "model_context_window_exceeded": Destination.OVERFLOW,
    "refusal": Destination.REFUSED,
}


def destination(response: ModelResponse, calls: int) -> Destination:
    """Say where a response with this many tool calls leads."""
    if response.cut is not None:
        return Destination.TOOLS if calls else Destination.BROKEN
    known = _BY_STOP_REASON.get(response.stop_reason or "end_turn", Destination.UNKNOWN)
    if known not in (Destination.DONE, Destination.TOOLS, Destination.GO_ON):
        return known
    if calls:
        return Destination.TOOLS  # some servers call it end_turn all the same
    if not response.blocks:
        return Destination.EMPTY
    return Destination.DONE if known is Destination.TOOLS else known
