"""Sub-agents written as JSON."""

from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.definitions import read_agents

LEAST: dict[str, Any] = {"description": "Looks.", "prompt": "Look."}


def test_every_documented_key_is_taken() -> None:
    data: dict[str, Any] = {
        "scout": {
            **LEAST,
            "tools": ["Read", "Grep"],
            "disallowedTools": ["Bash"],
            "model": "haiku",
            "effort": "low",
            "maxTurns": 3,
            "background": True,
            "permissionMode": "plan",
            "skills": ["notes"],
            "memory": "project",
            "mcpServers": ["docs", {"x": {"command": "x"}}],
            "initialPrompt": "Begin.",
            "unheard": 1,
        }
    }
    assert read_agents(data, "--agents") == (
        AgentDefinition(
            "scout", "Looks.", "Look.", ("Read", "Grep"), ("Bash",), "haiku", "low", 3, True,
            "plan", ("notes",), "project", ("docs", {"x": {"command": "x"}}), "Begin.",
        ),
    )  # fmt: skip


def test_what_is_left_out_is_left_open() -> None:
    agents = read_agents({"a": LEAST, "b": {**LEAST, "tools": "Read, Grep", "effort": 7}}, "x")
    assert agents[0] == AgentDefinition("a", "Looks.", "Look.")
    assert (agents[1].tools, agents[1].effort) == (("Read", "Grep"), None)
    assert read_agents({"c": {**LEAST, "tools": []}}, "x")[0].tools == ()


@pytest.mark.parametrize(
    ("data", "word"),
    [
        ([], "by name"),
        ({"": LEAST}, "no name"),
        ({"a": 1}, "'a' must be an object"),
        ({"a": {"prompt": "x"}}, "description must be a text"),
        ({"a": {**LEAST, "prompt": " "}}, "prompt must be a text"),
        ({"a": {**LEAST, "tools": [1]}}, "tools must be a list"),
        ({"a": {**LEAST, "tools": {}}}, "tools must be a list"),
        ({"a": {**LEAST, "maxTurns": 0}}, "maxTurns"),
        ({"a": {**LEAST, "background": "yes"}}, "background"),
        ({"a": {**LEAST, "memory": "moon"}}, "one of user, project, local"),
        ({"a": {**LEAST, "mcpServers": "x"}}, "mcpServers"),
    ],
)
def test_faults_name_the_agent_and_the_key(data: Any, word: str) -> None:
    with pytest.raises(UsageError, match=word) as caught:
        read_agents(data, "--agents")
    assert str(caught.value).startswith("--agents")
