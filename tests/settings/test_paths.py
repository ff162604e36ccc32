"""Where everything is."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from agent_tui.settings import paths
from agent_tui.settings.paths import Environment, project_key

ENV = Environment({}, Path("/home/u"))


def test_all_of_ours_is_below_one_folder_and_one_variable_moves_it() -> None:
    moved = Environment({"AGENT_TUI_HOME": "/else"}, Path("/home/u"))
    for env, root in ((ENV, "/home/u/.agent-tui"), (moved, "/else")):
        assert paths.root(env) == Path(root)
        for path in (
            paths.projects(env),
            paths.credentials(env),
            paths.input_history(env),
            paths.drafts(env),
            paths.logs(env),
            paths.user_themes(env),
            paths.user_settings(env)[1],
        ):
            assert path.is_relative_to(root)


def test_the_users_settings_are_the_ecosystems_then_ours() -> None:
    assert paths.user_settings(ENV) == (
        Path("/home/u/.claude/settings.json"),
        Path("/home/u/.agent-tui/settings.json"),
    )
    moved = Environment({"CLAUDE_CONFIG_DIR": "/c"}, Path("/home/u"))
    assert paths.user_settings(moved)[0] == Path("/c/settings.json")


def test_the_projects_settings_are_shared_then_local() -> None:
    assert [path.name for path in paths.project_settings(Path("/p"))] == [
        "settings.json",
        "settings.local.json",
    ]


def test_an_empty_variable_counts_as_unset() -> None:
    env = Environment({"AGENT_TUI_HOME": "", "A": "b"}, Path("/h"))
    assert paths.root(env) == Path("/h/.agent-tui")
    assert env.get("NOT", "fallback") == "fallback"
    assert env.get("A", "fallback") == "b"


def test_the_process_tells_its_home_even_without_the_variable(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOME", "/somewhere")
    assert Environment.of_process().home == Path("/somewhere")
    monkeypatch.delenv("HOME")
    assert Environment.of_process().home.is_absolute()


def test_a_projects_key_is_its_real_path_with_dashes(tmp_path: Path) -> None:
    real = tmp_path / "a_b.c"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    key = project_key(real)
    assert key.endswith("-a-b-c")
    assert "/" not in key and "_" not in key and "." not in key
    assert project_key(tmp_path / "link") == key


def test_letters_beyond_ascii_are_dashes_in_either_spelling() -> None:
    assert project_key(Path("/p/ü")) == project_key(Path("/p/u\u0308")) == "-p--"


def test_a_long_key_is_cut_and_told_apart_by_a_hash() -> None:
    one = project_key(Path("/" + "x" * 250 + "/one"))
    two = project_key(Path("/" + "x" * 250 + "/two"))
    assert one[:200] == two[:200]
    assert one != two
    assert 201 < len(one) < 212


def test_the_hash_is_the_one_other_readers_compute() -> None:
    # the 31-multiplier over UTF-16 units in 32 bits, its absolute value to base 36
    value = 0
    for char in (text := "/" + "é" * 250):
        value = (value * 31 + ord(char)) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value & 0x80000000 else value)
    assert int(project_key(Path(text)).rpartition("-")[2], 36) == value


def test_a_journal_is_named_by_its_session() -> None:
    path = paths.journal(ENV, Path("/p"), "abc")
    assert path == Path("/home/u/.agent-tui/projects/-p/abc.jsonl")


def test_the_themes_are_found_where_they_are_shipped() -> None:
    found = list(paths.themes().glob("*.toml"))
    assert len(found) >= 2
    assert all(tomllib.loads(path.read_text("utf-8")) for path in found)
