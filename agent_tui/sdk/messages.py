"""Messages as programs see them. Names, fields and their order are those of the documented Agent SDK.

What each message means and when it is said is told in ``protocol/messages.py``; here they are plain mutable data.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, NotRequired, Required, TypeAlias, TypedDict

from agent_tui.sdk.content import ContentBlock

AssistantMessageError: TypeAlias = Literal[
    "authentication_failed",
    "billing_error",
    "rate_limit",
    "invalid_request",
    "server_error",
    "unknown",
]
MessageOriginKind: TypeAlias = Literal[
    "human",
    "channel",
    "peer",
    "task-notification",
    "coordinator",
    "unclassified",
    "observer",
    "auto-continuation",
    "observer-activity",
]
TaskNotificationOriginSubkind: TypeAlias = Literal["scheduled-trigger", "peer-send-message"]

MessageOrigin = TypedDict(
    "MessageOrigin",
    {
        "kind": Required[MessageOriginKind],
        "server": str,
        "from": str,
        "name": str,
        "fromSession": str,
        "senderTaskId": str,
        "body": str,
        "verifiedPeerPid": int,
        "subkind": TaskNotificationOriginSubkind,
    },
    total=False,
)
"""Who speaks where it is not the person; which keys there are follows from ``kind``."""


class ModelUsage(TypedDict):
    """What one model used in a session, the sub-agents' share included."""

    inputTokens: int
    outputTokens: int
    cacheReadInputTokens: int
    cacheCreationInputTokens: int
    webSearchRequests: int
    costUSD: float
    contextWindow: int
    maxOutputTokens: int
    canonicalModel: NotRequired[str]
    provider: NotRequired[str]


@dataclass
class UserMessage:
    """The result of a tool call, or what was put into the conversation for the model to read."""

    content: str | list[ContentBlock]
    uuid: str | None = None
    parent_tool_use_id: str | None = None
    tool_use_result: dict[str, Any] | None = None
    origin: MessageOrigin | None = None


@dataclass
class AssistantMessage:
    """One finished content block; those of one response share ``message_id``.

    ``error`` may be a word that the literal does not list; treat it like ``unknown``.
    """

    content: list[ContentBlock]
    model: str
    parent_tool_use_id: str | None = None
    error: AssistantMessageError | None = None
    usage: dict[str, Any] | None = None
    message_id: str | None = None
    stop_reason: str | None = None
    session_id: str | None = None
    uuid: str | None = None
    user_message_uuid: str | None = None
    user_message_uuids: list[str] | None = None


@dataclass
class SystemMessage:
    """An event in the life of the session; ``data`` is its whole record."""

    subtype: str
    data: dict[str, Any]


@dataclass
class DeferredToolUse:
    """The call that a hook put off."""

    id: str
    name: str
    input: dict[str, Any]


@dataclass
class ResultMessage:
    """The end of a run: one for each prompt, ``result`` on ``success`` only."""

    subtype: str
    duration_ms: int
    duration_api_ms: int
    is_error: bool
    num_turns: int
    session_id: str
    stop_reason: str | None = None
    total_cost_usd: float | None = None
    usage: dict[str, Any] | None = None
    result: str | None = None
    structured_output: Any = None
    model_usage: dict[str, ModelUsage] | None = None
    permission_denials: list[Any] | None = None
    deferred_tool_use: DeferredToolUse | None = None
    errors: list[str] | None = None
    api_error_status: int | None = None
    uuid: str | None = None
    terminal_reason: str | None = None
    origin: MessageOrigin | None = None
    user_message_uuid: str | None = None
    user_message_uuids: list[str] | None = None


@dataclass
class StreamEvent:
    """A raw event of the API's stream, for programs that asked for partial messages."""

    uuid: str
    session_id: str
    event: dict[str, Any]
    parent_tool_use_id: str | None = None
    user_message_uuid: str | None = None
    user_message_uuids: list[str] | None = None


@dataclass
class ConversationResetMessage:
    """What follows belongs to another session; totals restart."""

    new_conversation_id: str
    uuid: str
    session_id: str


RateLimitStatus: TypeAlias = Literal["allowed", "allowed_warning", "rejected"]
RateLimitType: TypeAlias = Literal[
    "five_hour", "seven_day", "seven_day_opus", "seven_day_sonnet", "overage"
]


@dataclass
class RateLimitInfo:
    """How much of a plan's allowance is used. Times in seconds since the epoch, ``utilization`` 0 to 1."""

    status: RateLimitStatus
    resets_at: int | None = None
    rate_limit_type: RateLimitType | None = None
    utilization: float | None = None
    overage_status: RateLimitStatus | None = None
    overage_resets_at: int | None = None
    overage_disabled_reason: str | None = None
    raw: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass
class RateLimitEvent:
    """A plan's allowance changed. Never said here, where keys are used and no plan; kept for programs that match it."""

    rate_limit_info: RateLimitInfo
    uuid: str
    session_id: str


Message: TypeAlias = (
    UserMessage
    | AssistantMessage
    | SystemMessage
    | ResultMessage
    | StreamEvent
    | RateLimitEvent
    | ConversationResetMessage
)
