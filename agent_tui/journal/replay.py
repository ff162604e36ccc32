"""A journal's lines as the messages that were said when they were written, so that a resumed transcript looks as live.

What was taken back is left out, results come in the order of their calls, and a call that never got a result gets
one that says so. Huge results are cut: a transcript shows extracts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from agent_tui.journal.entries import (
    NOT_COMPLETED,
    AssistantEntry,
    CompactBoundaryEntry,
    DecisionEntry,
    Entry,
    NoticeEntry,
    ResponseEntry,
    ResultEntry,
    RetractedEntry,
    UserEntry,
)
from agent_tui.journal.sendable import bounded
from agent_tui.protocol.content import (
    ContentBlock,
    JsonObject,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
    block_from_json,
)
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display
from agent_tui.protocol.messages import (
    AssistantMessage,
    Message,
    ResultMessage,
    SystemMessage,
    UserMessage,
)

MAX_SHOWN_CHARS = 30_000
"""Of one text in a transcript, no more is carried."""

ToolDisplay: TypeAlias = Callable[[str, JsonObject], Display | None]
"""How a call of this tool with this input looks; for lines that don't say."""


@dataclass(frozen=True, slots=True)
class ReplayedPage:
    """Messages, oldest first; ``more`` when there are older ones."""

    messages: tuple[Message, ...]
    more: bool


def messages(
    entries: Iterable[Entry], *, tool_display: ToolDisplay | None = None, running: bool = False
) -> list[Message]:
    """Give all that was said.

    Args:
        entries: the journal's.
        tool_display: for calls whose lines hold no display.
        running: the session is at work, so calls without a result at the end are not over.
    """
    replay = Replay(tool_display)
    for entry in entries:
        replay.add(entry)
    if not running:
        replay.end()
    return replay.said


def page(
    entries: Iterable[Entry],
    *,
    before: str | None,
    count: int,
    tool_display: ToolDisplay | None = None,
    running: bool = False,
) -> ReplayedPage:
    """Give the ``count`` messages before the one with uuid ``before`` (None: the last ones), in O(count) memory."""
    replay = Replay(tool_display)
    dropped = False
    for entry in entries:
        replay.add(entry)
        said = replay.said
        if len(said) > 6 * count + 200:
            found = _index(said, before)
            if found is not None and found < len(said) - 1:
                break
            del said[: -2 * count - 100]
            dropped = True
    if not running:
        replay.end()
    said = replay.said
    end = _index(said, before)
    wanted = said if end is None else said[:end]
    return ReplayedPage(tuple(wanted[-count:] if count else ()), dropped or len(wanted) > count)


def message_uuid(message: Message) -> str | None:
    """Give the uuid a message is known by, None where it has none."""
    if isinstance(message, SystemMessage):
        uuid = message.data.get("uuid")
        return uuid if isinstance(uuid, str) else None
    if isinstance(message, UserMessage | AssistantMessage | ResultMessage):
        return message.uuid
    return None


def user_message(entry: UserEntry) -> UserMessage:
    """Give the message of a user line."""
    content = entry.message.get("content")
    return UserMessage(
        content if isinstance(content, str) else tuple(map(block_from_json, entry.blocks)),
        uuid=entry.header.uuid,
        tool_use_result=entry.tool_use_result,
        session_id=entry.header.session_id,
        display=entry.display,
        synthetic=entry.synthetic or entry.is_compact_summary,
        timestamp=entry.header.timestamp,
        duration_ms=entry.duration_ms,
        origin=entry.origin,
        decision=entry.decision,
    )


def assistant_message(entry: AssistantEntry) -> AssistantMessage:
    """Give the message of an assistant line."""
    return AssistantMessage(
        tuple(map(block_from_json, entry.blocks)),
        model=entry.model,
        error=entry.error,
        usage=entry.message.get("usage"),
        message_id=entry.message_id or None,
        stop_reason=entry.message.get("stop_reason"),
        session_id=entry.header.session_id,
        uuid=entry.header.uuid,
        display=entry.display,
        aborted=entry.aborted,
        timestamp=entry.header.timestamp,
    )


@dataclass(slots=True)
class _Call:
    entry: AssistantEntry
    block: ToolUseBlock
    result: UserMessage | None = None
    said: bool = False
    put_off: bool = False
    decision: DecisionNote | None = None


