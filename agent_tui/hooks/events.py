"""The events as one table: what matchers see, what a hook may say, and what its failure comes to.

A new event is a row here and one ``fire`` where it happens (reference/hooks.md, section 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from agent_tui.protocol.hooks import HookEvent

Refusal: TypeAlias = Literal["deny", "block", "notice", "ignored"]
"""What exit code 2 does: deny the call or the switch; block, with the text for the loop; tell the person; nothing."""

COMMAND_SECONDS: Final = 600.0
CALLBACK_SECONDS: Final = 60.0
PROMPT_SECONDS: Final = 30.0
SWITCH_SECONDS: Final = 30.0
"""While a model is changed the session takes nothing else, not even an interrupt."""

END_SECONDS: Final = 1.5
"""All SessionEnd hooks together; a hook's own timeout raises it to ``MOST_END_SECONDS`` at most."""

MOST_END_SECONDS: Final = 60.0


@dataclass(frozen=True, slots=True)
class Row:
    """One event.

    Attributes:
        field: the input field that matchers are compared with; empty: matchers are ignored.
        refusal: what exit code 2 does.
        says: the documented fields of ``hookSpecificOutput``.
        blocks: ``decision: block`` counts.
        plain: standard output that is no JSON is text for the model.
        guards: it decides whether something goes on, so a hook that can't start, runs out of time, is killed or
            prints broken output blocks unless the settings say otherwise.
        can_guard: a failure may be made to block; not where that would keep the agent from ever stopping.
        seconds: a command's time limit unless it names one.
        bars_only: in matchers only ``|`` parts names.
    """

    field: str = ""
    refusal: Refusal = "ignored"
    says: frozenset[str] = frozenset()
    blocks: bool = False
    plain: bool = False
    guards: bool = False
    can_guard: bool = False
    seconds: float = COMMAND_SECONDS
    bars_only: bool = False

    @property
    def of_tool(self) -> bool:
        """The event is about one call, so an ``if`` rule can be asked."""
        return self.field == "tool_name"


_CONTEXT = frozenset({"additionalContext"})
_DECISION = frozenset({"permissionDecision", "permissionDecisionReason"})

EVENTS: Final[dict[HookEvent, Row]] = {
    "PreToolUse": Row(
        "tool_name",
        "deny",
        _DECISION | _CONTEXT | {"updatedInput"},
        blocks=True,
        guards=True,
        can_guard=True,
    ),
    "PostToolUse": Row(
        "tool_name",
        "block",
        _CONTEXT | {"updatedToolOutput", "updatedMCPToolOutput"},
        blocks=True,
    ),
    "PostToolUseFailure": Row("tool_name", "block", _CONTEXT, blocks=True),
    "PostToolBatch": Row("", "block", _CONTEXT, blocks=True),
    # no guard: when its hook fails the question is asked, which consents to nothing
    "PermissionRequest": Row("tool_name", says=frozenset({"decision"}), can_guard=True),
    "PermissionDenied": Row("tool_name", says=frozenset({"retry"})),
    "UserPromptSubmit": Row(
        "",
        "block",
        _CONTEXT | {"sessionTitle", "suppressOriginalPrompt"},
        blocks=True,
        plain=True,
        guards=True,
        can_guard=True,
        seconds=PROMPT_SECONDS,
    ),
    "UserPromptExpansion": Row(
        "command_name",
        "block",
        _CONTEXT | {"suppressOriginalPrompt"},
        blocks=True,
        plain=True,
        guards=True,
        can_guard=True,
    ),
    "SessionStart": Row(
        "source",
        "notice",
        _CONTEXT | {"initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"},
        plain=True,
    ),
    "SessionEnd": Row("reason", "notice", seconds=END_SECONDS),
    "Stop": Row("", "block", _CONTEXT, blocks=True),
    "StopFailure": Row("error", bars_only=True),
    "SubagentStart": Row("agent_type", "notice", _CONTEXT),
    "SubagentStop": Row("agent_type", "block", _CONTEXT, blocks=True),
    "PreCompact": Row("trigger", "block", blocks=True, can_guard=True),
    "PostCompact": Row("trigger"),
    "Notification": Row("notification_type", says=_CONTEXT),
    "TaskCreated": Row("", "block", blocks=True, can_guard=True),
    "TaskCompleted": Row("", "block", blocks=True),
    "InstructionsLoaded": Row("load_reason"),
    "CwdChanged": Row(says=frozenset({"watchPaths"})),
    "PreModelSwitch": Row("", "deny", _DECISION, can_guard=True, seconds=SWITCH_SECONDS),
    "PostModelSwitch": Row(says=_CONTEXT, seconds=SWITCH_SECONDS),
}

NOT_FIRED: Final = frozenset(
    {
        "Setup",
        "TeammateIdle",
        "Elicitation",
        "ElicitationResult",
        "ConfigChange",
        "WorktreeCreate",
        "WorktreeRemove",
        "FileChanged",
        "DirectoryAdded",
        "MessageDisplay",
        "PreSkillShellCommand",
    }
)
"""Documented events that this version never fires: it has no such moment. Whoever names a hook for one is told."""

ALWAYS_SHOWN: Final = frozenset({"SessionStart"})
"""Events whose command hooks are told to front ends that did not ask for hook events, too."""
