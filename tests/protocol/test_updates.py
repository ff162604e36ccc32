from __future__ import annotations

from typing import Any

import pytest

from agent_tui.protocol.requests import GrantLimit, PermissionRuleValue, PermissionUpdate
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
    ("limit", "data"),
    [
        (GrantLimit(task=True), {"task": True}),
        (GrantLimit(calls=5), {"calls": 5}),
        (GrantLimit(minutes=0.5), {"minutes": 0.5}),
    ],
)
def test_a_limit_is_one_more_field_and_comes_back(limit: GrantLimit, data: dict[str, Any]) -> None:
    update = PermissionUpdate("addRules", RULES, limit=limit)
    written = update_to_json(update)
    assert written["limit"] == data
    assert update_from_json(written) == update
    assert "limit" not in update_to_json(PermissionUpdate("addRules", RULES))


@pytest.mark.parametrize(
    "limit",
    [
        {},
        5,
        {"task": False},
        {"calls": 0},
        {"calls": True},
        {"calls": 1.5},
        {"calls": 10**400},
        {"minutes": -1},
        {"minutes": True},
        {"minutes": float("inf")},
        {"minutes": float("nan")},
        {"task": True, "calls": 1},
    ],
)
def test_what_is_no_limit_is_refused(limit: Any) -> None:
    given = {**update_to_json(PermissionUpdate("addRules", RULES)), "limit": limit}
    with pytest.raises(ValueError, match="is no limit"):
        update_from_json(given)


@pytest.mark.parametrize(
    "changes",
    [
        {"behavior": "deny"},
        {"destination": "userSettings"},
        {"type": "removeRules"},
        {"type": "setMode", "mode": "plan"},
    ],
)
def test_a_limit_that_would_have_no_effect_is_refused(changes: dict[str, str]) -> None:
    given = update_to_json(PermissionUpdate("addRules", RULES, limit=GrantLimit(calls=1)))
    with pytest.raises(ValueError, match="limit"):
        update_from_json({**given, **changes})


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
