"""How a program listens to hook events: the events, the callback, and the matcher that groups callbacks."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias, TypedDict

from agent_tui.sdk.hook_inputs import HookInput
from agent_tui.sdk.hook_outputs import HookJSONOutput

HookEvent: TypeAlias = Literal[
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "Notification",
    "SubagentStart",
    "PermissionRequest",
]


class HookContext(TypedDict):
    """What a callback is told beside the event. ``signal`` is kept for later; always None."""

    signal: Any | None


HookCallback: TypeAlias = Callable[[HookInput, str | None, HookContext], Awaitable[HookJSONOutput]]
"""Takes the event's input, the tool_use id where there is one, and the context; ``{}`` is no opinion."""


@dataclass
class HookMatcher:
    """Callbacks for what ``matcher`` fits.

    Attributes:
        matcher: names (``Edit|Write``) or a regular expression; None fits all.
        hooks: they run together.
        timeout: seconds for each.
        on_failure: ``block`` keeps the guarded action from happening when a callback fails; ``continue`` takes a
            failure for no opinion.
    """

    matcher: str | None = None
    hooks: list[HookCallback] = field(default_factory=list[HookCallback])
    timeout: float | None = None
    on_failure: Literal["continue", "block"] | None = None
