"""What a session's folder brings, and when it takes effect."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agent_tui.engine.folder import Folder, look, offer, settle
from agent_tui.engine.foundation import Foundation, lay
from agent_tui.protocol.errors import SettingsError
from agent_tui.settings.options import Options, SettingSource, ToolOptions, TrustOptions
from agent_tui.settings.paths import Environment
from agent_tui.settings.trust import trust_file, trust_in

HOOK = {"Stop": [{"hooks": [{"type": "command", "command": "scripts/check.sh"}]}]}


class Clone:
    """A repository somebody cloned, and the home of who did."""

    def __init__(self, home: Path, project: Path) -> None:
        self.env = Environment(
            {"ANTHROPIC_API_KEY": "sk-x", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}, home
        )
        self.project = project
        self.options = Options(cwd=str(project), interactive=True)

    def write(self, name: str, given: Any) -> Path:
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(given if isinstance(given, str) else json.dumps(given))
        return path

    def fill(self) -> None:
        self.write(".git/HEAD", "ref: refs/heads/main\n")
        self.write(".git/config", '[remote "origin"]\nurl = git@example.com:me/clone.git\n')
        self.write("scripts/check.sh", "true\n")
        rules = {"allow": ["Bash(make)"], "additionalDirectories": ["../lib"], "deny": ["Bash(x)"]}
        self.write(".claude/settings.json", {"hooks": HOOK, "model": "opus", "permissions": rules})
        entry = {"command": "uvx", "args": ["db"], "env": {"A": "b"}}
        web = {"type": "http", "url": "http://127.0.0.1:1/", "headers": {"X": "y"}}
        self.write(".mcp.json", {"mcpServers": {"db": entry, "web": web, "odd": 7}})
        self.write(
            ".claude/agents/a.md",
            "---\nname: helper\ndescription: d\npermissionMode: acceptEdits\n---\nHelp.",
        )
        self.write(".claude/agents/bad.md", "---\nname: bad\n---\n")
        self.write("CLAUDE.md", "one\n@docs/more.md\n@~/outside.md\n")
        self.write("docs/more.md", "two")
        (self.env.home / "outside.md").write_text("outside words")

    def look(self, **given: Any) -> Folder:
        return look(replace(self.options, **given), self.env)

    def lay(self, answer: Any = "", seen: str = "", **given: Any) -> Foundation:
        options = replace(self.options, trust=TrustOptions(answer, seen), **given)
        return lay(options, self.env)

    @property
    def marks(self) -> frozenset[str] | None:
        return trust_in(self.env, self.project).marks


@pytest.fixture
def clone(home: Path, tmp_path: Path) -> Clone:
    made = Clone(home, tmp_path / "clone")
    made.project.mkdir()
    made.fill()
    return made


def test_everything_is_listed_by_what_it_can_do(clone: Clone) -> None:
    folder = clone.look()
    assert [(one.kind, one.name, one.what) for one in folder.items] == [
        ("hook", "Stop", "scripts/check.sh"),
        ("server", "db", "uvx db A=b"),
        ("server", "web", "http://127.0.0.1:1/ X=y"),
        ("server", "odd", ""),
        ("rule", "Bash(make)", ""),
        ("folder", "../lib", ""),
        ("setting", "model", "opus"),
        ("agent", "helper", ".claude/agents/a.md  mode acceptEdits"),
        ("import", str(clone.env.home / "outside.md"), "named by CLAUDE.md"),
        ("memory", "CLAUDE.md", "3 lines"),
        ("memory", "docs/more.md", "1 line"),
    ]
    assert [one.acts for one in folder.items] == [True] * 9 + [False] * 2
    shown = [str(path.relative_to(clone.project)) for path in folder.files[:4]]
    assert shown == [
        ".claude/settings.json",
        "scripts/check.sh",
        ".mcp.json",
        ".claude/agents/a.md",
    ]


def test_a_folder_below_is_the_same_project(clone: Clone) -> None:
    (clone.project / "deep").mkdir()
    assert clone.look(cwd=str(clone.project / "deep")).seen == clone.look().seen


@pytest.mark.parametrize(
    ("sources", "kinds"),
    [
        (("user",), set[str]()),
        (("user", "local"), set[str]()),
        (("project",), {"hook", "server", "rule", "folder", "setting", "agent", "import"}),
    ],
)
def test_only_the_sources_that_count_are_looked_at(
    clone: Clone, sources: tuple[SettingSource, ...], kinds: set[str]
) -> None:
    assert {one.kind for one in clone.look(setting_sources=sources).items if one.acts} == kinds


def test_servers_that_will_not_be_read_are_not_listed(clone: Clone) -> None:
    strict = clone.look(tools=ToolOptions(strict_servers=True))
    assert "server" not in {one.kind for one in strict.items}


def in_force(base: Foundation) -> dict[str, bool]:
    """Say of each kind whether it has effect."""
    return {
        "hook": bool(base.layers.hooks),
        "server": bool(base.servers.servers),
        "rule": any(rule.behavior == "allow" for rule in base.layers.rules),
        "folder": bool(base.layers.additional_dirs),
        "setting": base.layers.settings.model == "opus",
        "agent": base.kinds.named("helper") is not None,
        "import": "outside words" in base.memory().text,
        "script": bool(base.scripts),
    }


def nothing(base: Foundation) -> bool:
    return not any(in_force(base).values())


def test_without_an_answer_nothing_takes_effect_but_what_is_stricter(clone: Clone) -> None:
    base = clone.lay()
    assert nothing(base)
    assert [rule.text for rule in base.layers.rules] == ["Bash(x)"]
    assert "two" in base.memory().text
    [notice] = base.layers.notices
    for word in ("is not trusted", "1 hook (Stop)", "3 MCP servers (db, web, odd)", "--trust"):
        assert word in notice
    assert clone.marks is None


@pytest.mark.parametrize("answer", ["once", "always"])
def test_with_a_yes_all_of_it_does(clone: Clone, answer: str) -> None:
    base = clone.lay(answer, clone.look().seen)
    assert all(in_force(base).values()), in_force(base)
    assert base.scripts == (str(clone.project / "scripts" / "check.sh"),)
    assert not [one for one in base.layers.notices if "trust" in one]
    assert (clone.marks is not None) == (answer == "always")


def test_a_flag_trusts_whatever_is_there_for_one_run(clone: Clone) -> None:
    assert all(in_force(clone.lay("once")).values())
    assert not trust_file(clone.env).exists()


def test_a_no_needs_no_notice_for_who_gave_it(clone: Clone) -> None:
    base = clone.lay("no", clone.look().seen)
    assert nothing(base)
    assert base.layers.notices == ()


def test_what_was_trusted_stays_so_until_it_brings_something_new(clone: Clone) -> None:
    clone.lay("always", clone.look().seen)
    assert all(in_force(clone.lay()).values())
    clone.write(".mcp.json", {"mcpServers": {}})
    assert in_force(clone.lay())["hook"], "less than was seen is no news"
    clone.write(".mcp.json", {"mcpServers": {"new": {"command": "x"}}})
    base = clone.lay()
    assert nothing(base)
    assert "brings something new since it was trusted" in base.layers.notices[0]
    assert "1 MCP server (new)" in base.layers.notices[0]
    assert "hook" not in base.layers.notices[0]
    given = offer(clone.options, clone.env)
    assert (given.ask, given.changed) == (True, True)
    assert [one.name for one in given.items if one.acts and one.new] == ["new"]


@pytest.mark.parametrize(
    ("name", "text"),
    [("scripts/check.sh", "touch pwn\n"), (".claude/agents/a.md", "---\nname: helper\ndescription: d\n---\nEvil.")],
)  # fmt: skip
def test_a_script_or_a_sub_agent_that_changes_is_something_new(
    clone: Clone, name: str, text: str
) -> None:
    clone.lay("always", clone.look().seen)
    clone.write(name, text)
    assert nothing(clone.lay())


def test_an_answer_holds_for_what_was_shown_only(clone: Clone) -> None:
    seen = clone.look().seen
    clone.write(".mcp.json", {"mcpServers": {"late": {"command": "touch pwn"}}})
    base = clone.lay("always", seen)
    assert nothing(base)
    assert "has changed since you were asked" in base.layers.notices[0]
    assert clone.marks is None
    assert offer(replace(clone.options, trust=TrustOptions("always", seen)), clone.env).ask


def test_the_person_is_asked_once_and_told_where_it_is_from(clone: Clone) -> None:
    given = offer(clone.options, clone.env)
    assert given.ask
    assert not given.changed
    assert given.origin == "example.com/me/clone"
    assert given.project == str(clone.project)
    assert given.items == clone.look().items
    for answer in ("no", "once", "always"):
        said = replace(clone.options, trust=TrustOptions(answer, given.seen))
        assert not offer(said, clone.env).ask
    assert not offer(replace(clone.options, trust=TrustOptions("once")), clone.env).ask
    clone.lay("always", given.seen)
    assert not offer(clone.options, clone.env).ask


def test_an_answer_for_one_folder_is_none_for_another(clone: Clone, tmp_path: Path) -> None:
    other = Clone(clone.env.home, tmp_path / "other")
    other.project.mkdir()
    other.fill()
    said = TrustOptions("once", clone.look().seen)
    assert offer(replace(other.options, trust=said), other.env).ask
    assert nothing(other.lay("once", said.seen))


def test_a_trusted_folder_covers_those_in_it_and_what_changes_there_is_asked(
    clone: Clone, tmp_path: Path
) -> None:
    inner = Clone(clone.env.home, clone.project / "inner")
    outer = Clone(clone.env.home, tmp_path)
    (clone.project / ".git" / "HEAD").unlink()
    (clone.project / ".git" / "config").unlink()
    (clone.project / ".git").rmdir()
    inner.write(".claude/settings.json", {"hooks": HOOK})
    outer.write(".mcp.json", {"mcpServers": {"x": {"command": "x"}}})
    outer.lay("always", outer.look().seen)
    assert not offer(inner.options, inner.env).ask
    assert in_force(inner.lay())["hook"]
    assert inner.marks is not None
    inner.write(".claude/settings.json", {"hooks": {**HOOK, "Start": HOOK["Stop"]}})
    assert offer(inner.options, inner.env).ask
    assert nothing(inner.lay())


def test_nothing_that_could_do_anything_is_no_question(home: Path, tmp_path: Path) -> None:
    plain = Clone(home, tmp_path)
    plain.write("AGENTS.md", "kind words")
    plain.write(".claude/settings.json", {"permissions": {"deny": ["Bash"]}})
    assert not offer(plain.options, plain.env).ask
    assert settle(plain.look(), plain.options, plain.env).notices == ()
    assert plain.lay().layers.notices == ()


def test_in_the_home_folder_the_persons_own_files_are_no_projects(home: Path) -> None:
    own = Clone(home, home)
    own.write(".claude/settings.json", {"hooks": HOOK, "model": "opus"})
    own.write(".claude/agents/mine.md", "---\nname: mine\ndescription: d\n---\nx")
    assert not own.look().marks


def test_a_settings_file_that_cant_be_read_stops_the_question_too(clone: Clone) -> None:
    clone.write(".claude/settings.json", "{")
    with pytest.raises(SettingsError, match="not valid JSON"):
        offer(clone.options, clone.env)


def test_trust_that_cant_be_stored_is_said(clone: Clone) -> None:
    trust_file(clone.env).mkdir(parents=True)
    (trust_file(clone.env) / "x").touch()
    with pytest.raises(SettingsError, match=r"trust\.json can't be written"):
        clone.lay("always", clone.look().seen)


def test_no_forbidden_file_and_no_secret_of_the_project_is_imported(clone: Clone) -> None:
    clone.write("CLAUDE.md", "@docs/more.md @.env @notes.txt")
    clone.write(".env", "KEY=v1")
    clone.write("notes.txt", "notes")
    clone.write(".claude/settings.json", {"permissions": {"deny": ["Read(./docs/**)"]}})
    read = clone.lay("once").memory()
    assert "notes" in read.text
    assert "two" not in read.text
    assert "v1" not in read.text
    assert [note.trouble for note in read.notes] == ["forbidden", "forbidden"]
