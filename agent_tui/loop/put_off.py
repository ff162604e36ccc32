"""A call that a hook put off: the run ends with it undecided, and the next run begins by having it decided.

Only without a person at a screen, and only a call that is alone in its turn. It stays open in the journal; the hooks
are fired for it again whenever the session goes on, in the same process or in a later one.
"""

from __future__ import annotations

from agent_tui.journal.fold import Conversation
from agent_tui.loop.answer import CallSeen
from agent_tui.loop.progress import Ending
from agent_tui.protocol.content import JsonObject

PUT_OFF = "tool_deferred"
GONE = "tool_deferred_unavailable"


def alone(conversation: Conversation) -> bool:
    """Tell whether the newest response makes one call and no more."""
    calls, lines = 0, conversation.lines
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        if line.role == "assistant":
            if line.response != conversation.responses:
                break
            calls += sum(block["type"] == "tool_use" for block in line.blocks)
    return calls == 1


def waiting(conversation: Conversation) -> tuple[CallSeen, ...]:
    """Give the call that was put off and is still to be decided, if there is one."""
    return () if conversation.put_off is None else (CallSeen.of(conversation.put_off),)


def ended(call: CallSeen) -> Ending:
    """End the run with a call put off."""
    return Ending(terminal=PUT_OFF, stop_reason=PUT_OFF, put_off=_told(call))


def unavailable(call: CallSeen) -> Ending:
    """End the run because the tool of a call that was put off is no more; the call stays as it is."""
    name = call.block.name
    return Ending(
        "error_during_execution",
        terminal=GONE,
        errors=(
            f"The call that was put off can't be decided: there is no tool {name!r} in this session.",
        ),
        stop_reason=GONE,
        put_off=_told(call),
    )


def _told(call: CallSeen) -> JsonObject:
    return {"id": call.block.id, "name": call.block.name, "input": call.block.input}
