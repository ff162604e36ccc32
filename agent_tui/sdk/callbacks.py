"""A program's hooks as the session's: the documented arguments in, the documented answer out."""

from __future__ import annotations

from typing import Any, cast, get_args

from agent_tui.engine.extras import HookCallback as OurCallback
from agent_tui.engine.extras import HookGroup
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent as OurEvent
from agent_tui.sdk.hook_types import HookCallback, HookContext, HookEvent, HookMatcher
from agent_tui.sdk.warned import unsupported

FIRED: frozenset[str] = frozenset(get_args(OurEvent))
SPELLED = {"continue_": "continue", "async_": "async"}
"""Keys that Python can't spell, and what they stand for."""


def groups_of(
    hooks: dict[HookEvent, list[HookMatcher]] | None,
) -> dict[OurEvent, tuple[HookGroup, ...]]:
    """Give a program's hooks by event; one for an event that is never fired here warns by name."""
    found: dict[OurEvent, tuple[HookGroup, ...]] = {}
    for event, matchers in (hooks or {}).items():
        if event in FIRED:
            found[event] = tuple(_group(matcher) for matcher in matchers)
        else:
            unsupported(f"hooks[{event!r}]", "this event does not happen")
    return found


def _group(matcher: HookMatcher) -> HookGroup:
    return HookGroup(
        matcher.matcher,
        tuple(_callback(hook) for hook in matcher.hooks),
        matcher.timeout,
        matcher.on_failure,
    )


def _callback(hook: HookCallback) -> OurCallback:
    async def call(event: JsonObject, tool_use_id: str | None) -> JsonObject:
        given: Any = await hook(cast("Any", event), tool_use_id, HookContext(signal=None))
        if not isinstance(given, dict):
            return given  # no answer at all; whoever fired the event judges that as a failure
        answer = cast("JsonObject", given)
        return {SPELLED.get(key, key): value for key, value in answer.items()}

    return call
