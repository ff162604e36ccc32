"""The fold of a journal: what the model is to be shown, and everything else a session is known by.

``Conversation`` is a value: ``apply`` gives the next one and leaves this one as it was. A run of n lines costs O(n).
The fold is linear: lines count in the order of the file. Whatever a journal holds, its lines can be sent:
``sendable.py`` cleans each block once, here; ``context/messages.py`` joins them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from agent_tui.journal.entries import (
    SYNTHETIC_MODEL,
    AssistantEntry,
    CompactBoundaryEntry,
    DecisionEntry,
    Entry,
    FileChangedEntry,
    FileSeenEntry,
    GrantedEntry,
    InterruptedEntry,
    LastPromptEntry,
    ModeEntry,
    ModelEntry,
    NoticeEntry,
    Origin,
    ResponseEntry,
    ResultEntry,
    RetractedEntry,
    RewoundEntry,
    StartedEntry,
    TasksEntry,
    TitleEntry,
    ToolsTakenEntry,
    UnknownEntry,
    UserEntry,
)
from agent_tui.journal.lines import (
    Line,
    OpenCall,
    block_size,
    called,
    lines_from,
    said_text,
)
from agent_tui.journal.persistent import Log, Names
from agent_tui.journal.rewind import CHAINED
from agent_tui.journal.sendable import (
    assistant_block,
    legal_id,
    tool_result,
    tool_use,
    user_block,
)
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import PermissionMode
from agent_tui.protocol.ports import Seen
from agent_tui.protocol.requests import PermissionUpdate
from agent_tui.protocol.tasks import Task
from agent_tui.protocol.usage import ModelUsage, Usage

PERSON_SAID = 5
"""So many prompts of the person are kept at hand."""

REFILL = 3
"""A window that is full again within this many responses was not worth cutting."""


@dataclass(frozen=True)
class Conversation:
    """What a journal comes to.

    Attributes:
        head: the line the next one follows.
        lines: what the model is to be shown, since the last compaction, retracted responses left out.
        open_tool_uses: calls of the newest response that have no result yet, in order.
        usage: the main loop's tokens of the current (or last) prompt.
        turns: responses of the current (or last) prompt.
        model_usage, total_cost_usd: of the whole session; cost None once a price was unknown.
        last_usage: the newest main response's.
        context_tokens: how full the window was after it (0 until then, and after a compaction of unknown size).
        pending_bytes: size of what was put in the window since.
        context_window: of the model that gave it, 0 unknown.
        granted: permission updates of this session, in order.
        changes: what was changed of files, in order; also by turns that were gone back from.
        has_context: whether the window holds the session's context.
        compactions: how many there were; ``responses`` counts all kept and retracted responses.
        refills: compactions of this prompt, in a row, that came within three responses of the one before.
        response_id, place: of the response that is coming in, and how many blocks of it are there; id None when
            it has ended.
        call_ids: every call id in use: what a new call must not be called.
        boundary: a compaction whose summary has not come yet.
        tasks, last_task: the task list, and the highest id it ever gave.
        tools_taken: deferred tools that are sent, in the order they were taken.
        put_off: the call that a hook put off; it stays open over further prompts until it is decided.
        person_said: the newest prompts of the person (or of a program in their name), oldest first.
    """

    session_id: str = ""
    cwd: str = ""
    head: str | None = None
    origin: Origin = "interactive"
    lines: Log[Line] = field(default_factory=Log[Line])
    open_tool_uses: tuple[OpenCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    turns: int = 0
    model_usage: Mapping[str, ModelUsage] = field(default_factory=dict[str, ModelUsage])
    total_cost_usd: float | None = 0.0
    last_usage: Usage | None = None
    context_tokens: int = 0
    pending_bytes: int = 0
    context_window: int = 0
    mode: PermissionMode | None = None
    model: str | None = None
    custom_title: str = ""
    generated_title: str = ""
    granted: tuple[PermissionUpdate, ...] = ()
    files: Log[FileSeenEntry] = field(default_factory=Log[FileSeenEntry])
    changes: Log[FileChangedEntry] = field(default_factory=Log[FileChangedEntry])
    prompts: int = 0
    first_prompt: str = ""
    last_prompt: str = ""
    last_prompt_uuid: str | None = None
    has_context: bool = False
    compactions: int = 0
    refills: int = 0
    compacted_at: int | None = None
    responses: int = 0
    response_id: str | None = None
    place: int = 0
    call_ids: Names[str] = field(default_factory=Names[str])
    boundary: CompactBoundaryEntry | None = None
    tasks: tuple[Task, ...] = ()
    last_task: int = 0
    tools_taken: tuple[str, ...] = ()
    put_off: OpenCall | None = None
    person_said: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The person's title, else the generated one, else empty."""
        return self.custom_title or self.generated_title

    @property
    def files_seen(self) -> dict[str, Seen]:
        """What was shown of each file's newest bytes, by path; the ranges as they came, not merged."""
        found: dict[str, Seen] = {}
        for entry in self.files:
            before = found.get(entry.path)
            same = before is not None and before.digest == entry.digest
            ranges = before.ranges + entry.ranges if before and same else entry.ranges
            found[entry.path] = Seen(entry.digest, entry.total_lines, ranges)
        return found

    def apply(self, entry: Entry) -> Conversation:
        """Give the conversation after ``entry``."""
        if isinstance(entry, UnknownEntry):
            return self._unknown(entry.raw)
        told = self._told(entry)
        header = entry.header
        aside = isinstance(entry, TitleEntry | LastPromptEntry | FileChangedEntry)
        head = told.head if aside else header.uuid
        return told._but(
            head=head,
            session_id=header.session_id or told.session_id,
            cwd=told.cwd or header.cwd,
        )

    def before_response(self, message_id: str) -> str | None:
        """The line that came before the response's first one; None if there is none.

        A ``RetractedEntry`` written onto it makes readers of the parent chain leave the response out too.
        """
        number = self._response_of(message_id)
        before: str | None = None
        for line in self.lines:
            if number and line.response == number:
                return before
            before = line.uuid
        return self.head

    def next_call_id(self, raw_id: str, message_id: str) -> str:
        """Give the id that the next call of the response ``message_id`` is known by in requests.

        It is ``raw_id`` unless that is empty, illegal or taken. A writer that gives its lines this id has the same
        one everywhere; for one that does not, the fold does it.
        """
        told = self._begun(message_id)
        return legal_id(raw_id, told.responses, told.place + 1, told.call_ids.__contains__)

    def _but(self, **changes: Any) -> Conversation:
        """Give a copy with these fields changed; ``dataclasses.replace`` would take a fold's time five times over."""
        copy = object.__new__(Conversation)
        copy.__dict__.update(self.__dict__)
        copy.__dict__.update(changes)
        return copy

    def _told(self, entry: Entry) -> Conversation:
        match entry:
            case UserEntry():
                return self._user(entry)
            case AssistantEntry():
                return self._assistant(entry)
            case ResponseEntry():
                return self._response(entry)
            case RetractedEntry(_, message_id):
                return self._retracted(message_id)
            case CompactBoundaryEntry():
                return self._but(boundary=entry)
            case ModeEntry(_, mode):
                return self._but(mode=mode)
            case ModelEntry(_, model):
                return self._but(model=model)
            case GrantedEntry(_, updates):
                return self._but(granted=self.granted + updates)
            case FileSeenEntry():
                return self._but(files=self.files.plus(entry))
            case FileChangedEntry():
                return self._but(changes=self.changes.plus(entry))
            case TitleEntry(_, title, True):
                return self._but(generated_title=title)
            case TitleEntry(_, title):
                return self._but(custom_title=title)
            case StartedEntry(_, origin):
                return self._but(origin=origin)
            case TasksEntry(_, tasks, last_id):
                return self._but(tasks=tasks, last_task=max(last_id, self.last_task))
            case ToolsTakenEntry(_, names):
                new = tuple(name for name in names if name not in self.tools_taken)
                return self._but(tools_taken=self.tools_taken + new)
            case ResultEntry(_, result):
                return self._ended(result.deferred_tool_use)
            case LastPromptEntry() | InterruptedEntry() | NoticeEntry() | DecisionEntry():
                return self
            case RewoundEntry():  # what it left behind is no more among the lines: rewind.py
                return self
            case UnknownEntry():
                return self

    def _user(self, entry: UserEntry) -> Conversation:
        if entry.is_compact_summary:
            return self._compacted(entry)
        told = self._prompted(entry) if entry.is_prompt else self
        blocks: list[JsonObject] = []
        open_calls = told.open_tool_uses
        for raw in entry.blocks:
            if raw.get("type") == "tool_result":
                call = called(raw, entry.source_assistant_uuid, open_calls)
                if call is not None:
                    open_calls = tuple(other for other in open_calls if other is not call)
                    blocks.append(tool_result(raw, call.id))
            elif (block := user_block(raw)) is not None:
                blocks.append(block)
        line = Line("user", entry.header.uuid, tuple(blocks), is_context=entry.is_context)
        only_results = all(block["type"] == "tool_result" for block in blocks)
        return told._with(line)._but(
            open_tool_uses=open_calls,
            put_off=told.put_off if told.put_off in open_calls else None,
            response_id=told.response_id if only_results else None,
            has_context=told.has_context or entry.is_context,
        )

    def _prompted(self, entry: UserEntry) -> Conversation:
        text = said_text(entry.blocks)
        own = entry.origin is None or entry.origin.get("kind") == "human"
        told = self._but(
            person_said=(*self.person_said, text)[-PERSON_SAID:] if own else self.person_said,
            prompts=self.prompts + 1,
            first_prompt=self.first_prompt or text,
            last_prompt=text,
            last_prompt_uuid=entry.prompt_uuid or entry.header.uuid,
        )
        if entry.steers:
            return told
        waiting = () if told.put_off is None else (told.put_off,)
        return told._but(
            open_tool_uses=waiting, usage=Usage(), turns=0, refills=0, compacted_at=None
        )

    def _assistant(self, entry: AssistantEntry) -> Conversation:
        if entry.model == SYNTHETIC_MODEL:
            return self
        told = self._begun(entry.message_id)
        blocks: list[JsonObject] = []
        for raw in entry.blocks:
            block = assistant_block(raw)
            if block is not None and block["type"] == "tool_use":
                call = told._call(entry, block)
                block = tool_use({**block, "id": call.id}, entry.unparsed)
                told = told._but(
                    open_tool_uses=(*told.open_tool_uses, call),
                    call_ids=told.call_ids.plus(call.id),
                )
            told = told._but(place=told.place + 1)
            if block is not None:
                blocks.append(block)
        line = Line(
            "assistant",
            entry.header.uuid,
            tuple(blocks),
            told.responses,
            entry.message_id,
            entry.asked_model or self.model or entry.model,
        )
        return told._measured(entry)._with(line)

    def _call(self, entry: AssistantEntry, block: JsonObject) -> OpenCall:
        raw_id = str(block["id"])
        known_as = legal_id(raw_id, self.responses, self.place + 1, self.call_ids.__contains__)
        return OpenCall(
            known_as,
            raw_id,
            str(block["name"]),
            block["input"],
            entry.header.uuid,
            entry.message_id,
            entry.unparsed,
        )

    def _begun(self, message_id: str) -> Conversation:
        """Begin a response, unless this is the one coming in. Servers may give every response the same id, or none."""
        answered = bool(self.lines) and self.lines[-1].role == "user"
        if message_id == self.response_id and (message_id or not answered):
            return self
        return self._but(
            response_id=message_id,
            place=0,
            responses=self.responses + 1,
            turns=self.turns + 1,
            open_tool_uses=(),
            put_off=None,
        )

    def _measured(self, entry: AssistantEntry) -> Conversation:
        """Take the prompt's size from a response's first line; its end tells the rest."""
        told = Usage.from_api(entry.message.get("usage"))
        if self.place > 1 or not told.prompt_tokens:
            return self
        return self._but(context_tokens=told.prompt_tokens, pending_bytes=0)

    def _response(self, entry: ResponseEntry) -> Conversation:
        before = self.model_usage.get(entry.model, ModelUsage())
        now = replace(
            before.plus(entry.usage, entry.cost_usd),
            context_window=entry.context_window or before.context_window,
            max_output_tokens=entry.max_output_tokens or before.max_output_tokens,
        )
        unknown = self.total_cost_usd is None or entry.cost_usd is None
        total = None if unknown else (self.total_cost_usd or 0.0) + (entry.cost_usd or 0.0)
        told = self._but(model_usage={**self.model_usage, entry.model: now}, total_cost_usd=total)
        if entry.purpose != "main":
            return told
        told = told._begun(entry.message_id)._but(
            response_id=None,
            usage=self.usage + entry.usage,
            context_window=entry.context_window or self.context_window,
        )
        if not entry.usage.total_tokens:
            return told
        return told._but(
            last_usage=entry.usage,
            context_tokens=entry.usage.total_tokens,
            pending_bytes=0,
        )

    def _ended(self, put_off: JsonObject | None) -> Conversation:
        """Keep the call in mind that a hook put off, where a run ended so."""
        named = (put_off or {}).get("id")
        found = [call for call in self.open_tool_uses if named in (call.id, call.raw_id)]
        return self._but(put_off=found[0]) if found else self

    def _retracted(self, message_id: str) -> Conversation:
        number = self._response_of(message_id)
        if not number:  # a prompt that was withdrawn, by the uuid of its line
            kept = [line for line in self.lines if line.uuid != message_id]
            return self if len(kept) == len(self.lines) else self._but(lines=Log(kept))
        return self._but(
            lines=Log(line for line in self.lines if line.response != number),
            open_tool_uses=() if number == self.responses else self.open_tool_uses,
            put_off=None if number == self.responses else self.put_off,
            turns=max(0, self.turns - 1),
        )

    def _response_of(self, message_id: str) -> int:
        """Find the newest response with this id that has lines; 0 if there is none."""
        for index in range(len(self.lines) - 1, -1, -1):
            line = self.lines[index]
            if line.response and line.message_id == message_id:
                return line.response
        return 0

    def _compacted(self, entry: UserEntry) -> Conversation:
        boundary = self.boundary
        kept = lines_from(self.lines, boundary.kept_from if boundary else None)
        blocks = tuple(b for raw in entry.blocks if (b := user_block(raw)) is not None)
        summary = Line("user", entry.header.uuid, blocks, size=sum(map(block_size, blocks)))
        after = boundary.compact_metadata.get("post_tokens") if boundary else None
        size = summary.size + sum(line.size for line in kept)
        known = isinstance(after, int) and after > 0
        return self._but(
            lines=Log([summary, *kept]),
            boundary=None,
            put_off=self.put_off if _holds(kept, self.put_off) else None,
            compactions=self.compactions + 1,
            refills=self.refills + 1 if self._just_compacted else 0,
            compacted_at=self.responses,
            has_context=any(line.is_context for line in kept),
            last_usage=None,
            context_tokens=after if known else 0,
            pending_bytes=0 if known else size,
        )

    @property
    def _just_compacted(self) -> bool:
        return self.compacted_at is not None and self.responses - self.compacted_at < REFILL

    def _with(self, line: Line) -> Conversation:
        if not line.blocks:
            return self
        size = sum(map(block_size, line.blocks))
        return self._but(
            lines=self.lines.plus(replace(line, size=size)),
            pending_bytes=self.pending_bytes + size,
        )

    def _unknown(self, raw: JsonObject) -> Conversation:
        uuid = raw.get("uuid")
        if (
            str(raw.get("type")) not in CHAINED
            or not isinstance(uuid, str)
            or raw.get("isSidechain")
        ):
            return self
        return self._but(head=uuid)


def _holds(lines: Iterable[Line], call: OpenCall | None) -> bool:
    return call is not None and any(line.uuid == call.assistant_uuid for line in lines)


def fold(entries: Iterable[Entry]) -> Conversation:
    """Fold a whole journal."""
    conversation = Conversation()
    for entry in entries:
        conversation = conversation.apply(entry)
    return conversation
