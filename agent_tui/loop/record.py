"""Every line a session writes, and the message that is said with it: one method each, each a ``Scribe``'s two acts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import anyio

from agent_tui.journal.entries import (
    INTERRUPT_MARK,
    INTERRUPT_MARK_TOOLS,
    SYNTHETIC_MODEL,
    AssistantEntry,
    CompactBoundaryEntry,
    DecisionEntry,
    FileSeenEntry,
    GrantedEntry,
    InterruptedEntry,
    LastPromptEntry,
    ModeEntry,
    ModelEntry,
    NoticeEntry,
    Purpose,
    ResponseEntry,
    ResultEntry,
    RetractedEntry,
    Stamp,
    StartedEntry,
    TitleEntry,
    UserEntry,
)
from agent_tui.journal.fold import Conversation
from agent_tui.journal.lines import said_text
from agent_tui.journal.replay import assistant_message, user_message
from agent_tui.loop.scribe import Scribe, Sink
from agent_tui.model.client import BlockDone, ModelResponse, Retrying
from agent_tui.protocol.content import (
    JsonObject,
    ToolResultBlock,
    block_to_json,
)
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import Display
from agent_tui.protocol.messages import (
    PermissionMode,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    UserMessage,
)
from agent_tui.protocol.ports import Seen
from agent_tui.protocol.requests import PermissionUpdate
from agent_tui.tools.base import ToolOutput

STDOUT, STDOUT_END = "<local-command-stdout>", "</local-command-stdout>"
BASH_IN, BASH_IN_END = "<bash-input>", "</bash-input>"
BASH_OUT, BASH_OUT_END = "<bash-stdout>", "</bash-stdout>"
NO_BASH_ERR = "<bash-stderr></bash-stderr>"


@dataclass(frozen=True, slots=True)
class Price:
    """What a response cost and how large its model's window is; cost None when unknown."""

    cost_usd: float | None
    context_window: int = 0
    max_output_tokens: int = 0


