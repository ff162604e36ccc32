from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_tui.protocol.agents import AgentDefinition as OurDefinition
from agent_tui.protocol.errors import AgentTuiError
from agent_tui.sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    HookMatcher,
    create_sdk_mcp_server,
)
from agent_tui.sdk.approver import ProgramApprover
from agent_tui.sdk.permissions import PermissionMode
from agent_tui.sdk.translate import Opening, environment, translate
from agent_tui.settings.options import Options, TrustOptions
from agent_tui.settings.paths import Environment

ID = "11111111-1111-4111-8111-111111111111"


def opening(**wanted: Any) -> Opening:
    options = ClaudeAgentOptions(**wanted)
    return translate(options, environment(options))


def options(**wanted: Any) -> Options:
    return opening(**wanted).options


def test_nothing_asked_for_is_the_usual(clean_room: Path) -> None:
    assert options() == Options(
        cwd=str(clean_room / "work"),
        session=options().session,
        origin="sdk",
    )
    assert options().session.from_print
    assert opening().extras.approver is None
    assert opening().extras.servers == {}


def test_the_environment_is_the_program_s_with_what_is_given_over_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONE", "theirs")
    monkeypatch.setenv("TWO", "theirs")
    env = environment(ClaudeAgentOptions(env={"TWO": "mine", "THREE": "mine"}))
    assert [env.get(name) for name in ("ONE", "TWO", "THREE")] == ["theirs", "mine", "mine"]
    assert env.home == home
    assert environment(ClaudeAgentOptions(env={"HOME": "/other"})).home == Path("/other")


def test_the_model_and_how_it_is_asked() -> None:
    model = options(
        model="opus",
        effort="high",
        fallback_model="sonnet,haiku",
        thinking={"type": "enabled", "budget_tokens": 2048},
        max_thinking_tokens=0,
        betas=["context-1m-2025-08-07"],
        task_budget={"total": 9000},
        user="someone",
        client_app="app/1",
    ).model
    assert (model.model, model.effort, model.fallbacks) == ("opus", "high", ("sonnet", "haiku"))
    assert model.thinking == {"type": "enabled", "budget_tokens": 2048}
    assert (model.max_thinking_tokens, model.betas) == (0, ("context-1m-2025-08-07",))
    assert (model.task_budget, model.user, model.client_app) == (9000, "someone", "app/1")


def test_a_program_trusts_by_a_flag_only(clean_room: Path) -> None:
    assert options(setting_sources=["project", "local"]).trust == TrustOptions()
    assert options(extra_args={"trust": None}).trust == TrustOptions("once")


def test_limits_and_what_is_told() -> None:
    found = options(
        max_turns=3,
        max_budget_usd=1.5,
        include_partial_messages=True,
        include_hook_events=True,
        forward_subagent_text=True,
        setting_sources=["project"],
    )
    assert (found.limits.max_turns, found.limits.max_budget_usd) == (3, 1.5)
    assert (found.partial_messages, found.hook_events, found.subagent_text) == (True,) * 3
    assert found.setting_sources == ("project",)
    assert options(setting_sources=[]).setting_sources == ()


def test_permissions(clean_room: Path) -> None:
    found = options(
        permission_mode="bypassPermissions",
        allowed_tools=["Read", "Bash(npm *)"],
        disallowed_tools=["Write"],
        add_dirs=["/a", "b", Path("/c")],
        permission_prompt_tool_name="mcp__a__ask",
        skills=["pdf"],
    ).permissions
    assert (found.mode, found.allow_bypass) == ("bypassPermissions", True)
    assert found.allowed_tools == ("Read", "Bash(npm *)", "Skill(pdf)")
    assert found.disallowed_tools == ("Write",)
    assert found.add_dirs == ("/a", str(clean_room / "work" / "b"), "/c")
    assert found.prompt_tool == "mcp__a__ask"


@pytest.mark.parametrize("mode", [None, "plan", "auto"])
def test_a_mode_is_taken_as_it_is(mode: PermissionMode | None) -> None:
    assert options(permission_mode=mode).permissions.mode == mode


def test_tools() -> None:
    assert options(tools=[]).tools.base == ()
    assert options(tools=["Read"]).tools.base == ("Read",)
    assert options(tools={"type": "preset", "preset": "claude_code"}).tools.base is None
    assert options(skills="all").tools.skills == ("*",)
    assert options(skills=[]).tools.skills == ()
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    assert options(output_format={"type": "json_schema", "schema": schema}).tools.schema == schema


