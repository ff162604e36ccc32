"""Storing "always" answers."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from agent_tui.permissions.grants import store
from agent_tui.permissions.rules import RuleBook
from agent_tui.protocol.errors import SettingsError
from agent_tui.protocol.requests import (
    Destination,
    GrantLimit,
    PermissionRuleValue,
    PermissionUpdate,
)
from agent_tui.settings.brought import rule_mark
from agent_tui.settings.layers import load
from agent_tui.settings.paths import Environment
from agent_tui.settings.trust import remember, trust_in
from tests.permissions.ground import Project

LS = PermissionRuleValue("Bash", "make test *")


def always(
    *rules: PermissionRuleValue, where: Destination = "localSettings", **more: Any
) -> PermissionUpdate:
    return PermissionUpdate("addRules", rules or (LS,), "allow", destination=where, **more)


@pytest.fixture
def env(project: Project) -> Environment:
    return Environment({}, project.home)


def local(project: Project) -> Path:
    return project.folder / ".claude" / "settings.local.json"


def test_a_rule_is_stored_and_holds_at_the_next_start(project: Project, env: Environment) -> None:
    store(always(), project.folder, env)
    assert json.loads(local(project).read_text()) == {
        "permissions": {"allow": ["Bash(make test *)"]}
    }
    layers = load(env, project.folder, managed=project.folder / "none")
    rules = RuleBook.of(layers.rules)
    assert [str(rule) for rule in rules.allow] == ["Bash(make test *)"]
    assert layers.notices == ()


def test_the_person_s_own_file_is_ours_in_the_home_folder(
    project: Project, env: Environment
) -> None:
    store(always(where="userSettings"), project.folder, env)
    path = project.home / ".agent-tui" / "settings.json"
    assert "make test" in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not local(project).exists()


def test_a_project_s_shared_file_is_written_but_grants_nothing_yet(
    project: Project, env: Environment
) -> None:
    store(always(where="projectSettings"), project.folder, env)
    assert "make test" in (project.folder / ".claude" / "settings.json").read_text()
    assert RuleBook.of(load(env, project.folder, managed=project.folder / "none").rules).allow == ()


def test_other_content_order_and_indentation_are_kept(project: Project, env: Environment) -> None:
    path = local(project)
    path.parent.mkdir()
    path.write_text(
        '{\n    "zebra": "grün",\n    "permissions": {\n        "deny": ["Bash(rm *)"],\n        "allow": ["Bash(a)"]\n    },\n    "apple": [1, 2]\n}\n'
    )
    path.chmod(0o640)
    store(always(), project.folder, env)
    text = path.read_text("utf-8")
    data = json.loads(text)
    assert list(data) == ["zebra", "permissions", "apple"]
    assert data["permissions"] == {
        "deny": ["Bash(rm *)"],
        "allow": ["Bash(a)", "Bash(make test *)"],
    }
    assert '\n    "zebra": "grün"' in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    store(always(), project.folder, env)
    assert path.read_text("utf-8") == text
    assert os.listdir(path.parent) == [path.name]


@pytest.mark.parametrize(
    "text",
    [
        '{"permissions": {"deny": ["Bash(rm:*)"],}}',
        '{"permissions": []}',
        '{"permissions": {"allow": "x"}}',
        "[]",
        '{"permissions": {}, "permissions": {"deny": []}}',
        "\xff",
    ],
)
def test_a15_a_broken_file_is_never_overwritten(
    project: Project, env: Environment, text: str
) -> None:
    path = local(project)
    path.parent.mkdir()
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(SettingsError, match=r"settings\.local\.json"):
        store(always(), project.folder, env)
    assert path.read_bytes() == text.encode("latin-1")


def test_an_empty_file_may_be_filled(project: Project, env: Environment) -> None:
    local(project).parent.mkdir()
    local(project).write_text("\n")
    store(always(), project.folder, env)
    assert "make test" in local(project).read_text()


def test_h8_when_nothing_can_be_written_the_old_content_stays(
    project: Project, env: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = local(project)
    path.parent.mkdir()
    path.write_text('{"a": 1}')

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SettingsError, match="No space left"):
        store(always(), project.folder, env)
    assert path.read_text() == '{"a": 1}'
    assert os.listdir(path.parent) == [path.name]


def test_links_in_a_project_don_t_lead_a_write_out_of_it(
    project: Project, env: Environment, tmp_path: Path
) -> None:
    outside = tmp_path / "elsewhere.json"
    local(project).parent.mkdir()
    local(project).symlink_to(outside)
    with pytest.raises(SettingsError, match="out of the project"):
        store(always(), project.folder, env)
    assert not outside.exists()


def test_a_link_of_the_person_s_own_is_kept(
    project: Project, env: Environment, tmp_path: Path
) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    link = project.home / ".agent-tui" / "settings.json"
    link.parent.mkdir()
    link.symlink_to(real)
    store(always(where="userSettings"), project.folder, env)
    assert link.is_symlink()
    assert "make test" in real.read_text()


def test_junk_is_not_stored(project: Project, env: Environment) -> None:
    for rule in (
        PermissionRuleValue("Bash", "x" * 500),
        PermissionRuleValue("Bash", "a\nb"),
        PermissionRuleValue("Write", "x"),
        PermissionRuleValue("mcp__*"),
        PermissionRuleValue("no way"),
    ):
        with pytest.raises(SettingsError, match="isn't stored"):
            store(always(LS, rule), project.folder, env)
    assert not local(project).exists()


def test_a_project_s_file_sets_no_mode_and_adds_no_folder(
    project: Project, env: Environment
) -> None:
    mode = PermissionUpdate("setMode", mode="acceptEdits", destination="localSettings")
    with pytest.raises(SettingsError, match="your own settings"):
        store(mode, project.folder, env)
    store(PermissionUpdate("setMode", mode="plan", destination="userSettings"), project.folder, env)
    folders = PermissionUpdate("addDirectories", directories=("/a",), destination="userSettings")
    store(folders, project.folder, env)
    layers = load(env, project.folder, managed=project.folder / "none")
    assert layers.settings.default_mode == "plan"
    assert layers.additional_dirs == ("/a",)


def test_rules_are_taken_away_and_replaced(project: Project, env: Environment) -> None:
    other = PermissionRuleValue("Bash", "b")
    store(always(LS, other), project.folder, env)
    store(PermissionUpdate("removeRules", (LS,), destination="localSettings"), project.folder, env)
    assert json.loads(local(project).read_text())["permissions"]["allow"] == ["Bash(b)"]
    store(
        PermissionUpdate("replaceRules", (LS,), "deny", destination="localSettings"),
        project.folder,
        env,
    )
    assert json.loads(local(project).read_text())["permissions"]["deny"] == ["Bash(make test *)"]


def test_what_is_for_the_session_is_not_written(project: Project, env: Environment) -> None:
    store(always(where="session"), project.folder, env)
    assert not (project.folder / ".claude").exists()


def test_what_holds_for_a_while_only_is_not_stored(project: Project, env: Environment) -> None:
    with pytest.raises(SettingsError, match="for a while only"):
        store(always(limit=GrantLimit(calls=2)), project.folder, env)
    assert not local(project).exists()


def test_a_rule_with_examples_is_left_as_it_is_or_taken_away_whole(
    project: Project, env: Environment
) -> None:
    path = local(project)
    path.parent.mkdir()
    kept = {"rule": "Bash(make test *)", "match": ["make test x"]}
    other = {"rule": "Bash(ls)", "not_match": ["rm"]}
    path.write_text(json.dumps({"permissions": {"allow": [kept, other, 7], "deny": [kept]}}))

    def rules() -> list[Any]:
        return json.loads(path.read_text())["permissions"]["allow"]

    store(always(LS, PermissionRuleValue("Bash", "make")), project.folder, env)
    assert rules() == [kept, other, 7, "Bash(make)"]
    ls = (PermissionRuleValue("Bash", "ls"),)
    store(
        PermissionUpdate("removeRules", ls, "allow", destination="localSettings"),
        project.folder,
        env,
    )
    assert rules() == [kept, 7, "Bash(make)"]
    store(
        PermissionUpdate("replaceRules", (LS, *ls), "allow", destination="localSettings"),
        project.folder,
        env,
    )
    assert rules() == [kept, "Bash(ls)"]
    assert json.loads(path.read_text())["permissions"]["deny"] == [kept]


def test_a_rule_given_for_a_trusted_project_is_no_news_there(
    project: Project, env: Environment
) -> None:
    store(always(where="projectSettings"), project.folder, env)
    assert trust_in(env, project.folder).marks is None
    remember(env, project.folder, [])
    store(always(PermissionRuleValue("Bash", "ls *"), where="projectSettings"), project.folder, env)
    assert trust_in(env, project.folder).marks == {rule_mark("Bash(ls *)")}
    store(always(where="localSettings"), project.folder, env)
    assert trust_in(env, project.folder).marks == {rule_mark("Bash(ls *)")}


def test_what_is_made_for_a_rule_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        env = Environment({}, tmp_path / "home")
        project = tmp_path / "project"
        project.mkdir()
        rule = PermissionRuleValue("Bash", "ls *")
        store(
            PermissionUpdate(
                "addRules", rules=(rule,), behavior="allow", destination="localSettings"
            ),
            project,
            env,
        )
    finally:
        os.umask(before)
    made = [*(project / ".claude").rglob("*"), project / ".claude", *(tmp_path / "home").rglob("*")]
    assert (project / ".claude" / "settings.local.json") in made
    assert not [path for path in made if path.stat().st_mode & 0o077]
