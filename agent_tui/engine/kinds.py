"""The kinds of sub-agents in the definition of the tool that asks for them."""

from __future__ import annotations

from agent_tui.protocol.agents import AgentDefinition
from agent_tui.tools.base import ToolSet
from agent_tui.tools.builtin.agent import Agent


def with_kinds(tools: ToolSet, kinds: tuple[AgentDefinition, ...]) -> ToolSet:
    """Have the Agent tool, if it is among these, tell of the kinds there are."""
    told = (Agent(kinds) if isinstance(tool, Agent) else tool for tool in tools.tools)
    return ToolSet.of(tuple(told), tools.absent)
