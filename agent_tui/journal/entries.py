"""The lines of a journal: frozen values, one class per kind of line, and the header they share.

``user`` and ``assistant`` lines carry the API's own message shapes and follow the ecosystem's transcript format, so
that readers made for it read ours. What only we need rides in further fields of those lines, or in lines of type
``system`` with a subtype of ours, which such readers skip. ``codec.py`` is the only translation to and from JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeAlias, cast

from agent_tui.protocol.content import JsonObject, ToolData
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display
from agent_tui.protocol.file_states import ChangedBy, FileState
from agent_tui.protocol.messages import PermissionMode, ResultMessage
from agent_tui.protocol.requests import PermissionUpdate
from agent_tui.protocol.tasks import Task
from agent_tui.protocol.usage import Usage

FORMAT = 1
"""The version of our own line kinds; written in the first line of a journal."""

SYNTHETIC_MODEL = "<synthetic>"
"""The ``model`` of assistant lines that no model said (an API error's text): shown, never sent."""

INTERRUPT_MARK = "[Request interrupted by user]"
INTERRUPT_MARK_TOOLS = "[Request interrupted by user for tool use]"

NOT_COMPLETED = (
    "This call was not completed: the session ended while it ran, or before. It may have had effects; "
    "look before doing it again."
)
"""What the model is told of a call that has no result."""

Origin: TypeAlias = Literal["interactive", "print", "sdk"]
Purpose: TypeAlias = Literal["main", "compact", "agent", "classify", "other"]
PURPOSES: tuple[Purpose, ...] = ("main", "compact", "agent", "classify", "other")


@dataclass(frozen=True, slots=True)
class Header:
    """What every line says of itself. ``timestamp`` is ISO 8601, UTC, with milliseconds and ``Z``.

    ``parent_uuid`` is the line this one follows: the ``Conversation.head`` it was written onto. ``agent_id`` is set
    in a sub-agent's own journal, whose lines are a side chain of the session's.
    """

    uuid: str
    parent_uuid: str | None
    session_id: str
    timestamp: str
    cwd: str
    version: str
    git_branch: str = ""
    agent_id: str = ""


@dataclass(frozen=True, slots=True)
class Stamp:
    """Makes headers: holds what is the same for all lines, and the clock and ids (given, so tests own them)."""

    session_id: str
    cwd: str
    version: str
    clock: Callable[[], datetime]
    new_id: Callable[[], str]
    git_branch: str = ""
    agent_id: str = ""

    def header(self, parent_uuid: str | None, *, uuid: str | None = None) -> Header:
        """Make the header of a line that follows ``parent_uuid``."""
        return Header(
            uuid=uuid or self.new_id(),
            parent_uuid=parent_uuid,
            session_id=self.session_id,
            timestamp=iso(self.clock()),
            cwd=self.cwd,
            version=self.version,
            git_branch=self.git_branch,
            agent_id=self.agent_id,
        )


def iso(moment: datetime) -> str:
    """Write a moment as the journal does."""
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds")
    return text.replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class StartedEntry:
    """First line of a journal: who made the session. ``continue`` of a screen skips those made by ``print``."""

    header: Header
    origin: Origin = "interactive"
    format: int = FORMAT
    forked_from: str | None = None


@dataclass(frozen=True, slots=True)
class UserEntry:
    """A prompt, one tool's result, or text put in for the model.

    Attributes:
        message: the API's message, ``{"role": "user", "content": str | [blocks]}``.
        tool_use_result: the structured output of the tool, for programs.
        display: how the result looks.
        synthetic: not typed by the person but shown to them (interrupt mark, a command's output).
        is_meta: for the model only, never shown (reminders, session context).
        is_context: the session's context (environment, memory files); needed once per window.
        is_compact_summary: the summary that replaces what a ``CompactBoundaryEntry`` cut off.
        source_assistant_uuid: the assistant line that made the call this answers.
        duration_ms: the tool's running time.
        prompt_uuid: the ``Prompt`` op this came from.
        steers: a prompt that joined a run already going; the run's counters go on.
        origin: who speaks where it is not the person (``MessageOrigin`` as documented).
        decision: why the call was run or not, where no ``DecisionEntry`` says it (``DecisionNote.plain``).
    """

    header: Header
    message: JsonObject
    tool_use_result: ToolData | None = None
    display: Display | None = None
    synthetic: bool = False
    is_meta: bool = False
    is_context: bool = False
    is_compact_summary: bool = False
    source_assistant_uuid: str | None = None
    duration_ms: int | None = None
    prompt_uuid: str | None = None
    steers: bool = False
    origin: JsonObject | None = None
    decision: DecisionNote | None = None

    @property
    def blocks(self) -> tuple[JsonObject, ...]:
        """Give the content as blocks; a plain string counts as one text block."""
        return content_blocks(self.message)

    @property
    def is_prompt(self) -> bool:
        """Whether a person (or a program in their name) said this."""
        return not (
            self.synthetic
            or self.is_meta
            or self.is_compact_summary
            or any(block.get("type") == "tool_result" for block in self.blocks)
        )


@dataclass(frozen=True, slots=True)
class AssistantEntry:
    """One finished block of a response.

    Attributes:
        message: the API's message with ``id``, ``model``, ``role``, ``content`` (one block), ``usage``,
            ``stop_reason``; lines of one response share ``id``.
        unparsed: the raw tool input where it was no JSON object; the block's ``input`` is then ``{}``.
        display: how the call looks before it has run.
        error: the documented error word of a failed response.
        aborted: cut by an interrupt; the text may end in the middle of a word.
        asked_model: the model the request named (the answer may name a dated or routed one).
    """

    header: Header
    message: JsonObject
    unparsed: str | None = None
    display: Display | None = None
    error: str | None = None
    aborted: bool = False
    asked_model: str | None = None

    @property
    def blocks(self) -> tuple[JsonObject, ...]:
        """Give the content as blocks."""
        return content_blocks(self.message)

    @property
    def message_id(self) -> str:
        """The API's id of the response, empty where it gave none."""
        return str(self.message.get("id") or "")

    @property
    def model(self) -> str:
        """The model that answered, as it named itself."""
        return str(self.message.get("model") or "")


@dataclass(frozen=True, slots=True)
class ResponseEntry:
    """A response has ended (kept or not): what it used and cost.

    ``cost_usd`` is None where the model's price is unknown. ``purpose`` tells the main loop's responses, which move
    the window's meter, from a compaction's and from those of sub-agents (``agent``), which have lines of their own
    in their own journals too. ``context_window`` and ``max_output_tokens`` are the model's, 0 unknown.
    """

    header: Header
    message_id: str
    model: str
    stop_reason: str | None
    usage: Usage
    cost_usd: float | None
    purpose: Purpose = "main"
    context_window: int = 0
    max_output_tokens: int = 0
    duration_ms: int = 0


@dataclass(frozen=True, slots=True)
class RetractedEntry:
    """The response ``message_id`` does not count: the fold leaves its lines out. Its cost stays.

    A prompt is withdrawn the same way, named by its line's uuid.
    """

    header: Header
    message_id: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RewoundEntry:
    """The conversation goes on from the line ``to``: what stands between that and this does not count any more.

    Its header's parent is that line, so readers of the parent chain leave the rest out too. What the lines left
    behind had cost stays (``rewind.py``). ``left`` is the line that was the last one until then: going back to it
    takes this back; empty where that is not known.
    """

    header: Header
    to: str
    left: str = ""


@dataclass(frozen=True, slots=True)
class InterruptedEntry:
    """The person stopped the run. What the model is told of it is a synthetic ``UserEntry`` of its own."""

    header: Header
    during: Literal["streaming", "tools", "waiting"] = "streaming"


@dataclass(frozen=True, slots=True)
class CompactBoundaryEntry:
    """Here the window was cut. It takes effect when the summary's line (``summary_uuid``) is there.

    ``compact_metadata`` is the documented record (``trigger``, ``pre_tokens``, ``post_tokens`` …). Lines from
    ``kept_from`` on stay, after the summary; None keeps nothing.
    """

    header: Header
    compact_metadata: JsonObject
    summary_uuid: str | None = None
    kept_from: str | None = None
    logical_parent_uuid: str | None = None


@dataclass(frozen=True, slots=True)
class ModeEntry:
    """The permission mode, from here on."""

    header: Header
    mode: PermissionMode


@dataclass(frozen=True, slots=True)
class ModelEntry:
    """The model requests name, from here on; also written once at the start."""

    header: Header
    model: str


@dataclass(frozen=True, slots=True)
class GrantedEntry:
    """Permission updates that hold for this session."""

    header: Header
    updates: tuple[PermissionUpdate, ...]


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """The end of a run, as it was said."""

    header: Header
    result: ResultMessage


@dataclass(frozen=True, slots=True)
class NoticeEntry:
    """Something the person was told: a ``SystemMessage`` worth showing again on resume."""

    header: Header
    content: str
    level: str = "info"
    subtype: str = "informational"
    data: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class FileSeenEntry:
    """What the model has been shown of a file (``protocol.ports.Seen`` without the bytes)."""

    header: Header
    path: str
    digest: str
    total_lines: int = 0
    ranges: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class FileChangedEntry:
    """A file is about to be changed, or (a shell command's) may have been; it tells of the session, not of the talk.

    Attributes:
        path: absolute, every link in it resolved but for the last part of what a command names.
        before: what stood there.
        after: what stands there when the change is made; None as long as a command runs.
        kept: the bytes from before are kept beside the journal, or there were none (``kept_files.py``).
        why: why they could not be, where they should have been.
        by: who changes it.
        prompt_uuid: the newest prompt of the conversation.
        turn: responses since that prompt.
        group: the same for all files that are put back in one go.
    """

    header: Header
    path: str
    before: FileState
    after: FileState | None = None
    kept: bool = False
    why: str = ""
    by: ChangedBy = "tool"
    prompt_uuid: str = ""
    turn: int = 0
    group: str = ""


@dataclass(frozen=True, slots=True)
class TitleEntry:
    """A title: the person's own, or (``generated``) one made from the first prompt. The last one wins."""

    header: Header
    title: str
    generated: bool = False


@dataclass(frozen=True, slots=True)
class LastPromptEntry:
    """The newest prompt's text, so that lists find it in the tail of the file."""

    header: Header
    text: str


@dataclass(frozen=True, slots=True)
class TasksEntry:
    """The whole task list after a change. ``last_id`` is the highest id ever given."""

    header: Header
    tasks: tuple[Task, ...] = ()
    last_id: int = 0


@dataclass(frozen=True, slots=True)
class ToolsTakenEntry:
    """Deferred tools whose definitions are sent from here on."""

    header: Header
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DecisionEntry:
    """Who let a call run, or kept it from running, written before it runs.

    One that only looks has no line of its own; its result's line says it.
    """

    header: Header
    decision: DecisionNote


@dataclass(frozen=True, slots=True)
class UnknownEntry:
    """A line of a kind this version does not know, kept whole."""

    raw: JsonObject


Entry: TypeAlias = (
    StartedEntry
    | UserEntry
    | AssistantEntry
    | ResponseEntry
    | RetractedEntry
    | RewoundEntry
    | InterruptedEntry
    | CompactBoundaryEntry
    | ModeEntry
    | ModelEntry
    | GrantedEntry
    | ResultEntry
    | NoticeEntry
    | FileSeenEntry
    | FileChangedEntry
    | TitleEntry
    | LastPromptEntry
    | TasksEntry
    | ToolsTakenEntry
    | DecisionEntry
    | UnknownEntry
)


def content_blocks(message: JsonObject) -> tuple[JsonObject, ...]:
    """Give an API message's content as blocks, leaving out what is none."""
    content = message.get("content")
    if isinstance(content, str):
        return ({"type": "text", "text": content},)
    if not isinstance(content, list):
        return ()
    return tuple(
        cast("JsonObject", block)
        for block in cast("list[object]", content)
        if isinstance(block, dict)
    )
