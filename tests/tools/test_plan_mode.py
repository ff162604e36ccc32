"""What is said of plan mode."""

from __future__ import annotations

from agent_tui.tools.base import ToolSet
from agent_tui.tools.plan_mode import plan_rules
from agent_tui.tools.registry import builtin_tool


def test_the_rules_name_the_way_out_only_where_there_is_one() -> None:
    assert "ExitPlanMode" in plan_rules(ToolSet.of((builtin_tool("exit_plan_mode"),)))
    assert "ExitPlanMode" not in plan_rules(ToolSet.of((builtin_tool("read"),)))
