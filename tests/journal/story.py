"""Writes journals for tests: a session's lines in a few words, ids and clock counted up."""

from __future__ import annotations

import itertools
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from agent_tui.journal.entries import (
    INTERRUPT_MARK,
    AssistantEntry,
    CompactBoundaryEntry,
    Entry,
    Header,
    InterruptedEntry,
    LastPromptEntry,
    ModelEntry,
    Origin,
    Purpose,
    ResponseEntry,
    ResultEntry,
    RetractedEntry,
    Stamp,
    StartedEntry,
    UnknownEntry,
    UserEntry,
)
from agent_tui.journal.fold import Conversation, fold
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.messages import ResultMessage
from agent_tui.protocol.usage import Usage

MODEL = "claude-opus-4-8"
START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def text(words: str) -> JsonObject:
    """A text block."""
    return {"type": "text", "text": words}


def thinking(words: str, signature: str = "sig") -> JsonObject:
    """A thinking block."""
    return {"type": "thinking", "thinking": words, "signature": signature}


def call(call_id: str, name: str = "Bash", **given: Any) -> JsonObject:
    """A tool call."""
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


class Story:
    """A journal in the making: ``entries`` holds what was written."""

    def __init__(self, cwd: str = "/work/app", session_id: str | None = None) -> None:
        self.entries: list[Entry] = []
        self.session_id = session_id or str(uuid.UUID(int=1))
        self._numbers = itertools.count(1)
        self._seconds = itertools.count()
        self.stamp = Stamp(
            self.session_id,
            cwd,
            "0.1.0",
            clock=lambda: START + timedelta(seconds=next(self._seconds)),
            new_id=lambda: str(uuid.UUID(int=next(self._numbers) + (1 << 64))),
            git_branch="main",
        )
        self.conversation = Conversation()

    def add(self, entry: Entry) -> Entry:
        """Write any entry."""
        self.entries.append(entry)
        self.conversation = self.conversation.apply(entry)
        return entry

    def header(self) -> Header:
        """The header of the next line."""
        return self.stamp.header(self.conversation.head)

    def started(self, origin: Origin = "interactive") -> None:
        self.add(StartedEntry(self.header(), origin))

    def model(self, name: str = MODEL) -> None:
        self.add(ModelEntry(self.header(), name))

    def context(self, words: str = "<system-reminder>here</system-reminder>") -> None:
        message: JsonObject = {"role": "user", "content": [text(words)]}
        self.add(UserEntry(self.header(), message, is_meta=True, is_context=True))

    def prompt(self, words: str | list[JsonObject], *, steers: bool = False) -> UserEntry:
        entry = UserEntry(self.header(), {"role": "user", "content": words}, steers=steers)
        self.add(entry)
        if isinstance(words, str):
            self.add(LastPromptEntry(self.header(), words))
        return entry

    def answer(
        self,
        message_id: str,
        *blocks: JsonObject,
        usage: Usage | None = None,
        ends: bool = True,
        model: str = MODEL,
        cost: float | None = 0.0,
        **fields: Any,
    ) -> list[AssistantEntry]:
        """Write a response, a line per block, and (unless it was cut off) its end."""
        lines: list[AssistantEntry] = []
        for block in blocks:
            message: JsonObject = {
                "id": message_id,
                "type": "message",
                "role": "assistant",
                "model": model,
                "content": [block],
                "stop_reason": None,
                "usage": None,
            }
            entry = AssistantEntry(self.header(), message, asked_model=model, **fields)
            self.add(entry)
            lines.append(entry)
        if ends:
            self.ended(message_id, usage or Usage(), cost=cost, model=model)
        return lines

    def ended(
        self,
        message_id: str,
        usage: Usage,
        *,
        cost: float | None = 0.0,
        model: str = MODEL,
        purpose: Purpose = "main",
    ) -> None:
        self.add(
            ResponseEntry(
                self.header(), message_id, model, "end_turn", usage, cost, purpose, 200_000
            )
        )

    def result(
        self,
        call_id: str,
        content: Any = "ok",
        *,
        source: AssistantEntry | None = None,
        is_error: bool | None = None,
        **fields: Any,
    ) -> UserEntry:
        block: JsonObject = {"type": "tool_result", "tool_use_id": call_id, "content": content}
        if is_error is not None:
            block["is_error"] = is_error
        entry = UserEntry(
            self.header(),
            {"role": "user", "content": [block]},
            source_assistant_uuid=source.header.uuid if source else None,
            **fields,
        )
        self.add(entry)
        return entry

    def retracted(self, message_id: str) -> None:
        before = self.conversation.before_response(message_id)
        self.add(RetractedEntry(self.stamp.header(before), message_id, "cut"))

    def interrupted(self) -> None:
        self.add(InterruptedEntry(self.header()))
        message: JsonObject = {"role": "user", "content": [text(INTERRUPT_MARK)]}
        self.add(UserEntry(self.header(), message, synthetic=True))

    def compacted(self, kept_from: str | None, summary: str = "all of it") -> None:
        self.add(
            CompactBoundaryEntry(
                self.stamp.header(None),
                {"trigger": "auto", "pre_tokens": 1000, "post_tokens": 77},
                kept_from=kept_from,
                logical_parent_uuid=self.conversation.head,
            )
        )
        message: JsonObject = {"role": "user", "content": [text(summary)]}
        self.add(UserEntry(self.header(), message, is_compact_summary=True))

    def finished(
        self,
        words: str = "done",
        *,
        cost: float | None = 0.0,
        put_off: JsonObject | None = None,
    ) -> ResultMessage:
        header = self.header()
        result = ResultMessage(
            "success",
            1000,
            900,
            False,
            1,
            self.session_id,
            stop_reason="end_turn",
            total_cost_usd=cost,
            usage=Usage().to_api(),
            result=words,
            uuid=header.uuid,
            timestamp=header.timestamp,
            deferred_tool_use=put_off,
        )
        self.add(ResultEntry(header, result))
        return result

    def uuid(self, index: int = -1) -> str:
        """The uuid of a line."""
        return self.header_of(index).uuid

    def header_of(self, index: int) -> Header:
        """The header of a line."""
        entry = self.entries[index]
        assert not isinstance(entry, UnknownEntry)
        return entry.header

    def refolded(self) -> Conversation:
        """Fold everything anew."""
        return fold(self.entries)
