"""The hooks of a session as a sub-agent's loop sees them: who acts is in every input, its end is ``SubagentStop``."""

from __future__ import annotations

from agent_tui.loop.hooks import Hooks
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent, HookOutcome


class AgentHooks:
    """Implements ``Hooks`` for one sub-agent.

    Args:
        hooks: the session's.
        agent_id, agent_type: who it is.
        transcript: its journal.
    """

    def __init__(self, hooks: Hooks, agent_id: str, agent_type: str, transcript: str) -> None:
        self._hooks = hooks
        self._who: JsonObject = {"agent_id": agent_id, "agent_type": agent_type}
        self._type = agent_type
        self._transcript = transcript

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        """Fire the session's hooks."""
        given: JsonObject = {**(fields or {}), **self._who}
        if event == "Stop":
            given["agent_transcript_path"] = self._transcript
            return await self._hooks.fire("SubagentStop", given, match=self._type)
        return await self._hooks.fire(event, given, match=match)

    async def started(self) -> HookOutcome:
        """Fire ``SubagentStart``."""
        return await self._hooks.fire("SubagentStart", dict(self._who), match=self._type)
