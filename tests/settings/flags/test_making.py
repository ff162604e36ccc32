"""Parsed arguments become options."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_tui.protocol.agents import AgentDefinition
from agent_tui.protocol.errors import UsageError
from agent_tui.settings.flags.making import make_options
from agent_tui.settings.flags.parser import build_parser
from agent_tui.settings.options import ModelOptions, Options, SessionOptions, TrustOptions
from agent_tui.settings.paths import Environment

HOME = Path("/nowhere")
SANDBOX = Environment({"IS_SANDBOX": "1"}, HOME)
ID = "11111111-1111-4111-8111-111111111111"


def options_of(*argv: str, env: Environment = SANDBOX, interactive: bool = False) -> Options:
    return make_options(build_parser().parse_args(argv), env, interactive=interactive)


def test_plain_arguments_leave_everything_to_settings() -> None:
    assert options_of() == Options(str(Path.cwd()))


@pytest.mark.parametrize("interactive", [True, False])
def test_trust_is_for_this_run_and_for_whatever_is_there(interactive: bool) -> None:
    assert options_of("--trust", interactive=interactive).trust == TrustOptions("once", "")
    assert options_of(interactive=interactive).trust == TrustOptions()


def test_the_screen_sees_everything_as_it_comes() -> None:
    options = options_of(interactive=True)
    assert options.partial_messages and options.subagent_text
    assert (options.origin, options_of().origin) == ("interactive", "print")


def test_arguments_become_options(tmp_path: Path) -> None:
    options = options_of(
        "-p", "hi", "--model", "opus", "--effort", "high", "--base-url", "http://x",
        "--max-turns", "3", "--max-budget-usd", "1.5", "--permission-mode", "acceptEdits",
        "--add-dir", str(tmp_path), "--append-system-prompt", "Be brief.", "--demo",
        "--output-format", "stream-json", "--verbose", "--include-partial-messages", "-c",
        "--include-hook-events", "--forward-subagent-text", "--permission-prompt-tool", "mcp__a__b",
    )  # fmt: skip
    assert (options.model.model, options.model.effort) == ("opus", "high")
    assert options.model.base_url == "http://x"
    assert (options.limits.max_turns, options.limits.max_budget_usd) == (3, 1.5)
    assert options.permissions.mode == "acceptEdits"
    assert options.permissions.add_dirs == (str(tmp_path),)
    assert options.permissions.prompt_tool == "mcp__a__b"
    assert options.prompts.append_system_prompt == "Be brief."
    assert options.session.continue_newest and options.session.from_print
    assert options.demo and options.partial_messages and not options.interactive
    assert options.hook_events and options.subagent_text
    assert Options.from_json(options.to_json()) == options


def test_model_options_are_taken_over() -> None:
    env = Environment({"CLAUDE_AGENT_SDK_CLIENT_APP": "mine/1.0"}, HOME)
    options = options_of(
        "--fallback-model", "sonnet,haiku", "--betas", "a,b", "--betas", "c", "--task-budget", "9",
        env=env,
    )  # fmt: skip
    assert options.model == ModelOptions(
        fallbacks=("sonnet", "haiku"), betas=("a", "b", "c"), task_budget=9, client_app="mine/1.0"
    )


@pytest.mark.parametrize(
    ("argv", "thinking", "budget"),
    [
        ([], None, None),
        (["--thinking", "adaptive"], {"type": "adaptive"}, None),
        (["--thinking", "disabled"], {"type": "disabled"}, None),
        (["--max-thinking-tokens", "2048"], None, 2048),
        (["--max-thinking-tokens", "0"], None, 0),
        (
            ["--max-thinking-tokens", "2048", "--thinking-display", "omitted"],
            {"type": "enabled", "budget_tokens": 2048, "display": "omitted"},
            2048,
        ),
        (["--max-thinking-tokens", "0", "--thinking-display", "omitted"], {"type": "disabled"}, 0),
        (
            ["--thinking-display", "summarized"],
            {"type": "adaptive", "display": "summarized"},
            None,
        ),
        (
            ["--thinking", "enabled", "--max-thinking-tokens", "3000"],
            {"type": "enabled", "budget_tokens": 3000},
            3000,
        ),
    ],
)
def test_thinking_is_said_in_several_ways(
    argv: list[str], thinking: dict[str, object] | None, budget: int | None
) -> None:
    model = options_of(*argv).model
    assert (model.thinking, model.max_thinking_tokens) == (thinking, budget)


def test_the_session_is_chosen() -> None:
    options = options_of(
        "-p", "hi", "--resume=old", "--fork-session", f"--session-id={ID}", "--resume-session-at=u",
        f"--resume-drops-turn={ID}", "--no-session-persistence", "--name", "Mine",
    )  # fmt: skip
    assert options.session == SessionOptions(
        resume="old", session_id=ID, from_print=True, fork=True, resume_at="u", drops_turn=ID,
        persist=False, title="Mine",
    )  # fmt: skip


def test_tools_agents_servers_and_schema_are_read(tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text('{"type": "object"}')
    options = options_of(
        "--tools", "Read,Bash", "--agents", '{"a": {"description": "d", "prompt": "p"}}',
        "--mcp-config", '{"mcpServers": {"x": {"command": "y"}}}', "--strict-mcp-config",
        "--json-schema", str(tmp_path / "schema.json"),
    )  # fmt: skip
    tools = options.tools
    assert tools.base == ("Read", "Bash")
    assert tools.agents == (AgentDefinition("a", "d", "p"),)
    assert (tools.servers, tools.strict_servers) == ({"x": {"command": "y"}}, True)
    assert tools.schema == {"type": "object"}
    assert (options_of("--tools", "").tools.base, options_of("--tools", "default").tools.base) == (
        (),
        None,
    )


def test_prompts_are_texts_or_files(tmp_path: Path) -> None:
    (tmp_path / "mine.md").write_text("From a file.")
    file = str(tmp_path / "mine.md")
    assert options_of("--system-prompt", "").prompts.system_prompt == ""
    assert options_of("--system-prompt-file", file).prompts.system_prompt == "From a file."
    both = options_of("--append-system-prompt", "A.", "--append-system-prompt-file", file)
    assert both.prompts.append_system_prompt == "A.\n\nFrom a file."


def test_settings_and_their_sources_are_read(tmp_path: Path) -> None:
    file = tmp_path / "s.json"
    file.write_text('{"model": "haiku"}')
    options = options_of("--settings", str(file), "--setting-sources", "user,local")
    assert (options.settings, options.settings_path) == ({"model": "haiku"}, str(file))
    assert options.setting_sources == ("user", "local")
    assert options_of("--setting-sources=").setting_sources == ()
    with pytest.raises(UsageError, match="'moon'"):
        options_of("--setting-sources", "moon")


def test_manual_is_another_word_for_the_default_mode() -> None:
    assert options_of("--permission-mode", "manual").permissions.mode == "default"


def test_rules_are_split() -> None:
    values = ["Bash(git log *),Read", "Edit"]
    for option in ("--allowedTools", "--allowed-tools"):
        permissions = options_of(option, *values).permissions
        assert permissions.allowed_tools == ("Bash(git log *)", "Read", "Edit")
    permissions = options_of("--disallowed-tools", *values).permissions
    assert permissions.disallowed_tools == ("Bash(git log *)", "Read", "Edit")


def test_bypassing_permissions_is_offered_where_it_was_asked_for() -> None:
    assert not options_of().permissions.allow_bypass
    offered = options_of("--allow-dangerously-skip-permissions").permissions
    assert (offered.mode, offered.allow_bypass) == (None, True)
    begun = options_of("--dangerously-skip-permissions").permissions
    assert (begun.mode, begun.allow_bypass) == ("bypassPermissions", True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused")
def test_bypassing_permissions_as_root_is_refused() -> None:
    with pytest.raises(UsageError, match="root"):
        options_of("--dangerously-skip-permissions", env=Environment({}, HOME))
    with pytest.raises(UsageError, match="root"):
        options_of("--allow-dangerously-skip-permissions", env=Environment({}, HOME))


def test_the_sandbox_is_switched_on_beside_what_the_settings_say() -> None:
    assert options_of().settings == {}
    assert options_of("--sandbox").settings == {"sandbox": {"enabled": True}}
    both = options_of("--sandbox", "--settings", '{"sandbox": {"excludedCommands": ["x"]}}')
    assert both.settings == {"sandbox": {"excludedCommands": ["x"], "enabled": True}}