def test_agents_are_ours() -> None:
    agent = AgentDefinition(
        description="helps",
        prompt="Help.",
        tools=["Read"],
        disallowedTools=["Bash"],
        model="haiku",
        skills=["pdf"],
        memory="project",
        mcpServers=["a", {"b": {"command": "c"}}],
        initialPrompt="Begin.",
        maxTurns=4,
        background=False,
        effort="low",
        permissionMode="plan",
    )
    assert options(agents={"helper": agent}).tools.agents == (
        OurDefinition(
            name="helper",
            description="helps",
            prompt="Help.",
            tools=("Read",),
            disallowed_tools=("Bash",),
            model="haiku",
            effort="low",
            max_turns=4,
            background=False,
            permission_mode="plan",
            skills=("pdf",),
            memory="project",
            mcp_servers=("a", {"b": {"command": "c"}}),
            initial_prompt="Begin.",
        ),
    )


def test_servers_in_the_program_are_parted_from_the_others() -> None:
    inside = create_sdk_mcp_server("inside")
    outside = {"command": "serve", "args": ["x"]}
    found = opening(mcp_servers={"a": inside, "b": outside}, strict_mcp_config=True)
    assert found.options.tools.servers == {"b": outside}
    assert found.options.tools.strict_servers
    assert found.extras.servers == {"a": inside["instance"]}


def test_servers_may_stand_in_a_file_or_a_text(clean_room: Path) -> None:
    text = json.dumps({"mcpServers": {"b": {"command": "serve"}}})
    (clean_room / "work" / "servers.json").write_text(text)
    for given in (text, "servers.json", clean_room / "work" / "servers.json"):
        assert options(mcp_servers=given).tools.servers == {"b": {"command": "serve"}}


def test_the_session() -> None:
    found = options(
        resume=ID, fork_session=True, session_id=ID, resume_session_at="u1", resume_drops_turn="u2"
    ).session
    assert (found.resume, found.fork, found.session_id) == (ID, True, ID)
    assert (found.resume_at, found.drops_turn) == ("u1", "u2")
    assert options(continue_conversation=True).session.continue_newest
    assert not options(continue_conversation=True, resume=ID).session.continue_newest


def test_the_system_prompt(clean_room: Path) -> None:
    (clean_room / "work" / "p.md").write_text("From a file.")
    forms: list[tuple[Any, str | None, str | None]] = [
        (None, None, None),
        ("Mine.", "Mine.", None),
        ({"type": "preset", "preset": "claude_code"}, None, None),
        ({"type": "preset", "preset": "claude_code", "append": "More."}, None, "More."),
        ({"type": "custom", "prompt": "Mine."}, "Mine.", None),
        ({"type": "file", "path": "p.md"}, "From a file.", None),
    ]
    for given, whole, added in forms:
        found = options(system_prompt=given, verbatim_prompts=True).prompts
        assert (found.system_prompt, found.append_system_prompt) == (whole, added)
        assert found.verbatim


def test_settings_are_a_text_or_a_file(clean_room: Path) -> None:
    path = clean_room / "work" / "s.json"
    path.write_text('{"model": "haiku"}')
    assert options(settings='{"model": "haiku"}').settings == {"model": "haiku"}
    found = options(settings="s.json")
    assert (found.settings, found.settings_path) == ({"model": "haiku"}, str(path))


def test_the_program_s_own_parts_are_handed_in() -> None:
    async def yes(*_: Any) -> Any: ...

    extras = opening(can_use_tool=yes, hooks={"Stop": [HookMatcher(hooks=[yes])]}).extras
    assert isinstance(extras.approver, ProgramApprover)
    assert list(extras.hooks) == ["Stop"]


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ({"cwd": "nowhere"}, "nowhere"),
        ({"output_format": {"type": "text"}}, "output_format"),
        ({"output_format": {"type": "json_schema"}}, "output_format"),
        ({"system_prompt": {"type": "new"}}, "system_prompt"),
        ({"system_prompt": {"type": "file", "path": "none.md"}}, "none.md"),
        ({"mcp_servers": "none.json"}, "none.json"),
        ({"mcp_servers": "{}"}, "mcpServers"),
        ({"mcp_servers": {"a": "serve"}}, "'a'"),
        ({"settings": "none.json"}, "none.json"),
        ({"agents": {"a": AgentDefinition("", "p")}}, "description"),
    ],
)
def test_what_can_t_be_used_is_told_by_name(wanted: dict[str, Any], said: str) -> None:
    with pytest.raises(AgentTuiError, match=said):
        opening(**wanted)


def test_a_folder_that_is_gone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(AgentTuiError, match="set cwd"):
        translate(ClaudeAgentOptions(), Environment({}, tmp_path))


def test_the_sandbox_goes_before_what_the_settings_say_of_it() -> None:
    assert options(sandbox={"enabled": True}).settings == {"sandbox": {"enabled": True}}
    given = options(
        sandbox={"enabled": True}, settings='{"model": "m", "sandbox": {"enabled": false}}'
    )
    assert given.settings == {"model": "m", "sandbox": {"enabled": True}}
