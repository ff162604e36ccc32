"""What the tests of the model client share: a client for a server, a sink that remembers, time that can be moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel

from agent_tui.model.anthropic_client import AnthropicClient
from agent_tui.model.client import BlockDone, ModelEvent, ModelRequest, Retrying, WireEvent
from agent_tui.model.retry import Pace
from agent_tui.protocol.content import TextBlock
from agent_tui.settings.paths import Environment
from agent_tui.settings.schema import KeyHeader

KEY = "sk-test-0123456789"
TOOLS = tuple(
    {"name": name, "description": name, "input_schema": {"type": "object"}}
    for name in ("Read", "Write", "Bash")
)


def environment(**variables: str) -> Environment:
    """An environment with these variables only."""
    return Environment(variables, Path("/nowhere"))


def request(prompt: str = "hi", model: str = "claude-sonnet-5-5") -> ModelRequest:
    """A request with one prompt and three tools."""
    return ModelRequest(model, 1000, (), ({"role": "user", "content": prompt},), TOOLS)


@dataclass
class Time:
    """A clock to be moved by hand; sleeping takes none of ours, but is noted and moves the clock."""

    now: float = 1_800_000_000.0
    chance: float = 0.5
    slept: list[float] = field(default_factory=list[float])

    @property
    def pace(self) -> Pace:
        return Pace(lambda: self.now, self.sleep, lambda: self.chance)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
        await anyio.lowlevel.checkpoint()


@dataclass
class Told:
    """A sink that remembers."""

    events: list[ModelEvent] = field(default_factory=list[ModelEvent])

    async def __call__(self, event: ModelEvent) -> None:
        self.events.append(event)

    @property
    def retries(self) -> list[Retrying]:
        return [one for one in self.events if isinstance(one, Retrying)]

    @property
    def blocks(self) -> list[BlockDone]:
        return [one for one in self.events if isinstance(one, BlockDone)]

    @property
    def wire(self) -> list[Mapping[str, Any]]:
        return [one.event for one in self.events if isinstance(one, WireEvent)]

    @property
    def wire_types(self) -> list[str]:
        return [str(event.get("type")) for event in self.wire]

    @property
    def texts(self) -> list[str]:
        return [one.block.text for one in self.blocks if isinstance(one.block, TextBlock)]


def client(
    url: str,
    time: Time | None = None,
    env: Environment | None = None,
    *,
    key: str = KEY,
    api_key_header: KeyHeader | None = None,
    anthropic_version: str | None = None,
) -> AnthropicClient:
    """A client whose waits take no time."""
    return AnthropicClient(
        url,
        key,
        env or environment(),
        api_key_header=api_key_header,
        anthropic_version=anthropic_version,
        pace=(time or Time()).pace,
    )
