"""How deep this program stands inside hooks of its own: a hook that starts it, whose hook starts it, has to end somewhere."""

from __future__ import annotations

from agent_tui.protocol.errors import UsageError
from agent_tui.settings.paths import Environment

HOOK_DEPTH = "AGENT_TUI_HOOK_DEPTH"
"""The variable that tells a hook, and what it starts, how many hooks stand above."""

MOST_DEEP = 3


def hook_depth(env: Environment) -> int:
    """Give the number of hooks this program was started through."""
    text = env.get(HOOK_DEPTH)
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def check_depth(env: Environment) -> None:
    """Refuse to start where hooks start this program again and again.

    To start without hooks instead would let whoever sets the variable go without guards.

    Raises:
        UsageError: the text says what to do.
    """
    if hook_depth(env) > MOST_DEEP:
        raise UsageError(
            f"a hook has started agent-tui, whose hook has started it again, {MOST_DEEP} times over; "
            f"have that hook do nothing where {HOOK_DEPTH} is set"
        )
