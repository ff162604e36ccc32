"""How a program could reach an agent elsewhere: the abstract transport. Here the agent runs in the program itself.

The class exists so that programs which name or subclass it load; handing one in is refused in a sentence.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from typing import Any

from agent_tui.sdk.errors import CLIConnectionError


class Transport(ABC):
    """Carries the lines of the control protocol."""

    @abstractmethod
    async def connect(self) -> None:
        """Open it."""

    @abstractmethod
    async def write(self, data: str) -> None:
        """Send a line, with its end."""

    @abstractmethod
    def read_messages(self) -> AsyncIterator[dict[str, Any]]:
        """Give the records that come."""

    @abstractmethod
    async def close(self) -> None:
        """Close it."""

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it can be written to."""

    @abstractmethod
    async def end_input(self) -> None:
        """Say that nothing more will be written."""


def refuse(transport: Transport | None) -> None:
    """Refuse a transport.

    Raises:
        CLIConnectionError: one was given.
    """
    if transport is not None:
        raise CLIConnectionError(
            "This package runs the agent in your program, so it can't use a transport of its own "
            f"({type(transport).__name__}); leave it out."
        )
