"""A server in another process that is reached through somebody who carries its messages, such as a program's control channel."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias

from agent_tui.protocol.content import JsonObject

Send: TypeAlias = Callable[[JsonObject], Awaitable[JsonObject | None]]
"""Delivers one JSON-RPC message and gives its reply; None for a message that has none.

It may be called again before the last call has returned. Whoever carries the messages says no by raising
``AgentTuiError``.
"""


@dataclass(frozen=True, slots=True)
class Tunnel:
    """A way to a server; stands for it in ``Extras.servers``."""

    send: Send


def tunnel(send: Send) -> Tunnel:
    """Make a way to a server out of what carries its messages."""
    return Tunnel(send)
