"""The points where hooks may act. Their engine comes as ``agent_tui/hooks``; until then ``NoHooks`` stands in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.requests import HookDecision


@dataclass(frozen=True, slots=True)
class PromptVerdict:
    """What UserPromptSubmit hooks said: context to add, or a reason not to send the prompt."""

    additional_context: tuple[str, ...] = ()
    blocked: str | None = None


@dataclass(frozen=True, slots=True)
class StopVerdict:
    """What Stop hooks said: a reason to go on, or None."""

    go_on: str | None = None


class Hooks(Protocol):
    """Fired by the loop at the documented moments."""

    async def pre_tool_use(
        self, name: str, tool_input: JsonObject, tool_use_id: str
    ) -> HookDecision:
        """Before a call is judged."""
        ...

    async def post_tool_use(
        self, name: str, tool_input: JsonObject, tool_use_id: str, output: object, *, failed: bool
    ) -> tuple[str, ...]:
        """After a call; gives text to add for the model."""
        ...

    async def user_prompt_submit(self, prompt: str) -> PromptVerdict:
        """Before a prompt is sent."""
        ...

    async def stop(self, *, already_blocked: bool) -> StopVerdict:
        """When the run would end."""
        ...

    async def pre_compact(self, trigger: str, instructions: str) -> None:
        """Before a compaction."""
        ...


class NoHooks:
    """No hooks are configured."""

    async def pre_tool_use(
        self, name: str, tool_input: JsonObject, tool_use_id: str
    ) -> HookDecision:
        """Leave it to the rules."""
        return HookDecision()

    async def post_tool_use(
        self, name: str, tool_input: JsonObject, tool_use_id: str, output: object, *, failed: bool
    ) -> tuple[str, ...]:
        """Add nothing."""
        return ()

    async def user_prompt_submit(self, prompt: str) -> PromptVerdict:
        """Let the prompt through."""
        return PromptVerdict()

    async def stop(self, *, already_blocked: bool) -> StopVerdict:
        """Let the run end."""
        return StopVerdict()

    async def pre_compact(self, trigger: str, instructions: str) -> None:
        """Do nothing."""
