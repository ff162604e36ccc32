"""``session_state_changed``: tells a program that asks for it whether a session is at work.

The Python package ``claude-agent-sdk`` asks by a variable of the environment, and so learns when it may close its end:
``idle`` comes once no run goes and none is owed.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from agent_tui.headless.ending import Work
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.paths import Environment

FOR_EVERYBODY = "CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS"
FOR_THE_HOST = "CLAUDE_CODE_SDK_READS_SESSION_STATE"
_NO = ("", "0", "false", "no", "off")


@dataclass(slots=True)
class States:
    """The state told last. ``wanted``: whether it is told at all; ``hidden``: to the package only, not its user."""

    wanted: bool = False
    hidden: bool = False
    _told: str = "idle"

    @classmethod
    def of(cls, env: Environment) -> States:
        """Read who wants to be told."""
        everybody = env.get(FOR_EVERYBODY).lower() not in _NO
        return cls(everybody or env.get(FOR_THE_HOST).lower() not in _NO, not everybody)

    def now(self, session_id: str, work: Work, *, idle: bool) -> JsonObject | None:
        """Give the record if the state has changed and somebody wants to know."""
        state = "idle" if idle else "requires_action" if work.asking else "running"
        if not self.wanted or state == self._told:
            return None
        self._told = state
        record: JsonObject = {
            "type": "system",
            "subtype": "session_state_changed",
            "state": state,
            "uuid": str(uuid.uuid4()),
            "session_id": session_id,
        }
        return {**record, "sdk_host_only": True} if self.hidden else record
