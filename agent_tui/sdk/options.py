"""The options of a program: what ``query`` and the client take. Plain mutable data, all fields optional.

What each means and what it becomes is told by ``translate.py``; an option that can't be honoured warns once by name.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from agent_tui.sdk.hook_types import HookEvent, HookMatcher
from agent_tui.sdk.permissions import CanUseTool, PermissionMode
from agent_tui.sdk.servers import McpServerConfig, SandboxSettings, SdkPluginConfig
from agent_tui.sdk.session_types import SessionStore, SessionStoreFlushMode

EffortLevel: TypeAlias = Literal["low", "medium", "high", "xhigh", "max"]
SettingSource: TypeAlias = Literal["user", "project", "local"]
SdkBeta: TypeAlias = Literal["context-1m-2025-08-07"]
ThinkingDisplay: TypeAlias = Literal["summarized", "omitted"]


class SystemPromptPreset(TypedDict):
    """The usual system prompt, with something added.

    The two switches change nothing here: what differs between runs is never part of our system prompt.
    """

    type: Literal["preset"]
    preset: Literal["claude_code"]
    append: NotRequired[str]
    exclude_dynamic_sections: NotRequired[bool]
    snapshot: NotRequired[bool]


class SystemPromptCustom(TypedDict):
    """A system prompt in place of the usual one."""

    type: Literal["custom"]
    prompt: str
    snapshot: NotRequired[bool]


class SystemPromptFile(TypedDict):
    """A system prompt from a file."""

    type: Literal["file"]
    path: str


class ToolsPreset(TypedDict):
    """The usual tools."""

    type: Literal["preset"]
    preset: Literal["claude_code"]


class TaskBudget(TypedDict):
    """Tokens that the model is told it may use; advice, no limit."""

    total: int


class ThinkingConfigAdaptive(TypedDict):
    """The model decides how much it thinks."""

    type: Literal["adaptive"]
    display: NotRequired[ThinkingDisplay]


class ThinkingConfigEnabled(TypedDict):
    """The model may think this much."""

    type: Literal["enabled"]
    budget_tokens: int
    display: NotRequired[ThinkingDisplay]


class ThinkingConfigDisabled(TypedDict):
    """The model does not think."""

    type: Literal["disabled"]


ThinkingConfig: TypeAlias = ThinkingConfigAdaptive | ThinkingConfigEnabled | ThinkingConfigDisabled


@dataclass
class AgentDefinition:
    """A kind of sub-agent.

    Attributes:
        description: when it is to be used, for the model.
        prompt: its system prompt.
        tools: what it may use; None is all that sub-agents may.
        disallowedTools: what of that it may not.
        model: an alias, an id, or ``inherit``.
        skills: skills it begins with.
        memory: whose memory it keeps.
        mcpServers: names of servers, or objects ``{name: config}``.
        initialPrompt: a first prompt where it is the main agent.
        maxTurns: its own limit.
        background: whether it runs in the background; None leaves that to the call.
        effort: how hard it thinks.
        permissionMode: its own mode, where the parent's leaves that open.
    """

    description: str
    prompt: str
    tools: list[str] | None = None
    disallowedTools: list[str] | None = None  # noqa: N815 - the documented spelling
    model: str | None = None
    skills: list[str] | None = None
    memory: Literal["user", "project", "local"] | None = None
    mcpServers: list[str | dict[str, Any]] | None = None  # noqa: N815
    initialPrompt: str | None = None  # noqa: N815
    maxTurns: int | None = None  # noqa: N815
    background: bool | None = None
    effort: EffortLevel | int | None = None
    permissionMode: PermissionMode | None = None  # noqa: N815


@dataclass
class ClaudeAgentOptions:
    """Everything a program may ask for.

    Attributes:
        tools: the built-in tools there are; None or the preset is the usual set, ``[]`` none.
        allowed_tools: rules for what runs unasked.
        system_prompt: replaces the usual one, or adds to it.
        mcp_servers: servers by name, or a file or JSON text with ``mcpServers``.
        strict_mcp_config: only those servers, none from files.
        permission_mode: what happens to calls that no rule covers.
        continue_conversation: go on with the folder's newest session.
        resume: go on with the session of this id.
        session_id: the id of the new session, a UUID.
        max_turns: responses with tool calls that a prompt may take; 0 or None is no limit.
        max_budget_usd: what the session may cost, in US dollars.
        disallowed_tools: rules for what never runs; a bare name takes the tool away.
        model: an alias or an id.
        fallback_model: models to go on with when one is overloaded, separated by commas.
        betas: beta flags to name to the API.
        permission_prompt_tool_name: an MCP tool that answers permission requests.
        cwd: the working folder; None is the program's.
        cli_path: not honoured.
        settings: a settings file, or its JSON; above the files of ``setting_sources``.
        add_dirs: further working folders.
        env: variables over the program's own.
        extra_args: ``replay-user-messages`` and ``trust`` (what the project's files bring takes effect) are honoured.
        max_buffer_size: not honoured.
        debug_stderr: not honoured.
        stderr: not honoured.
        can_use_tool: answers permission requests.
        hooks: callbacks by event.
        user: identifies the user to the API.
        include_partial_messages: have ``StreamEvent`` messages.
        include_hook_events: have ``HookEventMessage`` messages.
        forward_subagent_text: have what sub-agents say and think, too.
        verbatim_prompts: look for no ``@`` mention and no ``/`` command in prompts.
        fork_session: go on in a copy.
        resume_session_at: go on from this line of the resumed session.
        resume_drops_turn: the prompt with which the part left out is expected to begin.
        agents: sub-agents by name.
        setting_sources: whose settings and memory files count; None is all, ``[]`` none.
        skills: not honoured yet.
        sandbox: how shell commands are fenced in; goes before what ``settings`` says of it.
        plugins: not honoured.
        max_thinking_tokens: the older way to ask for thinking; 0 is off.
        thinking: how the model thinks.
        effort: how hard the model thinks.
        output_format: ``{"type": "json_schema", "schema": …}``: the answer is an object that fits.
        enable_file_checkpointing: keep what files were, so that ``rewind_files`` can put them back.
        session_store: gets a copy of the session as it goes.
        session_store_flush: ``batched`` once a turn, ``eager`` at once.
        load_timeout_ms: how long one call of the store may take when a session is resumed from it.
        task_budget: tokens the model is told it may use.
        client_app: named in the user agent.
    """

    tools: list[str] | ToolsPreset | None = None
    allowed_tools: list[str] = field(default_factory=list[str])
    system_prompt: str | SystemPromptPreset | SystemPromptCustom | SystemPromptFile | None = None
    mcp_servers: dict[str, McpServerConfig] | str | Path = field(
        default_factory=dict[str, McpServerConfig]
    )
    strict_mcp_config: bool = False
    permission_mode: PermissionMode | None = None
    continue_conversation: bool = False
    resume: str | None = None
    session_id: str | None = None
    max_turns: int | None = None
    max_budget_usd: float | None = None
    disallowed_tools: list[str] = field(default_factory=list[str])
    model: str | None = None
    fallback_model: str | None = None
    betas: list[SdkBeta] = field(default_factory=list[SdkBeta])
    permission_prompt_tool_name: str | None = None
    cwd: str | Path | None = None
    cli_path: str | Path | None = None
    settings: str | None = None
    add_dirs: list[str | Path] = field(default_factory=list[str | Path])
    env: dict[str, str] = field(default_factory=dict[str, str])
    extra_args: dict[str, str | None] = field(default_factory=dict[str, str | None])
    max_buffer_size: int | None = None
    debug_stderr: Any = sys.stderr
    stderr: Callable[[str], None] | None = None
    can_use_tool: CanUseTool | None = None
    hooks: dict[HookEvent, list[HookMatcher]] | None = None
    user: str | None = None
    include_partial_messages: bool = False
    include_hook_events: bool = False
    forward_subagent_text: bool = False
    verbatim_prompts: bool = False
    fork_session: bool = False
    resume_session_at: str | None = None
    resume_drops_turn: str | None = None
    agents: dict[str, AgentDefinition] | None = None
    setting_sources: list[SettingSource] | None = None
    skills: list[str] | Literal["all"] | None = None
    sandbox: SandboxSettings | None = None
    plugins: list[SdkPluginConfig] = field(default_factory=list[SdkPluginConfig])
    max_thinking_tokens: int | None = None
    thinking: ThinkingConfig | None = None
    effort: EffortLevel | None = None
    output_format: dict[str, Any] | None = None
    enable_file_checkpointing: bool = False
    session_store: SessionStore | None = None
    session_store_flush: SessionStoreFlushMode = "batched"
    load_timeout_ms: int = 60_000
    task_budget: TaskBudget | None = None
    client_app: str | None = None
