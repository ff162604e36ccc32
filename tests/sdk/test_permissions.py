from __future__ import annotations

from typing import Any

import pytest

from agent_tui.sdk import PermissionRuleValue, PermissionUpdate

RECORDS: list[dict[str, Any]] = [
    {
        "type": "addRules",
        "destination": "localSettings",
        "rules": [{"toolName": "Bash", "ruleContent": "ls *"}, {"toolName": "Read"}],
        "behavior": "allow",
    },
    {"type": "setMode", "destination": "session", "mode": "plan"},
    {"type": "removeDirectories", "destination": "session", "directories": ["/a"]},
]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["type"])
def test_an_update_survives_its_record(record: dict[str, Any]) -> None:
    assert PermissionUpdate.from_dict(record).to_dict() == record


def test_no_destination_is_the_session() -> None:
    update = PermissionUpdate("addRules", [PermissionRuleValue("Read")], "deny")
    assert update.to_dict()["destination"] == "session"


@pytest.mark.parametrize(
    ("update", "lacks"),
    [
        (PermissionUpdate("addRules", behavior="allow"), "rules"),
        (PermissionUpdate("replaceRules", []), "behavior"),
        (PermissionUpdate("setMode"), "mode"),
        (PermissionUpdate("addDirectories"), "directories"),
        (PermissionUpdate("forget"), "forget"),  # pyright: ignore[reportArgumentType]
    ],
)
def test_an_update_without_what_its_type_needs_says_so(
    update: PermissionUpdate, lacks: str
) -> None:
    with pytest.raises(ValueError, match=lacks):
        update.to_dict()
