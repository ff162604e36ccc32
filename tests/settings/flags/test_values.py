"""Values of options that are JSON, files or lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.flags.values import (
    MAX_SETTINGS,
    read_object,
    read_servers,
    read_settings_value,
    read_text,
    rule_list,
    words,
)


@pytest.mark.parametrize(
    ("values", "rules"),
    [
        (["Read"], ("Read",)),
        (["Bash(git log *),Read"], ("Bash(git log *)", "Read")),
        (["Bash(a b) Edit(x, y)", "Read"], ("Bash(a b)", "Edit(x, y)", "Read")),
        (["Bash(echo (a b)),Read"], ("Bash(echo (a b))", "Read")),
        ([" , Read ,, "], ("Read",)),
        (["Bash(open", "Read"], ("Bash(open", "Read")),
        ([")Read"], (")Read",)),
    ],
)
def test_lists_of_rules_are_split_outside_parentheses(
    values: list[str], rules: tuple[str, ...]
) -> None:
    assert rule_list(values) == rules


def test_words_are_split_at_commas_and_blanks() -> None:
    assert words(" a,b  c,") == ("a", "b", "c")
    assert words("") == ()


def test_settings_are_taken_from_the_argument_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text('\ufeff{"model": "opus"}')
    assert read_settings_value(' {"model": "haiku"} ', tmp_path) == ({"model": "haiku"}, "")
    assert read_settings_value("mine.json", tmp_path) == ({"model": "opus"}, str(path))


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("{", "--settings, line 1"),
        ('{"a": 1, "a": 2}', "stands twice"),
        ('{"permissions": []}', "permissions"),
        ("list.json", "one JSON object"),
        ("broken.json", "broken.json, line 2"),
        ("huge.json", "larger"),
        ("{" + " " * MAX_SETTINGS + "}", "more than"),
    ],
)
def test_settings_that_cannot_be_read_stop_the_start(tmp_path: Path, value: str, word: str) -> None:
    (tmp_path / "list.json").write_text("[]")
    (tmp_path / "broken.json").write_text('{\n"a" 1}')
    (tmp_path / "huge.json").write_text(" " * (MAX_SETTINGS + 1))
    with pytest.raises(SettingsError, match=word):
        read_settings_value(value, tmp_path)


def test_settings_that_are_nowhere_are_bad_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"--settings nowhere\.json: there is no such file"):
        read_settings_value("nowhere.json", tmp_path)


def test_objects_are_taken_from_the_argument_or_a_file(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"a": 1}')
    assert read_object("--x", '{"b": 2}', tmp_path) == {"b": 2}
    assert read_object("--x", "x.json", tmp_path) == {"a": 1}


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("[1]", "--x must be a JSON object"),
        ("{oops", "--x: not valid JSON"),
        ('{"a": ' + "1" * 5000 + "}", "--x: not valid JSON"),
        ("none.json", "none.json can't be read: No such file"),
        ("bad.json", "--x bad.json: not valid JSON"),
    ],
)
def test_what_is_no_object_is_bad_usage(tmp_path: Path, value: str, word: str) -> None:
    (tmp_path / "bad.json").write_text("nope")
    with pytest.raises(UsageError, match=word):
        read_object("--x", value, tmp_path)


def test_a_text_that_is_no_text_is_bad_usage(tmp_path: Path) -> None:
    (tmp_path / "raw").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(UsageError, match="raw can't be read"):
        read_text("--x", "raw", tmp_path)


def test_servers_of_several_configs_are_joined(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"a": {"command": "x"}, "b": {"url": "u"}}}')
    found = read_servers(
        ["mcp.json", '{"mcpServers": {"b": {"type": "sdk", "name": "b"}}}'], tmp_path
    )
    assert found == {"a": {"command": "x"}, "b": {"type": "sdk", "name": "b"}}
    assert read_servers([], tmp_path) == {}


@pytest.mark.parametrize("value", ["{}", '{"mcpServers": []}', '{"mcpServers": {"a": 1}}'])
def test_what_names_no_servers_is_bad_usage(tmp_path: Path, value: str) -> None:
    with pytest.raises(UsageError, match="--mcp-config"):
        read_servers([value], tmp_path)