class Recorder(Scribe):
    """Knows every line of a session and the message that goes with it."""

    def begin_anew(self, sink: Sink, stamp: Stamp) -> None:
        """Go on with a new, empty session; the one until now stays as it is."""
        self._sink = sink
        self.stamp = stamp
        self.conversation = Conversation(session_id=stamp.session_id, cwd=stamp.cwd)

    def refold(self, conversation: Conversation) -> None:
        """Go on with another fold of the same journal: it went back, and that has been written."""
        self.conversation = conversation

    async def stream_event(self, event: JsonObject) -> None:
        """Pass on a raw event of the stream."""
        first = self.serving[0] if self.serving else None
        await self._emit(
            StreamEvent(
                self.stamp.new_id(),
                self.session_id,
                event,
                user_message_uuid=first,
                user_message_uuids=self.serving or None,
            )
        )

    async def notice(self, content: str, level: str = "info", **data: object) -> None:
        """Say and write a banner that is worth seeing again."""
        await self.noted("informational", content, level, **data)

    async def noted(self, subtype: str, content: str, level: str = "info", **data: object) -> None:
        """Say and write a system message with a text that is worth seeing again."""
        await self.tell(self.noting(subtype, content, level, **data))

    def noting(
        self, subtype: str, content: str, level: str = "info", **data: object
    ) -> SystemMessage:
        """Write such a message; give it."""
        entry = NoticeEntry(self.header(), content, level, subtype, dict(data) or None)
        self.write(entry)
        fields: JsonObject = {
            **data,
            "content": content,
            "level": level,
            "uuid": entry.header.uuid,
            "session_id": self.session_id,
        }
        return SystemMessage(subtype, fields)

    async def command_stdout(self, text: str) -> None:
        """Write and say, as the documented user message, what a command did to the conversation; the model sees it."""
        entry = UserEntry(
            self.header(),
            {"role": "user", "content": f"{STDOUT}{text}{STDOUT_END}"},
            synthetic=True,
        )
        self.write(entry)
        await self.tell(user_message(entry))

    async def shell_line(self, line: str, display: Display) -> str:
        """Write and say a line that the person runs in the shell; give its uuid. The model sees it."""
        entry = UserEntry(
            self.header(),
            {"role": "user", "content": f"{BASH_IN}{line}{BASH_IN_END}"},
            display=display,
            synthetic=True,
        )
        self.write(entry)
        await self.tell(user_message(entry))
        return entry.header.uuid

    async def shell_output(self, text: str, display: Display | None, duration_ms: int) -> None:
        """Write and say what came of the line before."""
        content = f"{BASH_OUT}{text}{BASH_OUT_END}{NO_BASH_ERR}"
        entry = UserEntry(
            self.header(),
            {"role": "user", "content": content},
            display=display,
            synthetic=True,
            duration_ms=duration_ms,
        )
        self.write(entry)
        await self.tell(user_message(entry))

    def started(self, origin: Literal["interactive", "print", "sdk"]) -> None:
        """Write the first line of a journal."""
        self.write(StartedEntry(self.header(), origin))

    def context(self, text: str) -> None:
        """Put the session's context (environment, memory) into the window."""
        message: JsonObject = {"role": "user", "content": [{"type": "text", "text": text}]}
        self.write(UserEntry(self.header(), message, is_meta=True, is_context=True))

    async def prompt(
        self,
        content: str | list[JsonObject],
        prompt_uuid: str | None,
        *,
        steers: bool = False,
        origin: JsonObject | None = None,
    ) -> None:
        """Write and say a prompt; its message carries the prompt's own uuid."""
        entry = UserEntry(
            self.header(prompt_uuid),
            {"role": "user", "content": content},
            prompt_uuid=prompt_uuid,
            steers=steers,
            origin=origin,
        )
        self.write(entry)
        if origin is None:  # lists of sessions show what the person said
            self.write(LastPromptEntry(self.header(), said_text(entry.blocks)[:2000]))
        await self.tell(user_message(entry))

    async def nudge(self, text: str) -> None:
        """Write and say text that asks the model to go on."""
        entry = UserEntry(
            self.header(),
            {"role": "user", "content": [{"type": "text", "text": text}]},
            synthetic=True,
        )
        self.write(entry)
        await self.tell(user_message(entry))

    def reminder(self, text: str) -> None:
        """Write text for the model alone."""
        message: JsonObject = {"role": "user", "content": [{"type": "text", "text": text}]}
        self.write(UserEntry(self.header(), message, is_meta=True))

    async def block(
        self,
        done: BlockDone,
        *,
        message_id: str,
        model: str,
        asked_model: str,
        usage: JsonObject | None,
        display: Display | None = None,
        aborted: bool = False,
    ) -> str:
        """Write and say one finished block of a response; give its line's uuid."""
        message: JsonObject = {
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [block_to_json(done.block)],
            "stop_reason": None,
            "usage": usage,
        }
        entry = AssistantEntry(
            self.header(),
            message,
            unparsed=done.unparsed,
            display=display,
            aborted=aborted,
            asked_model=asked_model,
        )
        self.write(entry)
        await self.tell(self.named(assistant_message(entry)))
        return entry.header.uuid

    async def api_error(self, text: str, error: str) -> None:
        """Write and say what stands in for an answer when the API failed for good."""
        message: JsonObject = {
            "id": self.stamp.new_id(),
            "type": "message",
            "role": "assistant",
            "model": SYNTHETIC_MODEL,
            "content": [{"type": "text", "text": text}],
            "stop_reason": "stop_sequence",
            "usage": None,
        }
        entry = AssistantEntry(self.header(), message, error=error)
        self.write(entry)
        await self.tell(self.named(assistant_message(entry)))

    def response(
        self, response: ModelResponse, price: Price, asked_model: str, purpose: Purpose = "main"
    ) -> None:
        """Write the end of a response: what it used and cost."""
        self.write(
            ResponseEntry(
                self.header(),
                response.message_id,
                asked_model,
                response.stop_reason,
                response.usage,
                price.cost_usd,
                purpose,
                price.context_window,
                price.max_output_tokens,
                response.duration_ms,
            )
        )

    async def retract(self, message_id: str, reason: str) -> None:
        """Take a response back: it stays in the file and leaves the conversation."""
        before = self.conversation.before_response(message_id)
        self.write(RetractedEntry(self.stamp.header(before), message_id, reason))
        await self.system("retracted", message_id=message_id, reason=reason)

    def withdraw_prompt(self, prompt_uuid: str) -> None:
        """Take a refused prompt out of what the model is shown; the person still sees it."""
        self.write(RetractedEntry(self.header(), prompt_uuid, "refusal"))

    def tool_result(
        self,
        tool_use_id: str,
        output: ToolOutput,
        source_uuid: str | None,
        duration_ms: int | None,
        decision: DecisionNote | None = None,
    ) -> UserMessage:
        """Write a call's result; give the message, which is said when its turn comes.

        ``decision`` goes with the message; in the file it is where ``decided`` has not put it.
        """
        result = ToolResultBlock(tool_use_id, output.content, output.is_error)
        entry = UserEntry(
            self.header(),
            {"role": "user", "content": [block_to_json(result)]},
            tool_use_result=output.structured,
            display=output.display,
            source_assistant_uuid=source_uuid,
            duration_ms=duration_ms,
            decision=decision if decision is not None and decision.plain else None,
        )
        self.write(entry)
        return replace(user_message(entry), decision=decision)

    def decided(self, decision: DecisionNote) -> None:
        """Write who let a call run, or kept it from running; a plain one is written with the result."""
        if not decision.plain:
            self.write(DecisionEntry(self.header(), decision))

    async def interrupted(self, during: Literal["streaming", "tools", "waiting"]) -> None:
        """Write and say that the person stopped the run."""
        self.write(InterruptedEntry(self.header(), during))
        await self.nudge(INTERRUPT_MARK_TOOLS if during == "tools" else INTERRUPT_MARK)

    async def cut(self, boundary: CompactBoundaryEntry, summary: UserEntry) -> None:
        """Write and say where the window is cut, and the summary that stands for what was before."""
        self.write(boundary)
        self.write(summary)
        await self.sync()
        fields: JsonObject = {
            "compact_metadata": boundary.compact_metadata,
            "logical_parent_uuid": boundary.logical_parent_uuid,
            "uuid": boundary.header.uuid,
            "session_id": self.session_id,
        }
        await self.tell(SystemMessage("compact_boundary", fields))
        await self.tell(user_message(summary))

    async def retrying(self, event: Retrying) -> None:
        """Say that a request is made again, and when."""
        await self.system(
            "api_retry",
            attempt=event.attempt,
            max_retries=event.max_retries,
            retry_delay_ms=event.delay_ms,
            error_status=event.status,
            error=event.error,
            reason=event.reason,
        )

    def mode(self, mode: PermissionMode) -> None:
        """Write the permission mode."""
        self.write(ModeEntry(self.header(), mode))

    def model(self, model: str) -> None:
        """Write the model that requests name."""
        self.write(ModelEntry(self.header(), model))

    def granted(self, updates: tuple[PermissionUpdate, ...]) -> None:
        """Write permission updates that hold for the session."""
        self.write(GrantedEntry(self.header(), updates))

    def title(self, title: str, *, generated: bool) -> None:
        """Write the session's title."""
        self.write(TitleEntry(self.header(), title, generated))

    def file_seen(self, path: str, seen: Seen) -> None:
        """Write which bytes of a file the model has been shown."""
        self.write(FileSeenEntry(self.header(), path, seen.digest, seen.total_lines, seen.ranges))

    async def result(self, result: ResultMessage) -> ResultMessage:
        """Write, make durable and say the end of a run."""
        header = self.header()
        result = replace(result, uuid=header.uuid, timestamp=header.timestamp)
        self.write(ResultEntry(header, result))
        with anyio.CancelScope(shield=True):  # an interrupt here would have a second one written
            await self.sync()
            await self.tell(result)
        return result
