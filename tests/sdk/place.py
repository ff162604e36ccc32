"""Where a program of the SDK runs in a test: a folder of its own, against the strict server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread

from agent_tui.sdk import ClaudeAgentOptions
from tests.fakes.api_server import ApiServer

KEY = "sk-test-dummy"


@dataclass
class Place:
    """A program's folder and server."""

    api: ApiServer
    folder: Path

    def options(self, **wanted: Any) -> ClaudeAgentOptions:
        """Give options that reach the server; ``wanted`` over them."""
        given: dict[str, Any] = {"cwd": self.folder, **wanted}
        given["env"] = {**self.env, **wanted.get("env", {})}
        return ClaudeAgentOptions(**given)

    @property
    def env(self) -> dict[str, str]:
        return {"ANTHROPIC_BASE_URL": self.api.url, "ANTHROPIC_API_KEY": KEY}

    async def asked(self, count: int = 1) -> None:
        """Wait until the server has been asked so often; the API package takes its time to load."""
        await anyio.to_thread.run_sync(self.api.wait_requests, count, 40)

    async def left(self, count: int = 1) -> None:
        """Wait until the server is done with so many requests."""
        await anyio.to_thread.run_sync(self.api.wait_finished, count, 40)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


async def heard(messages: AsyncIterator[Any]) -> list[Any]:
    """Read an iterator to its end."""
    return [message async for message in messages]


def kinds(messages: list[Any]) -> list[str]:
    """Name the classes of messages."""
    return [type(message).__name__.removesuffix("Message") for message in messages]
