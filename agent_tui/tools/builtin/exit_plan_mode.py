"""ExitPlanMode: a plan to be approved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from agent_tui.protocol.access import Access, AskUser
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display, PlanDisplay
from agent_tui.tools.arguments import Arguments, parse_arguments
from agent_tui.tools.base import InvalidInputError, ToolCall, ToolOutput
from agent_tui.tools.definition import BuiltinTool, failed
from agent_tui.tools.plan_mode import NO_MODES, PLAN

AFTER = "default"
"""The mode that follows plan mode when the answer names none."""

NOT_PLANNING = "You are not in plan mode, so there is no plan to approve: do the work."
NO_PLAN = "There is no plan to show: make the call again with the whole plan in `plan`."


class ExitPlanModeArguments(Arguments):
    """Input of ExitPlanMode, as the model gives it."""

    plan: str | None = Field(None, description="The plan, in Markdown")


class ApprovedArguments(ExitPlanModeArguments):
    """The same, as it comes back from the person, who may have edited the plan."""

    file_path: str | None = Field(None, alias="planFilePath")


@dataclass(frozen=True, slots=True)
class Plan:
    """A plan, and whether it was changed by the person; ``path`` is its file, empty for none."""

    text: str
    edited: bool = False
    path: str = ""


class ExitPlanMode(BuiltinTool[ExitPlanModeArguments]):
    """Ends plan mode once the person approves the plan."""

    name = "ExitPlanMode"
    arguments = ExitPlanModeArguments

    def answered(self, raw: JsonObject) -> ApprovedArguments:
        """Read the input as the person gave it back."""
        return parse_arguments(self.name, ApprovedArguments, raw)

    def access(self, args: ExitPlanModeArguments, cwd: Path) -> Access:
        """Needs the person."""
        return AskUser()

    def preview(self, args: ExitPlanModeArguments, cwd: Path) -> Display:
        """Show the plan."""
        return PlanDisplay(args.plan or "")

    async def proposal(self, args: ExitPlanModeArguments, call: ToolCall) -> Display:
        """Show the plan; there is nothing to ask without one, or outside plan mode."""
        modes = call.ports.modes
        if modes is None or modes.mode != PLAN:
            raise InvalidInputError(NOT_PLANNING)
        if not (args.plan or "").strip():
            raise InvalidInputError(NO_PLAN)
        return self.preview(args, call.cwd)

    async def run(self, args: ExitPlanModeArguments, call: ToolCall) -> ToolOutput:
        """End plan mode, unless the answer named the next mode already."""
        modes = call.ports.modes
        if modes is None:
            return failed(NO_MODES)
        if modes.mode == PLAN:
            await modes.set_mode(AFTER)
        edited = isinstance(args, ApprovedArguments) and bool((args.plan or "").strip())
        path = (args.file_path if isinstance(args, ApprovedArguments) else None) or ""
        plan = (args.plan or "").strip()
        text = "The user approved the plan. Plan mode is over: carry the plan out now."
        if edited:
            text += f" They edited it; this is the plan that counts:\n\n{plan}"
        data: JsonObject = {"plan": plan or None, "isAgent": False}
        if path:
            data["filePath"] = path
        if edited:
            data["planWasEdited"] = True
        return ToolOutput(text, PlanDisplay(plan, path, "approved"), data)


TOOL = ExitPlanMode()
