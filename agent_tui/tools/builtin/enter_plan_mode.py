"""EnterPlanMode: plan before changing anything."""

from __future__ import annotations

from pathlib import Path

from agent_tui.protocol.access import Access, AskUser
from agent_tui.protocol.display import Display, TextDisplay
from agent_tui.tools.arguments import Arguments
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.plan_mode import NO_MODES, PLAN, RULES


class EnterPlanModeArguments(Arguments):
    """Input of EnterPlanMode: none."""


class EnterPlanMode(BuiltinTool[EnterPlanModeArguments]):
    """Changes the permission mode to ``plan`` once the person agrees."""

    name = "EnterPlanMode"
    arguments = EnterPlanModeArguments

    def access(self, args: EnterPlanModeArguments, cwd: Path) -> Access:
        """Needs the person."""
        return AskUser()

    def preview(self, args: EnterPlanModeArguments, cwd: Path) -> Display:
        """Say what is wanted."""
        return TextDisplay("Make a plan first", "Nothing is changed until you approve the plan.")

    async def proposal(self, args: EnterPlanModeArguments, call: ToolCall) -> Display:
        """Ask only outside plan mode."""
        modes = call.ports.modes
        if modes is not None and modes.mode == PLAN:
            raise InvalidInputError("You are in plan mode already: go on planning.")
        return self.preview(args, call.cwd)

    async def run(self, args: EnterPlanModeArguments, call: ToolCall) -> ToolOutput:
        """Change the mode, unless the answer did so."""
        modes = call.ports.modes
        if modes is None:
            return failed(NO_MODES)
        if modes.mode != PLAN:
            await modes.set_mode(PLAN)
        return ToolOutput(
            f"You are in plan mode now. {RULES}",
            TextDisplay("Plan mode"),
            {"message": "Plan mode is on."},
        )


TOOL = EnterPlanMode()
