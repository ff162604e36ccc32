"""Hooks that say what a test has them say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import NOTHING, HookEvent, HookOutcome

Saying: TypeAlias = HookOutcome | Callable[[JsonObject], HookOutcome]


@dataclass
class Spoken:
    """Implements ``Hooks``. ``heard`` are the events as they were fired, with what they were matched by."""

    says: dict[HookEvent, Saying] = field(default_factory=dict[HookEvent, Saying])
    heard: list[tuple[HookEvent, JsonObject, str]] = field(
        default_factory=list[tuple[HookEvent, JsonObject, str]]
    )

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        given = fields or {}
        self.heard.append((event, given, match))
        said = self.says.get(event, NOTHING)
        return said if isinstance(said, HookOutcome) else said(given)

    @property
    def events(self) -> list[HookEvent]:
        return [event for event, _, _ in self.heard]

    def given(self, event: HookEvent) -> JsonObject:
        """What the first firing of an event was given."""
        return next(given for name, given, _ in self.heard if name == event)