class Replay:
    """Takes entries, in order; ``said`` is what they come to."""

    def __init__(self, tool_display: ToolDisplay | None = None) -> None:
        self.said: list[Message] = []
        self._tool_display = tool_display
        self._calls: list[_Call] = []
        self._response: str | None = None
        self._answered = False

    def add(self, entry: Entry) -> None:
        """Take the next entry."""
        match entry:
            case UserEntry():
                self._user(entry)
            case AssistantEntry():
                self._assistant(entry)
            case ResponseEntry():
                self._response = None if entry.purpose == "main" else self._response
            case DecisionEntry(_, decision):
                self._decided(decision)
            case RetractedEntry(_, message_id):
                self._retracted(message_id)
            case ResultEntry(_, result):
                self._put_off(result.deferred_tool_use)
                self.end()
                self.said.append(result)
            case CompactBoundaryEntry():
                self._system(
                    entry, "compact_boundary", {"compact_metadata": entry.compact_metadata}
                )
            case NoticeEntry(_, content, level, subtype, data):
                self._system(entry, subtype, {**(data or {}), "content": content, "level": level})
            case _:
                pass

    def end(self) -> None:
        """Say of the calls that are still open that they were not completed, but for one that was put off."""
        waiting = [call for call in self._calls if call.result is None and call.put_off]
        for call in self._calls:
            if call.result is None and not call.put_off:
                call.result = _not_completed(call)
        self._say_results()
        self._calls = waiting
        self._response = None

    def _put_off(self, put_off: JsonObject | None) -> None:
        """Keep a call open that a hook put off: its result comes with a later prompt, if at all."""
        named = (put_off or {}).get("id")
        for call in self._calls:
            call.put_off = call.put_off or call.block.id == named

    def _user(self, entry: UserEntry) -> None:
        self._answered = True
        if entry.is_meta:
            return
        message = _shown(user_message(entry))
        if isinstance(message.content, tuple) and any(
            isinstance(block, ToolResultBlock) for block in message.content
        ):
            self._result(entry, message)
            return
        if entry.is_prompt and not entry.steers:
            self.end()
        self.said.append(message)

    def _result(self, entry: UserEntry, message: UserMessage) -> None:
        named = {b.tool_use_id for b in message.content if isinstance(b, ToolResultBlock)}
        still_open = [call for call in self._calls if call.result is None]
        source = entry.source_assistant_uuid
        found = [call for call in still_open if call.entry.header.uuid == source]
        found = found or [call for call in still_open if call.block.id in named]
        if found:
            found[0].result = replace(message, decision=message.decision or found[0].decision)
            self._say_results()

    def _decided(self, decision: DecisionNote) -> None:
        """Keep a decision for the call's result."""
        for call in self._calls:
            if call.result is None and call.block.id == decision.tool_use_id:
                call.decision = decision

    def _say_results(self) -> None:
        for call in self._calls:
            if call.result is None:
                return
            if not call.said:
                call.said = True
                self.said.append(call.result)

    def _assistant(self, entry: AssistantEntry) -> None:
        if entry.message_id != self._response or (not entry.message_id and self._answered):
            for call in self._calls:
                call.put_off = False
            self.end()
            self._response = entry.message_id
        self._answered = False
        message = assistant_message(entry)
        calls = [block for block in message.content if isinstance(block, ToolUseBlock)]
        if calls and message.display is None and self._tool_display is not None:
            display = self._tool_display(calls[0].name, calls[0].input)
            message = replace(message, display=display)
        self._calls.extend(_Call(entry, block) for block in calls)
        self.said.append(message)

    def _retracted(self, message_id: str) -> None:
        self._calls = [call for call in self._calls if call.entry.message_id != message_id]
        index = len(self.said) - 1
        while index >= 0:
            message = self.said[index]
            if isinstance(message, AssistantMessage) and message.message_id == message_id:
                del self.said[index]
            elif isinstance(message, UserMessage | ResultMessage | AssistantMessage):
                break
            index -= 1

    def _system(
        self, entry: CompactBoundaryEntry | NoticeEntry, subtype: str, data: JsonObject
    ) -> None:
        header = entry.header
        fields: JsonObject = {
            **data,
            "uuid": header.uuid,
            "session_id": header.session_id,
            "timestamp": header.timestamp,
        }
        self.said.append(SystemMessage(subtype, fields))


def _not_completed(call: _Call) -> UserMessage:
    header = call.entry.header
    return UserMessage(
        (ToolResultBlock(call.block.id, NOT_COMPLETED, is_error=True),),
        uuid=f"{header.uuid}-unanswered",
        tool_use_result=f"Error: {NOT_COMPLETED}",
        session_id=header.session_id,
        timestamp=header.timestamp,
        decision=call.decision,
    )


def _shown(message: UserMessage) -> UserMessage:
    content = message.content
    return replace(
        message,
        content=_cut(content) if isinstance(content, str) else tuple(map(_shown_block, content)),
        tool_use_result=_cut_json(message.tool_use_result),
    )


def _shown_block(block: ContentBlock) -> ContentBlock:
    match block:
        case TextBlock(text):
            return TextBlock(_cut(text))
        case ToolResultBlock(call, content, is_error):
            return ToolResultBlock(call, _cut_json(content), is_error)
        case _:
            return block


def _cut(text: str) -> str:
    return bounded(text, MAX_SHOWN_CHARS)


def _cut_json(value: Any) -> Any:
    """Cut the long texts in JSON data; a picture's data would be useless cut, and is left."""
    if isinstance(value, str):
        return _cut(value)
    if isinstance(value, list):
        return [_cut_json(item) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        entries = cast("JsonObject", value)
        if entries.get("type") == "base64":
            return entries
        return {key: _cut_json(item) for key, item in entries.items()}
    return value


def _index(said: list[Message], uuid: str | None) -> int | None:
    if uuid is None:
        return None
    return next((i for i, message in enumerate(said) if message_uuid(message) == uuid), None)
