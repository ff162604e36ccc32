"""What the screen loads and does right after its first frame, so that neither the frame nor the first answer waits.

The start of the program runs without the collector of cycles: nothing that is imported ever becomes garbage, and
looking for some among it costs a fifth of the start. When the first frame stands, what there is by then is set aside
for good, the collector goes on, and what the first keys and deltas need is loaded in a thread.
"""

from __future__ import annotations

import asyncio
import gc
from importlib import import_module

SOON = (
    "agent_tui.tui.markdown",
    "agent_tui.tui.lexing",
    "agent_tui.tui.blocks.prompt",
    "agent_tui.tui.blocks.notice",
    "agent_tui.tui.blocks.answer",
    "agent_tui.tui.blocks.tool",
    "agent_tui.tui.blocks.result",
    "agent_tui.tui.displays.text",
    "agent_tui.tui.displays.command",
    "agent_tui.tui.displays.diff",
    "agent_tui.tui.screens.sessions",
    "pygments.lexers.python",
)
"""Modules behind doors, in the order in which they are likely to be needed."""

PAUSE = 0.15
"""Seconds after the first frame that belong to the first keys."""


async def warm_up() -> None:
    """Set aside what the start has made, and load the rest piece by piece; keys are taken meanwhile."""
    settle_memory()
    await asyncio.sleep(PAUSE)
    for name in SOON:
        await asyncio.to_thread(import_module, name)
    gc.freeze()


def settle_memory() -> None:
    """Let the collector work again, on what is made from now on."""
    gc.freeze()
    gc.enable()
