"""Which tools a sub-agent has."""

from __future__ import annotations

import pytest

from agent_tui.agents.choice import chosen_tools
from agent_tui.protocol.agents import AgentDefinition

THERE = (
    "Agent",
    "AskUserQuestion",
    "Bash",
    "Edit",
    "ExitPlanMode",
    "Read",
    "TaskOutput",
    "TaskStop",
    "mcp__docs__find",
    "mcp__docs_two__find",
)


def choose(
    tools: tuple[str, ...] | None, not_these: tuple[str, ...] = (), *, spawns: bool = True
) -> tuple[str, ...]:
    definition = AgentDefinition("a", "", "", tools=tools, disallowed_tools=not_these)
    return chosen_tools(THERE, definition, may_spawn=spawns)


@pytest.mark.parametrize(
    ("tools", "not_these", "chosen"),
    [
        (None, (), ("Agent", "Bash", "Edit", "Read", "TaskStop", *THERE[-2:])),
        (None, ("Bash", "mcp__docs"), ("Agent", "Edit", "Read", "TaskStop", THERE[-1])),
        (None, ("mcp__*",), ("Agent", "Bash", "Edit", "Read", "TaskStop")),
        (("Read", "Bash"), (), ("Bash", "Read")),
        (("Read", "Bash"), ("Bash",), ("Read",)),
        (("Bash(git *)", "KillShell", "Task"), (), ("Agent", "Bash", "TaskStop")),
        (("mcp__docs",), (), ("mcp__docs__find",)),
        (("mcp__docs__*",), (), ("mcp__docs__find",)),
        (("Agent(one, two)",), (), ("Agent",)),
        (("AskUserQuestion", "TaskOutput"), (), ()),
        ((), (), ()),
    ],
)
def test_the_list_chooses_among_what_is_left(
    tools: tuple[str, ...] | None, not_these: tuple[str, ...], chosen: tuple[str, ...]
) -> None:
    assert choose(tools, not_these) == chosen


def test_at_the_depth_limit_there_is_no_agent_tool() -> None:
    assert "Agent" not in choose(None, spawns=False)
    assert choose(("Agent", "Read"), spawns=False) == ("Read",)
