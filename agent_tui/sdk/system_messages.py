"""System messages with fields of their own: background work, hooks, the mirror; and what ``init`` tells."""

from dataclasses import dataclass
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

from agent_tui.sdk.messages import SystemMessage
from agent_tui.sdk.permissions import PermissionMode
from agent_tui.sdk.session_types import SessionKey

TaskNotificationStatus: TypeAlias = Literal["completed", "failed", "stopped"]
TaskUpdatedStatus: TypeAlias = Literal[
    "pending", "running", "paused", "completed", "failed", "killed"
]

TERMINAL_TASK_STATUSES: frozenset[str] = frozenset({"completed", "failed", "stopped", "killed"})
"""A task with one of these is over, whichever message says so first."""


class TaskUsage(TypedDict):
    """What a background task used so far."""

    total_tokens: int
    tool_uses: int
    duration_ms: int


@dataclass
class TaskStartedMessage(SystemMessage):
    """A background command or sub-agent began."""

    task_id: str
    description: str
    uuid: str
    session_id: str
    tool_use_id: str | None = None
    task_type: str | None = None


@dataclass
class TaskProgressMessage(SystemMessage):
    """It goes on."""

    task_id: str
    description: str
    usage: TaskUsage
    uuid: str
    session_id: str
    tool_use_id: str | None = None
    last_tool_name: str | None = None


@dataclass
class TaskNotificationMessage(SystemMessage):
    """It ended; what it gave is in ``output_file``."""

    task_id: str
    status: TaskNotificationStatus
    output_file: str
    summary: str
    uuid: str
    session_id: str
    tool_use_id: str | None = None
    usage: TaskUsage | None = None


@dataclass
class TaskUpdatedMessage(SystemMessage):
    """Something of it changed: ``patch`` holds the new values."""

    task_id: str
    patch: dict[str, Any]
    status: TaskUpdatedStatus | None = None
    session_id: str | None = None
    uuid: str | None = None


@dataclass
class HookEventMessage(SystemMessage):
    """A hook began or ended; said with ``include_hook_events``."""

    hook_event_name: str = ""
    session_id: str | None = None
    uuid: str | None = None


@dataclass
class MirrorErrorMessage(SystemMessage):
    """Lines could not be put into the session store; the local file has them."""

    key: SessionKey | None = None
    error: str = ""


class SystemInitMcpServer(TypedDict):
    """An MCP server in ``init``."""

    name: str
    status: str
    source: NotRequired[str]


class SystemInitPlugin(TypedDict):
    """A plugin in ``init``."""

    name: str
    path: str
    version: NotRequired[str]


class SystemInitPluginError(TypedDict):
    """A plugin that could not be loaded."""

    plugin: str
    type: str
    message: str
    path: NotRequired[str]


FastModeState: TypeAlias = Literal["off", "cooldown", "on"]
FastModeDisabledReason: TypeAlias = Literal[
    "free",
    "preference",
    "extra_usage_disabled",
    "network_error",
    "unknown",
    "not_first_party",
    "disabled_by_env",
    "model_not_allowed",
    "sdk_opt_in_required",
    "pending",
]


class SystemInitData(TypedDict):
    """The ``data`` of the system message ``init``, with which every prompt begins."""

    type: Literal["system"]
    subtype: Literal["init"]
    uuid: str
    session_id: str
    agents: NotRequired[list[str]]
    apiKeySource: str
    betas: NotRequired[list[str]]
    claude_code_version: str
    cwd: str
    tools: list[str]
    mcp_servers: list[SystemInitMcpServer]
    model: str
    permissionMode: PermissionMode
    slash_commands: list[str]
    terminal_slash_commands: NotRequired[list[str]]
    output_style: str
    skills: list[str]
    plugins: list[SystemInitPlugin]
    plugin_errors: NotRequired[list[SystemInitPluginError]]
    fast_mode_state: NotRequired[FastModeState]
    fast_mode_disabled_reason: NotRequired[FastModeDisabledReason]
    capabilities: NotRequired[list[str]]
