"""Parsed arguments to ``Options``: reads the files that they name."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import cast

from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.protocol.messages import PermissionMode
from agent_tui.settings.bypass import REFUSED, bypass_refused
from agent_tui.settings.definitions import read_agents
from agent_tui.settings.flags.values import (
    read_object,
    read_servers,
    read_settings_value,
    read_text,
    rule_list,
    words,
)
from agent_tui.settings.options import (
    LimitOptions,
    ModelOptions,
    Options,
    PermissionOptions,
    PromptOptions,
    SessionOptions,
    SettingSource,
    ToolOptions,
    TrustOptions,
)
from agent_tui.settings.paths import Environment
from agent_tui.settings.sandbox import switched_on

SOURCES: tuple[SettingSource, ...] = ("user", "project", "local")
CLIENT_APP = "CLAUDE_AGENT_SDK_CLIENT_APP"
"""By this variable a program that starts ours says its name."""


def make_options(args: argparse.Namespace, env: Environment, *, interactive: bool) -> Options:
    """Turn parsed arguments into options. Blocks on files.

    Raises:
        UsageError: a value can't be used.
        SettingsError: ``--settings`` can't be read.
    """
    cwd = _here()
    settings, settings_path = (
        ({}, "") if args.settings is None else read_settings_value(args.settings, cwd)
    )
    return Options(
        cwd=str(cwd),
        model=_model(args, env),
        limits=LimitOptions(args.max_turns, args.max_budget_usd),
        permissions=_permissions(args, env, cwd),
        tools=_tools(args, cwd),
        session=_session(args),
        prompts=_prompts(args, cwd),
        trust=TrustOptions("once") if args.trust else TrustOptions(),
        setting_sources=_sources(args.setting_sources),
        settings=switched_on(settings) if args.sandbox else settings,
        settings_path=settings_path,
        partial_messages=interactive or args.include_partial_messages,
        hook_events=args.include_hook_events,
        subagent_text=interactive or args.forward_subagent_text,
        interactive=interactive,
        origin="interactive" if interactive else "print",
        demo=args.demo,
    )


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError(
            "the current folder does not exist any more; change to one that does"
        ) from None


def _model(args: argparse.Namespace, env: Environment) -> ModelOptions:
    return ModelOptions(
        model=args.model,
        effort=args.effort,
        base_url=args.base_url,
        fallbacks=words(args.fallback_model or ""),
        thinking=_thinking(args),
        max_thinking_tokens=args.max_thinking_tokens,
        betas=words(",".join(args.betas)),
        task_budget=args.task_budget,
        client_app=env.get(CLIENT_APP) or None,
    )


def _thinking(args: argparse.Namespace) -> JsonObject | None:
    budget: int | None = args.max_thinking_tokens
    kind: str | None = args.thinking
    if kind is None and args.thinking_display is not None:
        kind = "adaptive" if budget is None else "enabled" if budget else "disabled"
    if kind is None:
        return None
    thinking: JsonObject = {"type": kind}
    if kind == "enabled":
        thinking["budget_tokens"] = budget
    if args.thinking_display is not None and kind != "disabled":
        thinking["display"] = args.thinking_display
    return thinking


def _permissions(args: argparse.Namespace, env: Environment, cwd: Path) -> PermissionOptions:
    mode: PermissionMode | None = (
        "default" if args.permission_mode == "manual" else args.permission_mode
    )
    if args.dangerously_skip_permissions:
        mode = "bypassPermissions"
    allow_bypass = args.allow_dangerously_skip_permissions or mode == "bypassPermissions"
    if allow_bypass and bypass_refused(env):
        raise UsageError(REFUSED)
    return PermissionOptions(
        mode=mode,
        allowed_tools=rule_list(args.allowedTools),
        disallowed_tools=rule_list(args.disallowedTools),
        add_dirs=tuple(_folder(cwd, name) for name in args.add_dir),
        allow_bypass=allow_bypass,
        prompt_tool=args.permission_prompt_tool,
    )


def _folder(cwd: Path, name: str) -> str:
    folder = (cwd / Path(name).expanduser()).resolve()
    if not folder.is_dir():
        raise UsageError(f"--add-dir {name}: no such folder")
    return str(folder)


def _tools(args: argparse.Namespace, cwd: Path) -> ToolOptions:
    base = None if args.tools is None else words(args.tools)
    agents = () if args.agents is None else read_agents(read_object("--agents", args.agents, cwd), "--agents")  # fmt: skip
    return ToolOptions(
        base=None if base == ("default",) else base,
        servers=read_servers(args.mcp_config, cwd),
        strict_servers=args.strict_mcp_config,
        agents=agents,
        schema=None
        if args.json_schema is None
        else read_object("--json-schema", args.json_schema, cwd),
    )


def _session(args: argparse.Namespace) -> SessionOptions:
    return SessionOptions(
        continue_newest=args.continue_,
        resume=args.resume,
        session_id=args.session_id,
        from_print=args.print_,
        fork=args.fork_session,
        resume_at=args.resume_session_at,
        drops_turn=args.resume_drops_turn,
        persist=not args.no_session_persistence,
        title=args.name,
    )


def _prompts(args: argparse.Namespace, cwd: Path) -> PromptOptions:
    system = args.system_prompt
    if args.system_prompt_file is not None:
        system = read_text("--system-prompt-file", args.system_prompt_file, cwd)
    added = [args.append_system_prompt]
    if args.append_system_prompt_file is not None:
        option = "--append-system-prompt-file"
        added.append(read_text(option, args.append_system_prompt_file, cwd))
    texts = [text for text in added if text is not None]
    return PromptOptions(system, "\n\n".join(texts) if texts else None)


def _sources(value: str | None) -> tuple[SettingSource, ...]:
    if value is None:
        return SOURCES
    named = words(value)
    strange = [name for name in named if name not in SOURCES]
    if strange:
        raise UsageError(f"--setting-sources: {strange[0]!r} is none of {', '.join(SOURCES)}")
    return cast("tuple[SettingSource, ...]", named)
