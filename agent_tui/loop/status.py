"""What the status bar shows, as one value; said when it has changed, at most a few times a second."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import anyio

from agent_tui.journal.fold import Conversation
from agent_tui.loop.policy import Policy
from agent_tui.protocol.messages import PermissionMode, StatusChanged
from agent_tui.protocol.usage import Usage

PhaseName: TypeAlias = Literal[
    "idle", "requesting", "streaming", "tools", "checking", "compacting", "asking"
]
SETTLE_SECONDS = 0.05
"""Changes within this time are said together."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What does not change while a session is open."""

    cwd: str
    modes: tuple[PermissionMode, ...]
    demo: bool


class Status:
    """Derives the value from the conversation and the few facts that are not in it."""

    def __init__(
        self,
        say: Callable[[StatusChanged], Awaitable[None]],
        conversation: Callable[[], Conversation],
        policy: Policy,
        fixed: Fixed,
    ) -> None:
        self._say = say
        self._conversation = conversation
        self._policy = policy
        self._fixed = fixed
        self._changed = anyio.Event()
        self._last: StatusChanged | None = None
        self._phase: PhaseName = "idle"
        self._busy = False
        self._cost_before: float | None = 0.0
        self.model = ""
        self.window = 0
        self.budget_usd: float | None = None
        self.spent: Callable[[], float] | None = None
        self.branch = ""

    def announce(self) -> None:
        """Have the value said again, changed or not."""
        self._last = None
        self._changed.set()

    def touch(self) -> None:
        """Note that something may have changed."""
        self._changed.set()

    def begin(self) -> None:
        """A run begins."""
        self._busy = True
        self._cost_before = self._conversation().total_cost_usd
        self.phase("requesting")

    def idle(self) -> None:
        """The run has ended."""
        self._busy = False
        self.phase("idle")

    def phase(self, phase: PhaseName) -> None:
        """The run does something else now."""
        self._phase = phase
        self._changed.set()

    async def serve(self) -> None:
        """Say the value whenever it changes."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            value = self.value()
            if value != self._last:
                self._last = value
                await self._say(value)
                await anyio.sleep(SETTLE_SECONDS)

    def value(self) -> StatusChanged:
        """Give the value as it is now."""
        now = self._conversation()
        cost, before = now.total_cost_usd, self._cost_before
        everything = sum((used.usage for used in now.model_usage.values()), Usage())
        return StatusChanged(
            session_id=now.session_id,
            model=self.model,
            mode=self._policy.mode,
            busy=self._busy,
            phase=self._phase,
            turns=now.turns,
            run_tokens=now.usage.total_tokens,
            run_cost_usd=None if cost is None or before is None else cost - before,
            context_tokens=now.context_tokens,
            context_window=self.window or now.context_window,
            cache_share=_share(everything),
            total_cost_usd=cost,
            budget_usd=self.budget_usd,
            spent_usd=None if self.spent is None else self.spent(),
            branch=self.branch,
            title=now.title,
            modes=self._fixed.modes,
            cwd=self._fixed.cwd,
            demo=self._fixed.demo,
        )


def _share(usage: Usage) -> float | None:
    prompt = usage.prompt_tokens
    return round(usage.cache_read_input_tokens / prompt, 3) if prompt else None
