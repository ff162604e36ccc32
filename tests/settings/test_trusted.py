"""Whose a local rule is."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from agent_tui.settings.paths import Environment
from agent_tui.settings.trusted import trust_rules, trusted_rules


def test_rules_are_remembered_for_their_project_only(home: Path, tmp_path: Path) -> None:
    env = Environment({}, home)
    assert trusted_rules(env, tmp_path) == frozenset()
    trust_rules(env, tmp_path, ["Bash(ls)", "Bash(ls)"])
    trust_rules(env, tmp_path, ["Read(/x)"])
    assert trusted_rules(env, tmp_path) == {"Bash(ls)", "Read(/x)"}
    assert trusted_rules(env, tmp_path / "below") == frozenset()
    assert (home / ".agent-tui" / "trusted-rules.json").read_text().count("Bash(ls)") == 1


def test_a_link_to_the_project_is_the_project(home: Path, tmp_path: Path) -> None:
    env = Environment({}, home)
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    trust_rules(env, tmp_path / "link", ["Bash(ls)"])
    assert trusted_rules(env, tmp_path / "real") == {"Bash(ls)"}


def test_the_file_is_the_owners(home: Path, tmp_path: Path) -> None:
    trust_rules(Environment({}, home), tmp_path, ["Bash(ls)"])
    path = home / ".agent-tui" / "trusted-rules.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "{", "[]", '{"KEY": "Bash"}', '{"KEY": [7, null]}', "\xff"])
def test_a_file_that_cant_be_read_trusts_nothing(home: Path, tmp_path: Path, text: str) -> None:
    path = home / ".agent-tui" / "trusted-rules.json"
    path.parent.mkdir()
    path.write_text(text.replace("KEY", str(tmp_path)), encoding="latin-1")
    assert trusted_rules(Environment({}, home), tmp_path) == frozenset()


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_others_may_write_trusts_nothing(home: Path, tmp_path: Path, mode: int) -> None:
    env = Environment({}, home)
    trust_rules(env, tmp_path, ["Bash(ls)"])
    (home / ".agent-tui" / "trusted-rules.json").chmod(mode)
    assert trusted_rules(env, tmp_path) == frozenset()


def test_a_damaged_file_is_written_anew(home: Path, tmp_path: Path) -> None:
    path = home / ".agent-tui" / "trusted-rules.json"
    path.parent.mkdir()
    path.write_text("{")
    trust_rules(Environment({}, home), tmp_path, ["Bash(ls)"])
    assert trusted_rules(Environment({}, home), tmp_path) == {"Bash(ls)"}
