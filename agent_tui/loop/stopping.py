"""The model is done: Stop hooks may send it back to work, but not for ever."""

from __future__ import annotations

from dataclasses import replace

from agent_tui.loop.hooks import Hooks
from agent_tui.loop.progress import Ending
from agent_tui.loop.record import Recorder

MAX_BLOCKS = 8
"""How often in a row hooks may keep a run going although the model uses no tool."""


class Stopping:
    """Asks the Stop hooks of one run."""

    def __init__(self, hooks: Hooks, record: Recorder) -> None:
        self._hooks = hooks
        self._record = record
        self._in_a_row = 0
        self._active = False

    def worked(self) -> None:
        """Note that the model has used a tool since: it is getting somewhere."""
        self._in_a_row = 0

    async def stop(self, ending: Ending) -> Ending | None:
        """Give how the run ends; None when a hook makes it go on, because it blocks or has something to add."""
        outcome = await self._hooks.fire(
            "Stop", {"stop_hook_active": self._active, "last_assistant_message": ending.text}
        )
        if outcome.stop is not None:
            if outcome.stop:
                await self._record.notice(f"A stop hook ended the run: {outcome.stop}", "warning")
            return replace(ending, terminal="stop_hook_prevented")
        wants = "\n\n".join(filter(None, (outcome.blocked, *outcome.additional_context)))
        if not wants:
            return ending
        if self._in_a_row >= MAX_BLOCKS:
            await self._record.notice(
                f"A stop hook kept the run going {MAX_BLOCKS} times in a row without a tool being used; "
                f"the run ends all the same. It says: {wants}",
                "warning",
            )
            return ending
        self._in_a_row += 1
        self._active = True
        await self._record.nudge(wants)
        await self._record.system("notification", key="stop-hook", text=wants, priority="medium")
        return None
