"""Permission types as programs see them: modes, rules and their updates, what a callback is told and answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

PermissionMode: TypeAlias = Literal[
    "default", "acceptEdits", "plan", "bypassPermissions", "dontAsk", "auto"
]
PermissionBehavior: TypeAlias = Literal["allow", "deny", "ask"]
PermissionUpdateDestination: TypeAlias = Literal[
    "userSettings", "projectSettings", "localSettings", "session"
]


@dataclass
class PermissionRuleValue:
    """A rule; without ``rule_content`` it speaks of the whole tool."""

    tool_name: str
    rule_content: str | None = None


@dataclass
class PermissionUpdate:
    """A change of the permissions.

    ``rules`` and ``behavior`` belong to the types that end in ``Rules``, ``mode`` to ``setMode``, ``directories`` to
    those that end in ``Directories``. ``destination`` None is the session.
    """

    type: Literal[
        "addRules", "replaceRules", "removeRules", "setMode", "addDirectories", "removeDirectories"
    ]
    rules: list[PermissionRuleValue] | None = None
    behavior: PermissionBehavior | None = None
    mode: PermissionMode | None = None
    directories: list[str] | None = None
    destination: PermissionUpdateDestination | None = None

    def to_dict(self) -> dict[str, Any]:
        """Give the record of the control protocol, with the fields its type needs.

        Raises:
            ValueError: the type is unknown, or a field it needs is None.
        """
        record: dict[str, Any] = {
            "type": self.type,
            "destination": self.destination or "session",
        }
        if self.type in ("addRules", "replaceRules", "removeRules"):
            record["rules"] = [_rule_record(rule) for rule in self._needed("rules", self.rules)]
            record["behavior"] = self._needed("behavior", self.behavior)
        elif self.type == "setMode":
            record["mode"] = self._needed("mode", self.mode)
        elif self.type in ("addDirectories", "removeDirectories"):
            record["directories"] = list(self._needed("directories", self.directories))
        else:
            raise ValueError(f"there is no permission update of type {self.type!r}")
        return record

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> PermissionUpdate:
        """Read such a record."""
        rules = data.get("rules")
        return cls(
            type=data["type"],
            rules=None
            if rules is None
            else [PermissionRuleValue(one["toolName"], one.get("ruleContent")) for one in rules],
            behavior=data.get("behavior"),
            mode=data.get("mode"),
            directories=data.get("directories"),
            destination=data.get("destination"),
        )

    def _needed(self, name: str, value: Any) -> Any:
        if value is None:
            raise ValueError(f"a permission update of type {self.type!r} needs {name}")
        return value


def _rule_record(rule: PermissionRuleValue) -> dict[str, Any]:
    record: dict[str, Any] = {"toolName": rule.tool_name}
    if rule.rule_content is not None:
        record["ruleContent"] = rule.rule_content
    return record


@dataclass
class ToolPermissionContext:
    """What a ``can_use_tool`` callback is told beside the call.

    Attributes:
        signal: kept for later; always None.
        suggestions: changes that would answer calls like this one in future, narrowest first.
        tool_use_id: the call.
        agent_id: the sub-agent that asks, None for the main loop.
        blocked_path: the path that is out of bounds, where that is why it is asked.
        decision_reason: why it is asked.
        title: the question in one line.
        display_name: the tool's name for people.
        description: what the call would do, as far as the model said.
    """

    signal: Any | None = None
    suggestions: list[PermissionUpdate] = field(default_factory=list[PermissionUpdate])
    tool_use_id: str | None = None
    agent_id: str | None = None
    blocked_path: str | None = None
    decision_reason: str | None = None
    title: str | None = None
    display_name: str | None = None
    description: str | None = None


@dataclass
class PermissionResultAllow:
    """Run the call, perhaps with another input; take over the updates."""

    behavior: Literal["allow"] = "allow"
    updated_input: dict[str, Any] | None = None
    updated_permissions: list[PermissionUpdate] | None = None


@dataclass
class PermissionResultDeny:
    """Don't run it. The model is given ``message``; ``interrupt`` ends the run as well."""

    behavior: Literal["deny"] = "deny"
    message: str = ""
    interrupt: bool = False


PermissionResult: TypeAlias = PermissionResultAllow | PermissionResultDeny

CanUseTool: TypeAlias = Callable[
    [str, dict[str, Any], ToolPermissionContext], Awaitable[PermissionResult]
]
"""Takes a tool's name, its input and the context; gives the answer."""
