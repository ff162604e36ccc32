"""Layer 6: the names and behaviour of the Agent SDK, for programs: ``query``, the client, options, messages.

A name is loaded from its module when it is first used, so a program pays for what it uses only.

May import: ``protocol``, ``settings``, ``engine``, ``journal``, ``loop``. Must not: know another front end.
"""

# ruff: noqa: F401 - the imports are for checkers and editors; ``_HOMES`` is what counts when a program runs
# pyright: reportUnusedImport=false

import importlib
from typing import TYPE_CHECKING, Any

from agent_tui import __version__

if TYPE_CHECKING:
    from agent_tui.sdk.client import (
        ClaudeSDKClient,
    )
    from agent_tui.sdk.content import (
        ContentBlock,
        ServerToolName,
        ServerToolResultBlock,
        ServerToolUseBlock,
        TextBlock,
        ThinkingBlock,
        ToolResultBlock,
        ToolUseBlock,
    )
    from agent_tui.sdk.conversation import (
        query,
    )
    from agent_tui.sdk.errors import (
        ClaudeSDKError,
        CLIConnectionError,
        CLIJSONDecodeError,
        CLINotFoundError,
        MessageParseError,
        ProcessError,
        ResultError,
    )
    from agent_tui.sdk.hook_inputs import (
        BackgroundTaskSummary,
        BaseHookInput,
        HookEffort,
        HookInput,
        NotificationHookInput,
        PermissionRequestHookInput,
        PostToolUseFailureHookInput,
        PostToolUseHookInput,
        PreCompactHookInput,
        PreToolUseHookInput,
        SessionCronSummary,
        StopHookInput,
        SubagentStartHookInput,
        SubagentStopHookInput,
        UserPromptSubmitHookInput,
    )
    from agent_tui.sdk.hook_outputs import (
        AsyncHookJSONOutput,
        CwdChangedHookSpecificOutput,
        ElicitationHookSpecificOutput,
        ElicitationResultHookSpecificOutput,
        FileChangedHookSpecificOutput,
        HookJSONOutput,
        HookSpecificOutput,
        MessageDisplayHookSpecificOutput,
        NotificationHookSpecificOutput,
        PermissionDeniedHookSpecificOutput,
        PermissionRequestHookSpecificOutput,
        PostModelSwitchHookSpecificOutput,
        PostToolBatchHookSpecificOutput,
        PostToolUseFailureHookSpecificOutput,
        PostToolUseHookSpecificOutput,
        PreModelSwitchHookSpecificOutput,
        PreToolUseHookSpecificOutput,
        SessionStartHookSpecificOutput,
        StopHookSpecificOutput,
        SubagentStartHookSpecificOutput,
        SubagentStopHookSpecificOutput,
        SyncHookJSONOutput,
        UserPromptExpansionHookSpecificOutput,
        UserPromptSubmitHookSpecificOutput,
        WorktreeCreateHookSpecificOutput,
    )
    from agent_tui.sdk.hook_types import (
        HookCallback,
        HookContext,
        HookEvent,
        HookMatcher,
    )
    from agent_tui.sdk.mcp_tools import (
        SdkMcpTool,
        ToolAnnotations,
        create_sdk_mcp_server,
        tool,
    )
    from agent_tui.sdk.messages import (
        AssistantMessage,
        AssistantMessageError,
        ConversationResetMessage,
        DeferredToolUse,
        Message,
        MessageOrigin,
        MessageOriginKind,
        ModelUsage,
        RateLimitEvent,
        RateLimitInfo,
        RateLimitStatus,
        RateLimitType,
        ResultMessage,
        StreamEvent,
        SystemMessage,
        TaskNotificationOriginSubkind,
        UserMessage,
    )
    from agent_tui.sdk.options import (
        AgentDefinition,
        ClaudeAgentOptions,
        EffortLevel,
        SdkBeta,
        SettingSource,
        SystemPromptCustom,
        SystemPromptFile,
        SystemPromptPreset,
        TaskBudget,
        ThinkingConfig,
        ThinkingConfigAdaptive,
        ThinkingConfigDisabled,
        ThinkingConfigEnabled,
        ThinkingDisplay,
        ToolsPreset,
    )
    from agent_tui.sdk.permissions import (
        CanUseTool,
        PermissionBehavior,
        PermissionMode,
        PermissionResult,
        PermissionResultAllow,
        PermissionResultDeny,
        PermissionRuleValue,
        PermissionUpdate,
        PermissionUpdateDestination,
        ToolPermissionContext,
    )
    from agent_tui.sdk.replies import (
        ContextUsageCategory,
        ContextUsageResponse,
        McpClaudeAIProxyServerConfig,
        McpSdkServerConfigStatus,
        McpServerConnectionStatus,
        McpServerInfo,
        McpServerStatus,
        McpServerStatusConfig,
        McpStatusResponse,
        McpToolAnnotations,
        McpToolInfo,
    )
    from agent_tui.sdk.servers import (
        McpHttpServerConfig,
        McpSdkServerConfig,
        McpServerConfig,
        McpSSEServerConfig,
        McpStdioServerConfig,
        SandboxIgnoreViolations,
        SandboxNetworkConfig,
        SandboxSettings,
        SdkPluginConfig,
    )
    from agent_tui.sdk.session_changes import (
        delete_session,
        fork_session,
        rename_session,
        tag_session,
    )
    from agent_tui.sdk.session_files import (
        project_key_for_directory,
    )
    from agent_tui.sdk.session_info import (
        get_session_info,
        list_sessions,
    )
    from agent_tui.sdk.session_types import (
        ForkSessionResult,
        SDKSessionInfo,
        SessionKey,
        SessionListSubkeysKey,
        SessionMessage,
        SessionStore,
        SessionStoreEntry,
        SessionStoreFlushMode,
        SessionStoreListEntry,
        SessionSummaryEntry,
    )
    from agent_tui.sdk.sessions import (
        get_session_messages,
        get_subagent_messages,
        list_subagents,
    )
    from agent_tui.sdk.store_changes import (
        delete_session_via_store,
        fork_session_via_store,
        import_session_to_store,
        rename_session_via_store,
        tag_session_via_store,
    )
    from agent_tui.sdk.store_sessions import (
        get_session_info_from_store,
        get_session_messages_from_store,
        get_subagent_messages_from_store,
        list_sessions_from_store,
        list_subagents_from_store,
    )
    from agent_tui.sdk.stores import (
        InMemorySessionStore,
        fold_session_summary,
    )
    from agent_tui.sdk.system_messages import (
        TERMINAL_TASK_STATUSES,
        FastModeDisabledReason,
        FastModeState,
        HookEventMessage,
        MirrorErrorMessage,
        SystemInitData,
        SystemInitMcpServer,
        SystemInitPlugin,
        SystemInitPluginError,
        TaskNotificationMessage,
        TaskNotificationStatus,
        TaskProgressMessage,
        TaskStartedMessage,
        TaskUpdatedMessage,
        TaskUpdatedStatus,
        TaskUsage,
    )
    from agent_tui.sdk.transport import (
        Transport,
    )
    from agent_tui.sdk.warned import (
        CanUseToolShadowedWarning,
        UnsupportedOptionWarning,
    )

