"""What commands that tell of a session look at, beside what they change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from agent_tui.engine.asides import Asides
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.preferring import Preferring
from agent_tui.engine.serving import Serving
from agent_tui.hooks.configured import Configured
from agent_tui.protocol.agents import AgentDefinition


@dataclass(frozen=True, slots=True)
class Premises:
    """The standing parts of one session.

    Attributes:
        base: what it stands on.
        serving: its MCP servers.
        preferring: its settings.
        asides: answers beside the conversation.
        hooks: gives those of settings files and the program, with a sentence for each that was left out.
        agents: gives the kinds of sub-agents that can be asked for.
        journal: where it is written.
    """

    base: Foundation
    serving: Serving
    preferring: Preferring
    asides: Asides
    hooks: Callable[[], Configured]
    agents: Callable[[], tuple[AgentDefinition, ...]]
    journal: Callable[[], Path]
