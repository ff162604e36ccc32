from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.requests import PermissionRuleValue, PermissionUpdate
from agent_tui.protocol.updates import update_from_json, update_to_json

RULES = (PermissionRuleValue("Bash", "touch *"), PermissionRuleValue("Read"))


@pytest.mark.parametrize(
    ("update", "data"),
    [
        (
            PermissionUpdate("addRules", RULES, "deny", destination="localSettings"),
            {
                "type": "addRules",
                "rules": [{"toolName": "Bash", "ruleContent": "touch *"}, {"toolName": "Read"}],
                "behavior": "deny",
                "destination": "localSettings",
            },
        ),
        (
            PermissionUpdate("addDirectories", directories=("/a", "/b")),
            {"type": "addDirectories", "directories": ["/a", "/b"], "destination": "session"},
        ),
        (
            PermissionUpdate("setMode", mode="acceptEdits"),
            {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
        ),
    ],
)
def test_an_update_is_the_documented_object_and_comes_back(
    update: PermissionUpdate, data: dict[str, Any]
) -> None:
    assert update_to_json(update) == data
    assert update_from_json(data) == update


@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("addRules", "must be an object"),
        ({"type": "grow"}, "no type"),
        ({"type": "setMode"}, "lacks a field"),
        ({"type": "addRules", "rules": "Bash"}, "rules must be a list"),
        ({"type": "addRules", "rules": ["Bash"]}, "is no rule"),
        ({"type": "addRules", "rules": [], "behavior": "maybe"}, "no behavior"),
        ({"type": "addRules", "rules": [], "destination": "moon"}, "no destination"),
    ],
)
def test_what_is_no_update_is_refused_with_the_reason(data: Any, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        update_from_json(data)
