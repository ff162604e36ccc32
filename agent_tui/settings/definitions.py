"""Sub-agents as a program or ``--agents`` writes them: documented JSON to ``AgentDefinition`` and its faults told."""

from __future__ import annotations

from typing import Any, cast

from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.errors import UsageError

MEMORIES = ("user", "project", "local")


def read_agents(data: Any, where: str) -> tuple[AgentDefinition, ...]:
    """Read ``{name: {"description", "prompt", "tools"?, …}}``; ``where`` names its place in errors.

    Lists may also be written as one text with commas. Keys that are not documented are left alone.

    Raises:
        UsageError: it is no such object; the text names the agent and the key.
    """
    if not isinstance(data, dict):
        raise UsageError(f"{where} must be a JSON object of agents by name")
    return tuple(_one(name, entry, where) for name, entry in cast("dict[str, Any]", data).items())


def _one(name: str, entry: Any, where: str) -> AgentDefinition:
    if not name.strip():
        raise UsageError(f"{where}: an agent has no name")
    if not isinstance(entry, dict):
        raise UsageError(f"{where}: agent {name!r} must be an object")
    read = _Fields(cast("dict[str, Any]", entry), f"{where}: agent {name!r}")
    tools = read.texts("tools")
    return AgentDefinition(
        name=name,
        description=read.text("description", needed=True) or "",
        prompt=read.text("prompt", needed=True) or "",
        tools=tools,
        disallowed_tools=read.texts("disallowedTools") or (),
        model=read.text("model"),
        effort=read.effort(),
        max_turns=read.count("maxTurns"),
        background=read.flag("background"),
        permission_mode=read.text("permissionMode"),
        skills=read.texts("skills") or (),
        memory=read.one_of("memory", MEMORIES),
        mcp_servers=tuple(read.items("mcpServers")),
        initial_prompt=read.text("initialPrompt"),
    )


class _Fields:
    """One agent's keys, each checked as it is read."""

    def __init__(self, entry: dict[str, Any], name: str) -> None:
        self._entry = entry
        self._name = name

    def text(self, key: str, *, needed: bool = False) -> str | None:
        value = self._entry.get(key)
        if value is None and not needed:
            return None
        if not isinstance(value, str) or (needed and not value.strip()):
            raise self._fault(key, "a text")
        return value or None

    def texts(self, key: str) -> tuple[str, ...] | None:
        value = self._entry.get(key)
        if value is None:
            return None
        if isinstance(value, str):
            value = value.split(",")
        if not isinstance(value, list):
            raise self._fault(key, "a list of texts")
        entries = cast("list[Any]", value)
        if not all(isinstance(entry, str) for entry in entries):
            raise self._fault(key, "a list of texts")
        return tuple(entry.strip() for entry in entries if entry.strip())

    def items(self, key: str) -> list[Any]:
        value = self._entry.get(key)
        if value is not None and not isinstance(value, list):
            raise self._fault(key, "a list")
        return cast("list[Any]", value or [])

    def flag(self, key: str) -> bool | None:
        value = self._entry.get(key)
        if value is not None and not isinstance(value, bool):
            raise self._fault(key, "true or false")
        return value

    def count(self, key: str) -> int | None:
        value = self._entry.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self._fault(key, "a whole number from 1")
        return value

    def one_of(self, key: str, allowed: tuple[str, ...]) -> str | None:
        value = self.text(key)
        if value is not None and value not in allowed:
            raise self._fault(key, f"one of {', '.join(allowed)}")
        return value

    def effort(self) -> str | None:
        """Read the level; a number, which the documents allow too, names none of ours and is left out."""
        value = self._entry.get("effort")
        return None if isinstance(value, int) else self.text("effort")

    def _fault(self, key: str, wanted: str) -> UsageError:
        return UsageError(f"{self._name}: {key} must be {wanted}")
