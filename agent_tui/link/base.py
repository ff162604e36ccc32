"""What a front end holds of a session: send ops, ask queries, receive messages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from agent_tui.protocol.messages import Message, QueuedPrompt
from agent_tui.protocol.ops import Op
from agent_tui.protocol.queries import Query, Reply


@dataclass(frozen=True, slots=True)
class EngineUp:
    """The engine is loaded and takes ops (again, when ``restarted``)."""

    restarted: bool = False


@dataclass(frozen=True, slots=True)
class EngineLost:
    """The engine's process is gone. With ``restarting`` a new one goes on by the journal.

    ``unsent`` are the prompts it had not begun with: they don't run by themselves, the person gets them back.
    """

    reason: str
    restarting: bool = True
    unsent: tuple[QueuedPrompt, ...] = ()


@dataclass(frozen=True, slots=True)
class OpenFailed:
    """The session could not be opened; the sentence says why and what to do."""

    error: str
    kind: str = "session"


Incoming: TypeAlias = Message | EngineUp | EngineLost | OpenFailed


class Link(Protocol):
    """One front end's end of a session."""

    def send(self, op: Op) -> None:
        """Hand an op over; never waits. What can't be sent yet (engine still loading) is kept in order."""
        ...

    async def ask(self, query: Query) -> Reply:
        """Ask and wait for the reply; ``Failed`` when the engine can't answer or is gone."""
        ...

    def messages(self) -> AsyncIterator[Incoming]:
        """Give the one stream of what is said, in order; ends when the link is closed."""
        ...

    async def aclose(self) -> None:
        """Stop the session and let go; the engine and its children are gone when it returns."""
        ...
