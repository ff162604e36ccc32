"""What a settings file may say."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from agent_tui.settings.positions import Written
from agent_tui.settings.schema import KEYS, PERMISSION_KEYS, Settings, read_settings

GOOD: dict[str, Any] = {
    "model": "opus",
    "fallbackModel": "sonnet, haiku",
    "effortLevel": "high",
    "baseUrl": "http://127.0.0.1:1",
    "apiKeyHeader": "both",
    "anthropicVersion": "2023-06-01",
    "autoCompactEnabled": False,
    "autoCompactWindow": 100_000,
    "prices": {"m": {"input": 1}},
    "theme": "light",
    "editorMode": "vim",
    "reducedMotion": True,
    "preferredNotifChannel": "iterm2",
    "notifyAfterSeconds": 30,
    "terminalTitle": False,
    "mouse": False,
    "disableAllHooks": True,
    "hyperlinks": "off",
    "clipboard": "osc52",
    "hookFailures": "continue",
    "permissions": {
        "defaultMode": "plan",
        "disableBypassPermissionsMode": "disable",
        "disableAutoMode": "disable",
        "offerAutoMode": True,
        "autoModeModel": "haiku",
    },
}


def test_every_key_is_read_into_its_field() -> None:
    read = read_settings(GOOD, Written("f.json"))
    assert read.problems == ()
    usual, said = Settings(), read.settings
    assert all(getattr(said, f.name) != getattr(usual, f.name) for f in fields(Settings))
    assert set(GOOD) - {"permissions"} == set(KEYS)
    assert set(GOOD["permissions"]) == set(PERMISSION_KEYS)
    assert (said.model, said.disable_bypass, said.auto_compact_window) == ("opus", True, 100_000)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model", 7),
        ("model", "  "),
        ("fallbackModel", ["haiku"]),
        ("effortLevel", "extreme"),
        ("autoCompactEnabled", "yes"),
        ("autoCompactWindow", True),
        ("autoCompactWindow", -1),
        ("prices", []),
        ("apiKeyHeader", ["both"]),
        ("disableAllHooks", "yes"),
        ("editorMode", "emacs"),
        ("hookFailures", "deny"),
        ("permissions", {"defaultMode": "yolo"}),
    ],
)
def test_a_wrong_value_is_left_out_and_named_with_its_file(key: str, value: object) -> None:
    read = read_settings({"theme": "light", key: value}, Written("f.json"))
    assert read.settings == Settings(theme="light")
    [problem] = read.problems
    assert problem.startswith("f.json: ")
    assert key in problem and "is ignored" in problem


@pytest.mark.parametrize("value", ["disabled", True, 1, ["disable"], {}])
def test_a_mode_that_was_to_be_forbidden_is_forbidden_however_that_is_written(value: Any) -> None:
    inner = {"disableBypassPermissionsMode": value, "disableAutoMode": value}
    read = read_settings({"permissions": inner}, Written("f"))
    assert (read.settings.disable_bypass, read.settings.disable_auto) == (True, True)
    assert all('taken for "disable"' in problem for problem in read.problems)
    assert len(read.problems) == 2
    off = read_settings({"permissions": dict.fromkeys(inner, False)}, Written("f"))
    assert (off.settings.disable_bypass, len(off.problems)) == (False, 2)


def test_unknown_keys_are_no_problem() -> None:
    assert read_settings({"hooks": {}, "permissions": {"allow": []}}, Written("f")).problems == ()


def test_permissions_that_are_no_object_say_nothing() -> None:
    assert read_settings({"permissions": "all"}, Written("f")).settings == Settings()


def test_manual_is_another_word_for_default() -> None:
    data = {"permissions": {"defaultMode": "manual"}}
    assert read_settings(data, Written("f")).settings.default_mode == "default"


def test_the_upper_layer_wins_where_it_says_something() -> None:
    lower = Settings(model="a", theme="dark", disable_bypass=True, auto_compact=True)
    upper = Settings(model="b", auto_compact=False)
    assert upper.over(lower) == Settings(
        model="b", theme="dark", disable_bypass=True, auto_compact=False
    )


def test_what_a_lower_layer_disables_stays_disabled() -> None:
    assert Settings().over(Settings(disable_bypass=True)).disable_bypass


def test_a_wrong_value_is_named_with_its_line() -> None:
    text = '{\n "theme":\n  7,\n "permissions": {\n  "defaultMode": "never"\n }\n}'
    problems = read_settings(json.loads(text), Written("f.json", text)).problems
    assert [problem.partition(" ")[0] for problem in problems] == ["f.json:3:", "f.json:5:"]
    assert "permissions.defaultMode" in problems[1]


def test_folders_that_are_none_are_named_with_their_line() -> None:
    text = '{"permissions": {"additionalDirectories": [\n"/a",\n7]}}'
    [problem] = read_settings(json.loads(text), Written("f", text)).problems
    assert problem == "f:3: permissions.additionalDirectories holds 7, no folder."
    text = '{"permissions": {\n"additionalDirectories": "/a"}}'
    [problem] = read_settings(json.loads(text), Written("f", text)).problems
    assert problem.startswith("f:2: permissions.additionalDirectories must be a list of folders")
