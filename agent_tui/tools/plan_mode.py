"""What is said to the model of plan mode."""

from __future__ import annotations

from typing import Final

from agent_tui.tools.base import ToolSet

PLAN: Final = "plan"
"""The permission mode."""

RULES = (
    "Look around and think, but change nothing: edit no file, run nothing that changes anything. "
    "Ask the user what is unclear. When the plan is ready, call ExitPlanMode with it."
)
"""What holds in plan mode, where there is somebody to approve a plan."""

RULES_ALONE = (
    "Look around and think, but change nothing: edit no file, run nothing that changes anything. "
    "Answer with your plan."
)
"""The same where nobody is there to approve it."""

EXIT: Final = "ExitPlanMode"


def plan_rules(tools: ToolSet) -> str:
    """Say what holds in plan mode, by whether there is somebody to approve a plan."""
    return RULES if EXIT in tools.by_name else RULES_ALONE


NO_MODES = "The permission mode can't be changed here."
