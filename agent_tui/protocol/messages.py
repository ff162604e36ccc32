"""What a session says. Names and fields follow the documented Agent SDK; extra fields are marked *ours*.

Plain frozen data. ``records.py`` turns each into a stream-json record and back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from agent_tui.protocol.content import ContentBlock, JsonObject, ToolData
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display
from agent_tui.protocol.requests import PermissionRequest, RequestClosed

PermissionMode: TypeAlias = Literal[
    "default", "acceptEdits", "plan", "dontAsk", "bypassPermissions", "auto"
]
PERMISSION_MODES: tuple[PermissionMode, ...] = (
    "default",
    "acceptEdits",
    "plan",
    "dontAsk",
    "bypassPermissions",
    "auto",
)

ResultSubtype: TypeAlias = Literal[
    "success",
    "error_max_turns",
    "error_max_budget_usd",
    "error_during_execution",
    "error_max_structured_output_retries",
]


@dataclass(frozen=True, slots=True)
class SystemMessage:
    """A life-cycle event told apart by ``subtype``; ``data`` is the whole record.

    Documented subtypes used: ``init``, ``status``, ``api_retry``, ``compact_boundary``, ``permission_denied``,
    ``informational``, ``notification``, ``local_command_output``, ``model_fallback``, ``mirror_error``,
    ``hook_started``, ``hook_response``, ``task_started``, ``task_progress``, ``task_updated``,
    ``task_notification``, ``background_tasks_changed``. *Ours*: ``session_title``, ``retracted`` and ``saving``
    (data ``state`` is ``failed`` with ``error``, or ``ok``).
    """

    subtype: str
    data: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """One finished content block of a response; blocks of one response share ``message_id``.

    ``display`` (*ours*) is how the tool call in it looks, None for other blocks. ``aborted`` (*ours*): cut by an
    interrupt. ``timestamp`` (*ours*) is ISO 8601, UTC.
    """

    content: tuple[ContentBlock, ...]
    model: str
    parent_tool_use_id: str | None = None
    error: str | None = None
    usage: JsonObject | None = None
    message_id: str | None = None
    stop_reason: str | None = None
    session_id: str | None = None
    uuid: str | None = None
    display: Display | None = None
    aborted: bool = False
    timestamp: str | None = None
    user_message_uuid: str | None = None
    user_message_uuids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A prompt, or the result of one tool call.

    ``tool_use_result`` is the structured output; ``display`` (*ours*) how the result looks; ``synthetic`` (*ours*)
    marks text the person did not type (a summary, an interrupt's mark, a command's output); ``duration_ms``
    (*ours*) the tool's running time. ``origin`` tells who speaks where it is not the person; ``replay`` marks a
    prompt that is said back to the program that sent it. ``decision`` (*ours*) tells why the call was run or not.
    """

    content: str | tuple[ContentBlock, ...]
    uuid: str | None = None
    parent_tool_use_id: str | None = None
    tool_use_result: ToolData | None = None
    session_id: str | None = None
    display: Display | None = None
    synthetic: bool = False
    timestamp: str | None = None
    duration_ms: int | None = None
    origin: JsonObject | None = None
    replay: bool = False
    decision: DecisionNote | None = None


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """A raw event of the Messages API stream, for those who asked for partial messages."""

    uuid: str
    session_id: str
    event: JsonObject
    parent_tool_use_id: str | None = None
    user_message_uuid: str | None = None
    user_message_uuids: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class ResultMessage:
    """The end of a run: exactly one per prompt. ``result`` is set on ``success`` only.

    ``usage`` is the main loop's for this prompt; ``model_usage`` (keyed by model) and ``total_cost_usd`` are the
    running totals of the session; ``cost_usd`` (*ours*) this prompt's share, None when a price is unknown.
    ``user_message_uuids`` are all prompts that the run took in, the one it began with first. ``deferred_tool_use``
    is the call (``id``, ``name``, ``input``) a hook put off. Durations in milliseconds.
    """

    subtype: ResultSubtype
    duration_ms: int
    duration_api_ms: int
    is_error: bool
    num_turns: int
    session_id: str
    stop_reason: str | None = None
    total_cost_usd: float | None = None
    usage: JsonObject | None = None
    result: str | None = None
    structured_output: Any = None
    model_usage: JsonObject | None = None
    permission_denials: tuple[JsonObject, ...] = ()
    errors: tuple[str, ...] | None = None
    api_error_status: int | None = None
    uuid: str | None = None
    terminal_reason: str | None = None
    user_message_uuid: str | None = None
    cost_usd: float | None = None
    timestamp: str | None = None
    user_message_uuids: tuple[str, ...] | None = None
    origin: JsonObject | None = None
    deferred_tool_use: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class ConversationResetMessage:
    """``/clear``: what follows belongs to the session ``new_conversation_id``; totals restart."""

    new_conversation_id: str
    uuid: str
    session_id: str


@dataclass(frozen=True, slots=True)
class ToolProgress:
    """A tool is at work (*ours*, beside the documented ``tool_progress``).

    ``display`` holds what can be shown by now, e.g. the last lines of a command; ``state`` tells a call that waits
    its turn from one that runs.
    """

    tool_use_id: str
    tool_name: str
    elapsed_ms: int
    display: Display | None = None
    parent_tool_use_id: str | None = None
    state: Literal["queued", "running"] = "running"


@dataclass(frozen=True, slots=True)
class QueuedPrompt:
    """A prompt that waits for the run to end; ``shell``: a line for the shell."""

    uuid: str
    text: str
    shell: bool = False


@dataclass(frozen=True, slots=True)
class QueueChanged:
    """The prompts that wait, first to run first (*ours*)."""

    items: tuple[QueuedPrompt, ...] = ()


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """What the status bar shows, whenever any of it changes (*ours*).

    ``turns`` and ``run_tokens`` count the current (or last) prompt's; ``context_tokens`` is what the window holds
    after the last response; ``cache_share`` is 0..1, the part of all prompts read from the cache. ``spent_usd``
    counts towards the budget: from when the session was opened or cleared.
    """

    session_id: str
    model: str
    mode: PermissionMode
    busy: bool = False
    phase: Literal[
        "idle", "requesting", "streaming", "tools", "checking", "compacting", "asking"
    ] = "idle"
    turns: int = 0
    run_tokens: int = 0
    run_cost_usd: float | None = 0.0
    context_tokens: int = 0
    context_window: int = 0
    cache_share: float | None = None
    total_cost_usd: float | None = 0.0
    budget_usd: float | None = None
    spent_usd: float | None = None
    branch: str = ""
    title: str = ""
    modes: tuple[PermissionMode, ...] = ("default", "acceptEdits", "plan")
    cwd: str = ""
    demo: bool = False


Message: TypeAlias = (
    SystemMessage
    | AssistantMessage
    | UserMessage
    | StreamEvent
    | ResultMessage
    | ConversationResetMessage
    | ToolProgress
    | QueueChanged
    | StatusChanged
    | PermissionRequest
    | RequestClosed
)
