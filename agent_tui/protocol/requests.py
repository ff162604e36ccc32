"""Questions to the person and their answers: permission requests, allow and deny, rule updates.

Names follow the documented permission types where they exist.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import Display

RuleBehavior: TypeAlias = Literal["allow", "deny", "ask"]
Destination: TypeAlias = Literal["session", "localSettings", "projectSettings", "userSettings"]


@dataclass(frozen=True, slots=True)
class PermissionRuleValue:
    """A rule: ``rule_content`` None means the whole tool."""

    tool_name: str
    rule_content: str | None = None

    def __str__(self) -> str:
        return (
            self.tool_name
            if self.rule_content is None
            else f"{self.tool_name}({self.rule_content})"
        )


@dataclass(frozen=True, slots=True)
class GrantLimit:
    """How long an allow rule of the session holds (ours); one of the first three is set.

    Attributes:
        task: until the run of the current prompt has its result; where none runs, until the next prompt.
        calls: for so many further calls, from 1; the one that was asked about is not counted.
        minutes: for so long, above 0.
        until: when that is over, in seconds since the epoch; set when the rule is taken over, so that it can be told
            later whether it still holds.
    """

    task: bool = False
    calls: int | None = None
    minutes: float | None = None
    until: float | None = None

    def __str__(self) -> str:
        if self.calls is not None:
            return f"for {self.calls} call{'s' if self.calls != 1 else ''}"
        if self.minutes is not None:
            return f"for {self.minutes:g} minute{'s' if self.minutes != 1 else ''}"
        return "for this task"


@dataclass(frozen=True, slots=True)
class PermissionUpdate:
    """A change of the permissions that goes with an answer; fields by ``type`` as documented.

    ``limit`` (ours) is for rules that allow and are added to the session's; None: they hold until it ends.
    """

    type: Literal[
        "addRules", "replaceRules", "removeRules", "setMode", "addDirectories", "removeDirectories"
    ]
    rules: tuple[PermissionRuleValue, ...] = ()
    behavior: RuleBehavior = "allow"
    mode: str | None = None
    directories: tuple[str, ...] = ()
    destination: Destination = "session"
    limit: GrantLimit | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """Characters ``start`` up to ``end`` of a text, and why they are marked."""

    start: int
    end: int
    why: str = ""


@dataclass(frozen=True, slots=True)
class CommandPart:
    """One simple command of a shell line: is it allowed already, what decided, what it does.

    ``effect`` is only what is known for sure (``writes dist/``), else empty. ``danger`` spans index ``text``.
    """

    text: str
    allowed: bool
    decided_by: str
    effect: str = ""
    danger: tuple[Span, ...] = ()


SAYS_WHAT = ("description", "command", "file_path", "notebook_path", "path", "pattern", "url")
"""The fields of a call's input that say best what it would do, best first."""


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """A tool call waits for an answer.

    Attributes:
        id: answers name it.
        tool_name, tool_use_id, input: the call.
        display: the change or command in question.
        title: the question, e.g. ``Edit src/auth.py?``.
        reason: one sentence saying why it is asked.
        decided_by: ``rule``, ``mode``, ``path``, ``hook``, ``unparsable``, ``critical``, ``sandbox`` or ``other``.
        rule, rule_source: the ask rule that matched and where it stands, if one did.
        cwd: where it would run.
        parts: for a shell line, its simple commands.
        danger: spans of the command's text that deserve attention.
        suggestions: updates "always" would make, narrowest first; empty when "always" can't be offered.
        agent: which sub-agent asks (``kind: what it does``), None for the main loop; ``agent_id`` names it.
        default_to_no: the call is dangerous; no answer that stores a rule is offered first.
    """

    id: str
    tool_name: str
    tool_use_id: str
    input: JsonObject
    display: Display
    title: str
    reason: str
    decided_by: str = "mode"
    rule: str | None = None
    rule_source: str | None = None
    cwd: str = ""
    parts: tuple[CommandPart, ...] = ()
    danger: tuple[Span, ...] = ()
    suggestions: tuple[PermissionUpdate, ...] = ()
    blocked_path: str | None = None
    agent: str | None = None
    default_to_no: bool = False
    agent_id: str | None = None

    @property
    def says(self) -> str | None:
        """What the call would do in the words of its own input: the model's description, else the command or file."""
        said = (self.input.get(name) for name in SAYS_WHAT)
        return next((text for text in said if isinstance(text, str) and text), None)


@dataclass(frozen=True, slots=True)
class RequestClosed:
    """A request is no longer open: ``answered``, ``withdrawn`` (interrupt) or ``settled`` by another answer's rule."""

    id: str
    how: Literal["answered", "withdrawn", "settled"]


@dataclass(frozen=True, slots=True)
class Allow:
    """Run the call, perhaps with changed input; store the updates.

    ``note`` (ours) is told to the model with the result, e.g. what the person changed.
    """

    updated_input: JsonObject | None = None
    updated_permissions: tuple[PermissionUpdate, ...] = ()
    note: str = ""
    behavior: Literal["allow"] = "allow"


@dataclass(frozen=True, slots=True)
class Deny:
    """Don't run the call; ``message`` goes to the model, ``interrupt`` also ends the run."""

    message: str = ""
    interrupt: bool = False
    behavior: Literal["deny"] = "deny"


PermissionAnswer: TypeAlias = Allow | Deny


@dataclass(frozen=True, slots=True)
class HookDecision:
    """What PreToolUse hooks, folded together, want of a call; None leaves it to the rules."""

    behavior: RuleBehavior | None = None
    reason: str = ""


PermissionContext: TypeAlias = dict[str, Any]
