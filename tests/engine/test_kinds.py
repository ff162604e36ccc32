"""The kinds in the definition of the Agent tool."""

from __future__ import annotations

from agent_tui.engine.kinds import with_kinds
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.tools.base import ToolSet
from agent_tui.tools.builtin.agent import TOOL as AGENT
from agent_tui.tools.builtin.read import TOOL as READ


def test_only_the_agent_tool_changes_and_nothing_is_lost() -> None:
    tools = ToolSet.of((AGENT, READ), {"Bash": "why not"})
    told = with_kinds(tools, (AgentDefinition("helper", "helps", ""),))
    assert list(told.by_name) == ["Agent", "Read"]
    assert told.by_name["Read"] is READ
    assert "- helper: helps" in str(told.schema("Agent")["description"])
    assert told.absent == {"Bash": "why not"}
    assert list(with_kinds(ToolSet.of((READ,)), ()).by_name) == ["Read"]
