"""Lines that the person runs in the shell: how they are typed, and what a transcript shows of them and their output."""

from __future__ import annotations

import re

from agent_tui.protocol.display import CommandDisplay
from agent_tui.protocol.messages import UserMessage
from agent_tui.view.blocks import ToolBlock, ToolState

SIGN = "!"
"""What a typed line for the shell begins with."""
NAME = "Shell"
"""What the card is called: the agent's own commands are ``Bash``."""

_INPUT = re.compile(r"<bash-input>(.*)</bash-input>\s*", re.DOTALL)
_OUTPUT = re.compile(
    r"<bash-stdout>(.*?)</bash-stdout>\s*(?:<bash-stderr>(.*)</bash-stderr>\s*)?", re.DOTALL
)


def shell_line(text: str) -> str | None:
    """Give the line for the shell that a typed text is; None when it is none. It may be empty."""
    typed = text.lstrip()
    return typed.removeprefix(SIGN).strip() if typed.startswith(SIGN) else None


def begun(message: UserMessage, text: str, block_id: str) -> ToolBlock | None:
    """Give the card of a line that begins with this message; None when it tells of none."""
    found = _INPUT.fullmatch(text)
    if found is None:
        return None
    display = message.display or CommandDisplay(found[1])
    return ToolBlock(block_id, NAME, {"command": found[1]}, display=display, state="running")


def ended(
    message: UserMessage, text: str, card: ToolBlock | None, block_id: str
) -> ToolBlock | None:
    """Give the card of the line whose output this message is; ``card`` is what stands of it already."""
    found = _OUTPUT.fullmatch(text)
    if found is None:
        return None
    said = "\n".join(part for part in (found[1], found[2]) if part)
    display = message.display
    if not isinstance(display, CommandDisplay):
        command = card.display.command if card and isinstance(card.display, CommandDisplay) else ""
        display = CommandDisplay(command, exit_code=0, head=tuple(said.splitlines()))
    tool_input = {"command": display.command}
    return ToolBlock(
        card.id if card else block_id,
        NAME,
        tool_input,
        state=_state(display),
        display=display,
        result=said,
        elapsed_ms=message.duration_ms,
    )


def _state(display: CommandDisplay) -> ToolState:
    if display.interrupted:
        return "stopped"
    return "failed" if display.exit_code or display.timed_out else "done"
