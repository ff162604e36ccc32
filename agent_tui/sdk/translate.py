"""A program's options as the engine's: what a session is opened with, and the program's own parts beside it."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from agent_tui.engine.extras import Extras
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.errors import UsageError
from agent_tui.sdk.approver import ProgramApprover
from agent_tui.sdk.callbacks import groups_of
from agent_tui.sdk.checks import TRUST
from agent_tui.sdk.options import ClaudeAgentOptions
from agent_tui.settings.definitions import read_agents
from agent_tui.settings.flags.values import read_object, read_settings_value, read_text, words
from agent_tui.settings.options import (
    LimitOptions,
    ModelOptions,
    Options,
    PermissionOptions,
    PromptOptions,
    SessionOptions,
    ToolOptions,
    TrustOptions,
)
from agent_tui.settings.paths import Environment


@dataclass(frozen=True, slots=True)
class Opening:
    """What a session is opened with."""

    options: Options
    env: Environment
    extras: Extras


def environment(options: ClaudeAgentOptions) -> Environment:
    """Give the variables a session sees: the program's own, and ``env`` over them."""
    own = Environment.of_process()
    variables = {**own.variables, **options.env}
    return Environment(variables, Path(variables.get("HOME") or own.home))


def translate(options: ClaudeAgentOptions, env: Environment) -> Opening:
    """Turn a program's options into ours. Blocks on the files that they name.

    Raises:
        AgentTuiError: a value can't be used, or a file can't be read.
    """
    cwd = Path(os.path.abspath(options.cwd or _here()))  # noqa: PTH100 - links stay as they are written
    if not cwd.is_dir():
        raise UsageError(f"cwd: {cwd} is no folder")
    servers, inside = _servers(options, cwd)
    settings, settings_path = (
        ({}, "") if options.settings is None else read_settings_value(options.settings, cwd)
    )
    if options.sandbox is not None:
        settings = {**settings, "sandbox": dict(options.sandbox)}
    ours = Options(
        cwd=str(cwd),
        model=_model(options),
        limits=LimitOptions(options.max_turns, options.max_budget_usd),
        permissions=_permissions(options, cwd),
        tools=_tools(options, servers),
        session=_session(options),
        prompts=_prompts(options, cwd),
        trust=TrustOptions("once") if TRUST in options.extra_args else TrustOptions(),
        settings=settings,
        settings_path=settings_path,
        partial_messages=options.include_partial_messages,
        hook_events=options.include_hook_events,
        subagent_text=options.forward_subagent_text,
        keep_files=options.enable_file_checkpointing,
        origin="sdk",
    )
    if options.setting_sources is not None:
        ours = replace(ours, setting_sources=tuple(options.setting_sources))
    approver = None if options.can_use_tool is None else ProgramApprover(options.can_use_tool)
    return Opening(ours, env, Extras(approver, groups_of(options.hooks), inside))


def _here() -> str:
    try:
        return os.getcwd()  # noqa: PTH109 - as written, like the rest
    except FileNotFoundError:
        raise UsageError("the program's folder does not exist any more; set cwd") from None


def _model(options: ClaudeAgentOptions) -> ModelOptions:
    return ModelOptions(
        model=options.model,
        effort=options.effort,
        fallbacks=words(options.fallback_model or ""),
        thinking=None if options.thinking is None else dict(options.thinking),
        max_thinking_tokens=options.max_thinking_tokens,
        betas=tuple(options.betas),
        task_budget=None if options.task_budget is None else options.task_budget["total"],
        user=options.user,
        client_app=options.client_app,
    )


def _permissions(options: ClaudeAgentOptions, cwd: Path) -> PermissionOptions:
    mode = options.permission_mode
    skills = options.skills
    named = ["Skill"] if skills == "all" else [f"Skill({name})" for name in skills or ()]
    return PermissionOptions(
        mode=mode,
        allowed_tools=(*options.allowed_tools, *named),
        disallowed_tools=tuple(options.disallowed_tools),
        add_dirs=tuple(str(cwd / Path(one).expanduser()) for one in options.add_dirs),
        allow_bypass=mode == "bypassPermissions",
        prompt_tool=options.permission_prompt_tool_name,
    )


def _tools(options: ClaudeAgentOptions, servers: JsonObject) -> ToolOptions:
    agents = {name: dataclasses.asdict(one) for name, one in (options.agents or {}).items()}
    skills = options.skills
    return ToolOptions(
        base=None
        if options.tools is None or isinstance(options.tools, dict)
        else tuple(options.tools),
        servers=servers,
        strict_servers=options.strict_mcp_config,
        agents=read_agents(agents, "agents"),
        skills=("*",) if skills == "all" else None if skills is None else tuple(skills),
        schema=_schema(options.output_format),
    )


def _schema(output_format: dict[str, Any] | None) -> JsonObject | None:
    if output_format is None:
        return None
    schema: Any = output_format.get("schema")
    if output_format.get("type") != "json_schema" or not isinstance(schema, dict):
        raise UsageError('output_format must be {"type": "json_schema", "schema": {…}}')
    return cast("JsonObject", schema)


def _session(options: ClaudeAgentOptions) -> SessionOptions:
    return SessionOptions(
        continue_newest=options.continue_conversation and options.resume is None,
        resume=options.resume,
        session_id=options.session_id,
        from_print=True,
        fork=options.fork_session,
        resume_at=options.resume_session_at,
        drops_turn=options.resume_drops_turn,
    )


def _prompts(options: ClaudeAgentOptions, cwd: Path) -> PromptOptions:
    verbatim = options.verbatim_prompts
    match options.system_prompt:
        case None:
            return PromptOptions(verbatim=verbatim)
        case str() as text:
            return PromptOptions(text, verbatim=verbatim)
        case {"type": "preset", **rest}:
            added = rest.get("append")
            return PromptOptions(None, str(added) if added else None, verbatim)
        case {"type": "custom", "prompt": text}:
            return PromptOptions(str(text), verbatim=verbatim)
        case {"type": "file", "path": path}:
            return PromptOptions(read_text("system_prompt", str(path), cwd), verbatim=verbatim)
        case _:
            raise UsageError("system_prompt must be a text, a preset, a custom prompt or a file")


def _servers(options: ClaudeAgentOptions, cwd: Path) -> tuple[JsonObject, dict[str, Any]]:
    """Part the servers: those that are configurations, and those that run in the program."""
    given: Any = options.mcp_servers
    if not isinstance(given, dict):
        given = read_object("mcp_servers", str(given), cwd).get("mcpServers")
        if not isinstance(given, dict):
            raise UsageError('mcp_servers: an object with the key "mcpServers" is needed')
    outside: JsonObject = {}
    inside: dict[str, Any] = {}
    for name, config in cast("dict[str, Any]", given).items():
        if not isinstance(config, dict):
            raise UsageError(f"mcp_servers: server {name!r} must be an object")
        entry = cast("JsonObject", config)
        if entry.get("type") == "sdk":
            inside[name] = entry.get("instance")
        else:
            outside[name] = entry
    return outside, inside
