from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from agent_tui.headless.asking import HostApprover
from agent_tui.headless.beginning import begun, parts_of
from agent_tui.headless.calls import HostCalls
from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.options import Options, PermissionOptions, PromptOptions, ToolOptions

PLAIN = Options("/x", tools=ToolOptions(servers={"a": {"command": "y"}}))


def no_calls() -> HostCalls:
    return HostCalls(lambda record: None, lambda: "id")


def test_an_empty_initialize_changes_nothing() -> None:
    assert begun(PLAIN, {"subtype": "initialize", "hooks": None}) == PLAIN


def test_every_field_is_taken() -> None:
    options = begun(
        PLAIN,
        {
            "jsonSchema": {"type": "object"},
            "agents": {"scout": {"description": "d", "prompt": "p"}},
            "skills": ["notes"],
            "sdkMcpServers": ["math"],
            "systemPrompt": ["One.", "Two."],
            "appendSystemPrompt": "Three.",
            "forwardSubagentText": True,
        },
    )
    assert options.tools == ToolOptions(
        servers={"a": {"command": "y"}, "math": {"type": "sdk", "name": "math"}},
        agents=(AgentDefinition("scout", "d", "p"),),
        skills=("notes",),
        schema={"type": "object"},
    )
    assert options.prompts == PromptOptions("One.\n\nTwo.", "Three.")
    assert options.subagent_text


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"jsonSchema": "x"}, "jsonSchema"),
        ({"agents": []}, "agents"),
        ({"skills": "all"}, "skills"),
        ({"sdkMcpServers": [1]}, "sdkMcpServers"),
        ({"systemPrompt": 7}, "systemPrompt"),
    ],
)
def test_fields_of_another_form_are_refused(fields: dict[str, Any], word: str) -> None:
    with pytest.raises(UsageError, match=f"initialize: {word}"):
        begun(PLAIN, fields)


def test_the_host_answers_where_it_was_asked_to() -> None:
    assert parts_of(PLAIN, {}, no_calls()).approver is None
    asked = replace(PLAIN, permissions=PermissionOptions(prompt_tool="stdio"))
    assert isinstance(parts_of(asked, {}, no_calls()).approver, HostApprover)


def test_hooks_and_servers_are_the_hosts() -> None:
    hooks = {
        "PreToolUse": [
            {"matcher": "Bash", "hookCallbackIds": ["h1", "h2"], "timeout": 5, "onFailure": "odd"},
            {"matcher": None, "hookCallbackIds": ["h3"], "onFailure": "continue"},
        ],
        "Setup": [{"matcher": None, "hookCallbackIds": ["h4"]}],
    }
    options = begun(PLAIN, {"sdkMcpServers": ["math"]})
    extras = parts_of(options, {"hooks": hooks}, no_calls())
    assert list(extras.servers) == ["math"]
    assert list(extras.hooks) == ["PreToolUse"]
    first, second = extras.hooks["PreToolUse"]
    assert (first.matcher, len(first.callbacks), first.timeout_s, first.on_failure) == (
        "Bash",
        2,
        5,
        "block",
    )
    assert (second.matcher, second.timeout_s, second.on_failure) == (None, None, "continue")


@pytest.mark.parametrize(
    "matchers",
    [
        "{}",
        '["h1"]',
        '[{"hookCallbackIds": "h1"}]',
        '[{"matcher": 7}]',
        '[{"timeout": "soon"}]',
        '[{"timeout": -1}]',
        '[{"timeout": NaN}]',
    ],
)
def test_hooks_of_another_form_are_refused(matchers: str) -> None:
    with pytest.raises(UsageError, match="initialize: "):
        parts_of(PLAIN, {"hooks": {"Stop": json.loads(matchers)}}, no_calls())
    with pytest.raises(UsageError, match="hooks must be an object"):
        parts_of(PLAIN, {"hooks": ["Stop"]}, no_calls())
