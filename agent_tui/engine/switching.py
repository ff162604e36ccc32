"""Changing the model: hooks may keep it from happening, and are told when it has happened."""

from __future__ import annotations

from dataclasses import dataclass

from agent_tui.context.request import reminder
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.record import Recorder
from agent_tui.protocol.content import JsonObject


@dataclass(frozen=True, slots=True)
class Switch:
    """A change of the model. ``asked`` is the name as it was given, None for the default."""

    before: str
    after: str
    asked: str | None
    context_tokens: int

    @property
    def fields(self) -> JsonObject:
        """What hooks are told."""
        return {
            "from_model": self.before,
            "to_model": self.after,
            "requested_model": self.asked or "default",
            "source": "user",
            "context_tokens": self.context_tokens,
        }


async def objection(hooks: Hooks, switch: Switch) -> str | None:
    """Fire PreModelSwitch; give why the model stays, None when it may be changed.

    Nothing is asked here: whoever changes the model has asked for it, so a hook's ``ask`` keeps it as it is too.
    """
    if switch.before == switch.after:
        return None
    outcome = await hooks.fire("PreModelSwitch", switch.fields)
    if outcome.behavior not in ("deny", "ask"):
        return None
    return f"A hook keeps the model at {switch.before}: {outcome.reason}".rstrip(": ")


async def switched(hooks: Hooks, switch: Switch, record: Recorder) -> None:
    """Fire PostModelSwitch; what it adds goes to the new model with the next request."""
    if switch.before == switch.after:
        return
    outcome = await hooks.fire("PostModelSwitch", switch.fields)
    if record.conversation.head is None:  # nothing was said yet that could be added to
        return
    for text in outcome.additional_context:
        record.reminder(reminder(f"A PostModelSwitch hook adds: {text}"))
