"""What a session stands on."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from agent_tui.engine.foundation import DEMO_MODEL, Foundation, lay
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.settings.credentials import save_key
from agent_tui.settings.options import ModelOptions, Options, PermissionOptions
from tests.engine.sessions import Place

pytestmark = pytest.mark.anyio


def settings(place: Place, **data: Any) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(data))


@contextmanager
def laid(place: Place, **changes: Any) -> Generator[Foundation]:
    base = lay(replace(place.options, **changes), place.env)
    try:
        yield base
    finally:
        if base.demo is not None:
            base.demo.close()


def test_nothing_is_asked_and_nothing_is_written(place: Place) -> None:
    with laid(place) as base:
        assert base.key_source == "ANTHROPIC_API_KEY"
        assert base.start_mode == "default"
        assert {"Bash", "Edit", "Glob", "Grep", "Read", "Write"} < set(base.tools.by_name)
        assert "ToolSearch" not in base.tools.by_name
    assert not place.api.requests
    assert not list(place.home.iterdir())


def test_the_official_server_without_a_key_is_refused_with_a_way_out(place: Place) -> None:
    place.variables.update(ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="")
    with pytest.raises(UsageError, match="--demo"):
        lay(place.options, place.env)


def test_hooks_do_not_start_it_again_without_end(place: Place) -> None:
    place.variables["AGENT_TUI_HOOK_DEPTH"] = "9"
    with pytest.raises(UsageError, match="AGENT_TUI_HOOK_DEPTH"):
        lay(place.options, place.env)


@pytest.mark.parametrize("how", ["flag", "variable", "settings"])
def test_a_server_that_was_named_is_asked_without_one(place: Place, how: str) -> None:
    url = place.api.url
    place.variables.update(
        ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL=url if how == "variable" else ""
    )
    if how == "settings":
        settings(place, baseUrl=url)
    with laid(place, model=ModelOptions(base_url=url if how == "flag" else None)) as base:
        assert base.key_source == "none"


async def test_it_is_sent_a_placeholder_and_answers(place: Place) -> None:
    place.variables.update(ANTHROPIC_API_KEY="")
    place.api.enqueue("Hello.")
    talk = await place.talk("hi")
    assert talk.result.result == "Hello."
    headers = {name.lower(): value for name, value in place.api.messages[0].headers.items()}
    assert "none" in (headers.get("x-api-key"), headers.get("authorization", "").split()[-1:][0])
    assert talk.system("init")[0].data["apiKeySource"] == "none"


async def test_a12_a_projects_settings_do_not_move_the_server(place: Place) -> None:
    place.write(".claude/settings.json", '{"baseUrl": "http://127.0.0.1:1", "model": "evil"}')
    place.api.enqueue("Hello.")
    talk = await place.talk("hi")
    assert talk.result.result == "Hello."
    assert place.api.messages[0].model != "evil"
    assert any("baseUrl" in notice for notice in talk.notices)


def test_the_model_is_the_options_else_the_environments_else_the_settings(place: Place) -> None:
    settings(place, model="from-settings")
    with laid(place) as base:
        assert base.model(None) == "from-settings"
        assert base.model("mine") == "mine"
    place.variables["ANTHROPIC_MODEL"] = "from-variable"
    with laid(place) as base:
        assert base.model(None) == "from-variable"


def test_the_demo_has_one_model_no_price_and_no_key(place: Place) -> None:
    place.variables.update(ANTHROPIC_API_KEY="", ANTHROPIC_BASE_URL="")
    with laid(place, demo=True) as base:
        assert base.model("opus") == DEMO_MODEL
        assert base.key_source == "demo"
        assert base.table.facts(DEMO_MODEL).window == 200_000
        assert base.demo is not None and base.demo.url.startswith("http://127.0.0.1:")


def test_a_tool_that_is_denied_whole_is_not_offered(place: Place) -> None:
    settings(place, permissions={"deny": ["Bash", "Read(./.env)"]})
    with laid(place, permissions=PermissionOptions(disallowed_tools=("Write",))) as base:
        assert not {"Bash", "Write"} & set(base.tools.by_name)
        assert {"Edit", "Glob", "Grep", "Read"} < set(base.tools.by_name)
        assert "a permission rule forbids it" in base.tools.missing("Write")


def test_rules_of_the_command_line_join_those_of_the_settings(place: Place) -> None:
    settings(place, permissions={"allow": ["Bash(ls)"]})
    given = PermissionOptions(allowed_tools=("Bash(git log *)",), disallowed_tools=("Read(./x)",))
    with laid(place, permissions=given) as base:
        assert len(base.rules.allow) == 2
        assert len(base.rules.deny) == 1
        assert not base.rules.problems


def test_a15_a_broken_settings_file_stops_the_start(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir()
    path.write_text('{"permissions": {"deny": ["Bash(rm:*)",]}}')
    with pytest.raises(SettingsError, match=r"settings\.json, line 1"):
        lay(place.options, place.env)


def test_a15_a_malformed_deny_rule_stops_the_start(place: Place) -> None:
    settings(place, permissions={"deny": ["Bash(rm *)", "Bash("]})
    with pytest.raises(SettingsError, match=r"settings\.json:1: permissions\.deny: 'Bash\('"):
        lay(place.options, place.env)
    settings(place)
    given = replace(place.options, permissions=PermissionOptions(disallowed_tools=("Bash(",)))
    with pytest.raises(UsageError, match="--disallowedTools"):
        lay(given, place.env)


def test_a_restriction_that_is_not_what_its_examples_say_stops_the_start(place: Place) -> None:
    path = place.home / ".agent-tui" / "settings.json"
    path.parent.mkdir()
    text = """{"permissions": {"deny": [
      {"rule": "Bash(git push *)",
       "match": ["git push -f",
                 "git pull"]}]}}"""
    path.write_text(text)
    with pytest.raises(SettingsError, match=r"settings\.json:4: permissions\.deny: .*'git pull'"):
        lay(place.options, place.env)
    path.write_text(text.replace("git pull", "git -C x push"))
    with laid(place) as base:
        assert [str(rule) for rule in base.rules.deny] == ["Bash(git push *)"]


async def test_an_allow_rule_that_is_not_is_left_out_and_told(place: Place) -> None:
    wrong = {"rule": "Bash(git *)", "not_match": ["git push"]}
    settings(place, permissions={"allow": [wrong, "Bash(make)"]})
    place.api.enqueue("Hello.")
    talk = await place.talk("hi")
    notices = [message.data.get("content", "") for message in talk.system("informational")]
    assert any("settings.json:1: the allow rule 'Bash(git *)' is left out" in n for n in notices)
    with laid(place) as base:
        assert [str(rule) for rule in base.rules.allow] == ["Bash(make)"]


def test_settings_of_a_flag_are_over_those_of_the_files(place: Place) -> None:
    settings(place, model="from-settings", effortLevel="low")
    data: dict[str, Any] = {"model": "given", "permissions": {"allow": ["Bash(make)"]}}
    with laid(place, settings=data) as base:
        assert base.model(None) == "given"
        assert base.wishes.effort == "low"
        assert [str(rule) for rule in base.rules.allow] == ["Bash(make)"]


def test_what_a_model_cannot_do_is_told(place: Place) -> None:
    asked = ModelOptions(thinking={"type": "enabled", "budget_tokens": 4000}, effort="max")
    with laid(place, model=asked) as base:
        assert "4,000" in base.lowered("claude-opus-5-5")[0]
        assert len(base.lowered("claude-haiku-4-5")) == 1
        assert base.lowered("claude-haiku-4-5")[0].startswith("claude-haiku-4-5 is not known")


def test_further_folders_are_the_options_then_the_settings(place: Place) -> None:
    settings(place, permissions={"additionalDirectories": ["/two"], "defaultMode": "plan"})
    with laid(place, permissions=PermissionOptions(add_dirs=("/one",))) as base:
        assert [str(folder) for folder in base.added_dirs] == ["/one", "/two"]
        assert base.start_mode == "plan"
    settings(place, permissions={"additionalDirectories": ["~/docs", "../beside"]})
    with laid(place) as base:
        assert base.added_dirs == (place.home / "docs", place.project / "../beside")


def test_the_window_begins_with_the_place_and_the_memory(place: Place) -> None:
    place.write("CLAUDE.md", "Use tabs.")
    with laid(place, permissions=PermissionOptions(add_dirs=("/one",))) as base:
        text = base.context_text(datetime(2026, 3, 1))
    for words in (
        f"Working directory: {place.project}",
        "Further directory: /one",
        "2026-03-01",
        "Use tabs.",
    ):
        assert words in text


def test_the_sources_that_are_left_out_are_not_read(place: Place) -> None:
    settings(place, model="from-settings")
    place.write(".claude/settings.json", "{ broken")
    options = Options(cwd=str(place.project), setting_sources=("user",))
    assert lay(options, place.env).model(None) == "from-settings"


def test_a_stored_servers_model_is_the_default_there(place: Place) -> None:
    save_key(place.env, "k", place.api.url, "llama")
    base = lay(place.options, place.env)
    assert base.model(None) == "llama"
    assert base.model("opus") == "claude-opus-5-5"
