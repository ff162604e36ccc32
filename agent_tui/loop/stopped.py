"""What an interrupt leaves of a call: it keeps what could be seen of it so far."""

from __future__ import annotations

import signal
from dataclasses import replace

from agent_tui.protocol.display import AgentDisplay, CommandDisplay, Display
from agent_tui.tools.base import ToolOutput

STOPPED_BEFORE = "Not run: the person interrupted before this call was started."
STOPPED_DURING = "The person interrupted this call while it ran."

KEPT = 4000
"""Characters of a command's output that are told."""


def stopped_output(seen: Display | None, *, ran: bool) -> ToolOutput:
    """Give the result of a call that was interrupted; ``seen`` is its newest display."""
    text = STOPPED_DURING if ran else STOPPED_BEFORE
    partial = _partial_text(seen) if ran else ""
    return ToolOutput(
        f"{text}\n{partial}".strip(), _marked(seen), structured=f"Error: {text}", is_error=True
    )


def _marked(display: Display | None) -> Display | None:
    if isinstance(display, CommandDisplay):
        return replace(display, interrupted=True)
    if isinstance(display, AgentDisplay):
        return replace(display, status="interrupted")
    return display


def _partial_text(display: Display | None) -> str:
    if isinstance(display, AgentDisplay) and display.tool_uses:
        last = f"; the last: {display.last}" if display.last else ""
        return f"The sub-agent was interrupted after {display.tool_uses} calls{last}."
    if not isinstance(display, CommandDisplay):
        return ""
    lines = [*display.head]
    if display.hidden_lines:
        lines.append(f"[{display.hidden_lines} lines left out]")
    lines.extend(display.tail)
    code = display.exit_code or 0
    how = f"It was ended by {signal.Signals(-code).name}.\n" if code < 0 else ""
    return how + ("Output until then:\n" + "\n".join(lines)[-KEPT:] if lines else "")