_HOMES: dict[str, tuple[str, ...]] = {
    "client": ("ClaudeSDKClient",),
    "content": (
        "ContentBlock",
        "ServerToolName",
        "ServerToolResultBlock",
        "ServerToolUseBlock",
        "TextBlock",
        "ThinkingBlock",
        "ToolResultBlock",
        "ToolUseBlock",
    ),
    "conversation": ("query",),
    "errors": (
        "CLIConnectionError",
        "CLIJSONDecodeError",
        "CLINotFoundError",
        "ClaudeSDKError",
        "MessageParseError",
        "ProcessError",
        "ResultError",
    ),
    "hook_inputs": (
        "BackgroundTaskSummary",
        "BaseHookInput",
        "HookEffort",
        "HookInput",
        "NotificationHookInput",
        "PermissionRequestHookInput",
        "PostToolUseFailureHookInput",
        "PostToolUseHookInput",
        "PreCompactHookInput",
        "PreToolUseHookInput",
        "SessionCronSummary",
        "StopHookInput",
        "SubagentStartHookInput",
        "SubagentStopHookInput",
        "UserPromptSubmitHookInput",
    ),
    "hook_outputs": (
        "AsyncHookJSONOutput",
        "CwdChangedHookSpecificOutput",
        "ElicitationHookSpecificOutput",
        "ElicitationResultHookSpecificOutput",
        "FileChangedHookSpecificOutput",
        "HookJSONOutput",
        "HookSpecificOutput",
        "MessageDisplayHookSpecificOutput",
        "NotificationHookSpecificOutput",
        "PermissionDeniedHookSpecificOutput",
        "PermissionRequestHookSpecificOutput",
        "PostModelSwitchHookSpecificOutput",
        "PostToolBatchHookSpecificOutput",
        "PostToolUseFailureHookSpecificOutput",
        "PostToolUseHookSpecificOutput",
        "PreModelSwitchHookSpecificOutput",
        "PreToolUseHookSpecificOutput",
        "SessionStartHookSpecificOutput",
        "StopHookSpecificOutput",
        "SubagentStartHookSpecificOutput",
        "SubagentStopHookSpecificOutput",
        "SyncHookJSONOutput",
        "UserPromptExpansionHookSpecificOutput",
        "UserPromptSubmitHookSpecificOutput",
        "WorktreeCreateHookSpecificOutput",
    ),
    "hook_types": (
        "HookCallback",
        "HookContext",
        "HookEvent",
        "HookMatcher",
    ),
    "mcp_tools": (
        "SdkMcpTool",
        "ToolAnnotations",
        "create_sdk_mcp_server",
        "tool",
    ),
    "messages": (
        "AssistantMessage",
        "AssistantMessageError",
        "ConversationResetMessage",
        "DeferredToolUse",
        "Message",
        "MessageOrigin",
        "MessageOriginKind",
        "ModelUsage",
        "RateLimitEvent",
        "RateLimitInfo",
        "RateLimitStatus",
        "RateLimitType",
        "ResultMessage",
        "StreamEvent",
        "SystemMessage",
        "TaskNotificationOriginSubkind",
        "UserMessage",
    ),
    "options": (
        "AgentDefinition",
        "ClaudeAgentOptions",
        "EffortLevel",
        "SdkBeta",
        "SettingSource",
        "SystemPromptCustom",
        "SystemPromptFile",
        "SystemPromptPreset",
        "TaskBudget",
        "ThinkingConfig",
        "ThinkingConfigAdaptive",
        "ThinkingConfigDisabled",
        "ThinkingConfigEnabled",
        "ThinkingDisplay",
        "ToolsPreset",
    ),
    "permissions": (
        "CanUseTool",
        "PermissionBehavior",
        "PermissionMode",
        "PermissionResult",
        "PermissionResultAllow",
        "PermissionResultDeny",
        "PermissionRuleValue",
        "PermissionUpdate",
        "PermissionUpdateDestination",
        "ToolPermissionContext",
    ),
    "replies": (
        "ContextUsageCategory",
        "ContextUsageResponse",
        "McpClaudeAIProxyServerConfig",
        "McpSdkServerConfigStatus",
        "McpServerConnectionStatus",
        "McpServerInfo",
        "McpServerStatus",
        "McpServerStatusConfig",
        "McpStatusResponse",
        "McpToolAnnotations",
        "McpToolInfo",
    ),
    "servers": (
        "McpHttpServerConfig",
        "McpSSEServerConfig",
        "McpSdkServerConfig",
        "McpServerConfig",
        "McpStdioServerConfig",
        "SandboxIgnoreViolations",
        "SandboxNetworkConfig",
        "SandboxSettings",
        "SdkPluginConfig",
    ),
    "session_changes": (
        "delete_session",
        "fork_session",
        "rename_session",
        "tag_session",
    ),
    "session_files": ("project_key_for_directory",),
    "session_info": (
        "get_session_info",
        "list_sessions",
    ),
    "session_types": (
        "ForkSessionResult",
        "SDKSessionInfo",
        "SessionKey",
        "SessionListSubkeysKey",
        "SessionMessage",
        "SessionStore",
        "SessionStoreEntry",
        "SessionStoreFlushMode",
        "SessionStoreListEntry",
        "SessionSummaryEntry",
    ),
    "sessions": (
        "get_session_messages",
        "get_subagent_messages",
        "list_subagents",
    ),
    "store_changes": (
        "delete_session_via_store",
        "fork_session_via_store",
        "import_session_to_store",
        "rename_session_via_store",
        "tag_session_via_store",
    ),
    "store_sessions": (
        "get_session_info_from_store",
        "get_session_messages_from_store",
        "get_subagent_messages_from_store",
        "list_sessions_from_store",
        "list_subagents_from_store",
    ),
    "stores": (
        "InMemorySessionStore",
        "fold_session_summary",
    ),
    "system_messages": (
        "FastModeDisabledReason",
        "FastModeState",
        "HookEventMessage",
        "MirrorErrorMessage",
        "SystemInitData",
        "SystemInitMcpServer",
        "SystemInitPlugin",
        "SystemInitPluginError",
        "TERMINAL_TASK_STATUSES",
        "TaskNotificationMessage",
        "TaskNotificationStatus",
        "TaskProgressMessage",
        "TaskStartedMessage",
        "TaskUpdatedMessage",
        "TaskUpdatedStatus",
        "TaskUsage",
    ),
    "transport": ("Transport",),
    "warned": (
        "CanUseToolShadowedWarning",
        "UnsupportedOptionWarning",
    ),
}
"""Which module has which names."""

_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME]  # pyright: ignore[reportUnsupportedDunderAll] - a test compares both lists


def __getattr__(name: str) -> Any:
    """Load a name from its module: a door, so that a program loads what it uses."""
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = vars(importlib.import_module(f"{__name__}.{home}"))[name]
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the names, loaded or not."""
    return sorted({*globals(), *_HOME})
