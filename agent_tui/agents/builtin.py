"""The sub-agents that are always there. Their prompts are the ``.md`` files beside this module."""

from __future__ import annotations

from functools import cache
from importlib import resources

from agent_tui.protocol.agents import USUAL_KIND, AgentDefinition

NO_MEMORY = frozenset({"Explore", "Plan"})
"""Built-in kinds that are not told the project's memory files: they look, they don't work by its rules."""

LOOKING = ("Bash", "Glob", "Grep", "Read", "WebFetch", "WebSearch")
"""The tools of kinds that only look."""


@cache
def builtin_definitions() -> tuple[AgentDefinition, ...]:
    """Give them, in the order they are told to the model."""
    return (
        AgentDefinition(
            USUAL_KIND,
            "Any task of several steps: searching widely, changing files, running commands. Has all tools.",
            _prompt("general_purpose"),
            source="built-in",
        ),
        AgentDefinition(
            "Explore",
            "Finds things in the code without changing any: where something is, how it works, what uses it. "
            "Say in the prompt how thorough to be: quick, medium or very thorough.",
            _prompt("explore"),
            tools=LOOKING,
            source="built-in",
        ),
        AgentDefinition(
            "Plan",
            "Works out how to make a change, without making it: steps, files it touches, risks.",
            _prompt("plan"),
            tools=LOOKING,
            source="built-in",
        ),
    )


def wants_memory(definition: AgentDefinition) -> bool:
    """Tell whether a kind is told the project's memory files."""
    return definition.source != "built-in" or definition.name not in NO_MEMORY


def _prompt(name: str) -> str:
    return resources.files("agent_tui.agents").joinpath(f"{name}.md").read_text("utf-8").strip()
