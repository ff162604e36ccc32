"""The points where hooks may act. ``agent_tui/hooks`` implements them; without hooks ``NoHooks`` stands in."""

from __future__ import annotations

from typing import Protocol

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import NOTHING, HookEvent, HookOutcome


class Hooks(Protocol):
    """Fired by the loop at the documented moments."""

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        """Run the hooks of an event together and fold what they say.

        What concerns the person (a hook's warning, a hook that failed) is said by the implementation. A guard that
        fails is never taken for consent: what the event's table says of failures is in the outcome.

        Args:
            event: which.
            fields: the event's own input; the common fields are added.
            match: what matchers are compared with (a tool's name, a trigger).
        """
        ...


class NoHooks:
    """No hooks are configured."""

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        """Say nothing."""
        return NOTHING
