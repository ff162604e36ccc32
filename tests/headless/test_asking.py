from __future__ import annotations

from typing import Any

import pytest

from agent_tui.headless.asking import question, read_answer
from agent_tui.protocol.display import TextDisplay
from agent_tui.protocol.requests import (
    Allow,
    Deny,
    PermissionRequest,
    PermissionRuleValue,
    PermissionUpdate,
)

RULE = PermissionUpdate("addRules", (PermissionRuleValue("Bash", "ls *"),), "allow")
REQUEST = PermissionRequest(
    "r1", "Bash", "toolu_1", {"command": "ls /x", "description": "List"}, TextDisplay(), "Run it?",
    "It is outside.", suggestions=(RULE,), blocked_path="/x", agent="Explore: it", agent_id="scout",
)  # fmt: skip


def test_the_question_has_the_documented_fields() -> None:
    assert question(REQUEST) == {
        "subtype": "can_use_tool",
        "tool_name": "Bash",
        "display_name": "Bash",
        "input": {"command": "ls /x", "description": "List"},
        "tool_use_id": "toolu_1",
        "permission_suggestions": [
            {
                "type": "addRules",
                "rules": [{"toolName": "Bash", "ruleContent": "ls *"}],
                "behavior": "allow",
                "destination": "session",
            }
        ],
        "title": "Run it?",
        "decision_reason": "It is outside.",
        "description": "List",
        "blocked_path": "/x",
        "agent_id": "scout",
    }


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        ({"behavior": "allow"}, Allow()),
        ({"behavior": "allow", "updatedInput": REQUEST.input}, Allow()),
        ({"behavior": "allow", "updatedInput": {"command": "ls"}}, Allow({"command": "ls"})),
        (
            {
                "behavior": "allow",
                "updatedPermissions": [
                    {"type": "setMode", "mode": "plan", "destination": "session"}
                ],
            },
            Allow(None, (PermissionUpdate("setMode", mode="plan"),)),
        ),
        ({"behavior": "deny", "message": "No."}, Deny("No.")),
        ({"behavior": "deny", "interrupt": True}, Deny("", interrupt=True)),
    ],
)
def test_answers_are_read(response: dict[str, Any], answer: Allow | Deny) -> None:
    assert read_answer(response, REQUEST) == answer


@pytest.mark.parametrize(
    ("response", "word"),
    [
        ({}, "allow or deny"),
        ({"behavior": "yes"}, "'yes'"),
        ({"behavior": "allow", "updatedInput": "ls"}, "updatedInput"),
        ({"behavior": "allow", "updatedPermissions": {}}, "updatedPermissions"),
        ({"behavior": "allow", "updatedPermissions": [{"type": "grant"}]}, "grant"),
    ],
)
def test_what_is_no_answer_is_no_consent(response: dict[str, Any], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        read_answer(response, REQUEST)
