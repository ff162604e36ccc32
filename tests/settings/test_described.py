"""The settings one by one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.preferences import SettingRow
from agent_tui.settings.described import ABOUT, described, keys, own_file, put, read_value
from agent_tui.settings.layers import load, read_files
from agent_tui.settings.paths import Environment


@pytest.fixture
def env(tmp_path: Path) -> Environment:
    (tmp_path / "home").mkdir()
    (tmp_path / "project" / ".claude").mkdir(parents=True)
    return Environment({}, tmp_path / "home")


def rows(env: Environment, *, trusted: bool = True) -> dict[str, SettingRow]:
    project, managed = env.home.parent / "project", env.home.parent / "managed.json"
    layers = load(env, project, managed=managed, trusted=trusted)
    files = read_files(env, project, managed=managed, trusted=trusted)
    return {row.key: row for row in described(layers, files)}


def write(path: Path, data: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=1))
    return path


def test_every_setting_has_its_line_of_explanation() -> None:
    assert set(ABOUT) >= set(keys())


def test_the_highest_file_that_says_something_is_named_with_its_line(env: Environment) -> None:
    write(env.home / ".claude" / "settings.json", {"theme": "light", "model": "a"})
    own = write(own_file(env), {"model": "b"})
    shared = write(
        env.home.parent / "project" / ".claude" / "settings.json",
        {"effortLevel": "low", "theme": "dark", "permissions": {"defaultMode": "plan"}},
    )
    write(env.home.parent / "managed.json", {"permissions": {"disableAutoMode": "disable"}})
    found = rows(env)
    assert (found["model"].value, found["model"].place) == ("b", f"{own}:2")
    assert found["theme"].value == "light"
    assert not found["theme"].locked
    effort, mode = found["effortLevel"], found["permissions.defaultMode"]
    assert (effort.value, effort.source, effort.place) == ("low", "project", f"{shared}:2")
    assert effort.locked
    assert mode.locked
    assert found["permissions.disableAutoMode"].source == "managed"
    assert found["permissions.disableAutoMode"].locked
    assert found["prices"].value is None
    assert rows(env, trusted=False)["effortLevel"].value is None


def test_a_value_that_is_wrong_is_not_in_force(env: Environment) -> None:
    write(own_file(env), {"effortLevel": "loud", "theme": ""})
    assert rows(env)["effortLevel"].value is None
    assert rows(env)["theme"].source == ""


def test_a_value_is_written_and_taken_out_and_the_rest_of_the_file_stays(env: Environment) -> None:
    path = own_file(env)
    path.parent.mkdir(parents=True)
    path.write_text('{\n\t"other": [1],\n\t"permissions": {"allow": ["Read"]}\n}')
    put(env, "theme", "light")
    put(env, "permissions.defaultMode", "plan")
    assert json.loads(path.read_text()) == {
        "other": [1],
        "permissions": {"allow": ["Read"], "defaultMode": "plan"},
        "theme": "light",
    }
    assert '\n\t"theme"' in path.read_text()
    put(env, "permissions.defaultMode", None)
    put(env, "theme", None)
    put(env, "model", None)
    assert json.loads(path.read_text()) == {"other": [1], "permissions": {"allow": ["Read"]}}


@pytest.mark.parametrize(("key", "value"), [("nothing", 1), ("effortLevel", "loud"), ("theme", "")])
def test_what_can_not_be_is_not_written(env: Environment, key: str, value: object) -> None:
    with pytest.raises(SettingsError):
        put(env, key, value)
    assert not own_file(env).exists()


def test_a_broken_file_is_left_alone(env: Environment) -> None:
    path = own_file(env)
    path.parent.mkdir(parents=True)
    path.write_text("{nonsense")
    with pytest.raises(SettingsError, match="left alone"):
        put(env, "theme", "light")
    assert path.read_text() == "{nonsense"


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("theme", " light ", "light"),
        ("theme", " ", None),
        ("autoCompactEnabled", "Yes", True),
        ("autoCompactWindow", "120000", 120_000),
        ("effortLevel", "max", "max"),
    ],
)
def test_what_a_person_types_is_read(env: Environment, key: str, text: str, value: Any) -> None:
    assert read_value(rows(env)[key], text) == value


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("autoCompactEnabled", "perhaps"),
        ("autoCompactWindow", "-1"),
        ("effortLevel", "x"),
        ("prices", "{}"),
    ],
)
def test_what_means_no_value_is_refused(env: Environment, key: str, text: str) -> None:
    with pytest.raises(ValueError, match=key):
        read_value(rows(env)[key], text)
