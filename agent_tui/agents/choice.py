"""Which of a session's tools a sub-agent has."""

from __future__ import annotations

from collections.abc import Iterable

from agent_tui.protocol.agents import AgentDefinition

AGENT = "Agent"
OLD_NAMES = {
    "Task": AGENT,
    "BashOutput": "TaskOutput",
    "AgentOutput": "TaskOutput",
    "KillShell": "TaskStop",
    "KillBash": "TaskStop",
}
NEVER = frozenset(
    {"AskUserQuestion", "EnterPlanMode", "ExitPlanMode", "StructuredOutput", "TaskOutput"}
)
"""What speaks to the person, or is the session's own affair."""


def chosen_tools(
    available: Iterable[str], definition: AgentDefinition, *, may_spawn: bool
) -> tuple[str, ...]:
    """Give the names of the tools it has, in the order they are available in.

    Args:
        available: the session's tools.
        definition: its ``disallowed_tools`` are taken away first, then its ``tools`` choose among the rest.
        may_spawn: it is not so deep that it can have no sub-agents of its own.
    """
    left = [
        name
        for name in available
        if name not in NEVER
        and (may_spawn or name != AGENT)
        and not _covered(name, definition.disallowed_tools)
    ]
    if definition.tools is None:
        return tuple(left)
    return tuple(name for name in left if _covered(name, definition.tools))


def _covered(name: str, entries: Iterable[str]) -> bool:
    return any(_covers(entry.strip(), name) for entry in entries)


def _covers(entry: str, name: str) -> bool:
    """``Read``, ``Bash(git *)`` (its rule is a permission's affair), ``mcp__server``, ``mcp__server__*``."""
    bare = entry.partition("(")[0].strip()
    bare = OLD_NAMES.get(bare, bare)
    if bare in (name, "*"):
        return True
    if not bare.startswith("mcp__"):
        return False
    if bare.endswith("*"):
        return name.startswith(bare[:-1])
    return "__" not in bare[5:] and name.startswith(f"{bare}__")
