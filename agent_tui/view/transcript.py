"""The fold of a session's messages into blocks: the same for a session watched live and one read from its journal.

``Transcript.apply`` takes messages in order and tells what changed; it reads no clock and draws nothing. Deltas only
make an open block grow: what stays is always what a finished message said, so with and without deltas the same
blocks remain.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

from agent_tui.protocol import content as api
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import FileDisplay, SearchDisplay
from agent_tui.protocol.mask_stream import StreamMask
from agent_tui.protocol.masking import Masker
from agent_tui.protocol.messages import (
    AssistantMessage,
    ConversationResetMessage,
    Message,
    QueueChanged,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    SystemMessage,
    ToolProgress,
    UserMessage,
)
from agent_tui.protocol.requests import PermissionRequest, RequestClosed
from agent_tui.protocol.usage import Usage
from agent_tui.view import shell_lines
from agent_tui.view.blocks import (
    AnswerBlock,
    Block,
    Change,
    Cleared,
    Closed,
    CompactBlock,
    ErrorBlock,
    Grew,
    NoticeBlock,
    Prepended,
    PromptBlock,
    ResultBlock,
    ThoughtBlock,
    ToolBlock,
)
from agent_tui.view.calls import Calls
from agent_tui.view.notices import WorkEnded, notice_of
from agent_tui.view.outcomes import count, seconds_between, why_ended
from agent_tui.view.shelf import Shelf, Streaming

LOOKING_TOOLS = frozenset(
    {
        "Read",
        "Grep",
        "Glob",
        "WebFetch",
        "WebSearch",
        "ToolSearch",
        "Skill",
        "TaskGet",
        "TaskList",
        "TaskOutput",
    }
)
"""Calls of these change nothing, whatever their display."""

_INTERRUPTED = "[Request interrupted by user"
_STDOUT = ("<local-command-stdout>", "</local-command-stdout>")
_COMPACTED = "Compacted."


class Transcript:
    """What a person is to be shown of one session, block by block; secrets are hidden in all of it.

    ``masker`` hides them; what a person is asked to approve doesn't come from here and is shown whole.
    """

    def __init__(self, masker: Masker | None = None) -> None:
        self._masker = masker or Masker()
        self._begin_anew()

    def _begin_anew(self) -> None:
        self._shelf = Shelf()
        self._seen: set[str] = set()
        self._streaming = Streaming()
        self._mask = StreamMask(self._masker)
        self._calls = Calls(self._shelf)
        self._inside: dict[str, Transcript] = {}
        self._last_time: str | None = None
        self._last_compact = ""
        self._shell_card = ""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks in order. An open block has its text so far."""
        return tuple(self._whole(block) for block in self._shelf)

    def block(self, block_id: str) -> Block | None:
        """Give a block by id, None when there is no such block (any more)."""
        found = self._shelf.get(block_id)
        return None if found is None else self._whole(found)

    def apply(self, message: Message) -> tuple[Change, ...]:
        """Take the next message; give the changes in the order they are to be made."""
        if self._is_repeated(message):
            return ()
        if not isinstance(message, StreamEvent):
            message = self._masker.data(message)
        match message:
            case StreamEvent():
                return () if message.parent_tool_use_id else tuple(self._stream(message.event))
            case (
                AssistantMessage(parent_tool_use_id=str(call))
                | UserMessage(parent_tool_use_id=str(call))
            ):
                return self._told_inside(call, message)
            case AssistantMessage():
                return tuple(self._assistant(message))
            case UserMessage():
                return tuple(self._user(message))
            case SystemMessage():
                return tuple(self._system(message))
            case ToolProgress():
                return () if message.parent_tool_use_id else tuple(self._calls.progress(message))
            case PermissionRequest():
                return tuple(self._calls.ask(message))
            case RequestClosed():
                return tuple(self._calls.answered(message.id))
            case ResultMessage():
                return tuple(self._result(message))
            case ConversationResetMessage():
                self._begin_anew()
                return (Cleared(),)
            case StatusChanged():
                return () if message.busy else tuple(self._calls.settle())
            case QueueChanged():
                return ()

    def left_alone(self) -> tuple[Change, ...]:
        """Take it that the engine is another one: what worked in the background is gone."""
        return tuple(self._calls.left_alone())

    def put_inside(self, call_id: str, messages: Iterable[Message]) -> tuple[Change, ...]:
        """Take what the sub-agent of a call said and did, all of it, from its own journal."""
        block = self._shelf.get(call_id)
        if not isinstance(block, ToolBlock):
            return ()
        inner = self._inside[call_id] = Transcript(self._masker)
        for message in messages:
            inner.apply(message)
        return (self._shelf.update(replace(block, inside=_of_agent(inner))),)

    def _told_inside(
        self, call_id: str, message: AssistantMessage | UserMessage
    ) -> tuple[Change, ...]:
        """Give a sub-agent's message to the transcript of the call that began it, or to one that holds that call."""
        for holder in (call_id,) if call_id in self._shelf else tuple(self._inside):
            inner = self._inside.setdefault(holder, Transcript(self._masker))
            own = replace(message, parent_tool_use_id=None) if holder == call_id else message
            block = self._shelf.get(holder)
            if inner.apply(own) and isinstance(block, ToolBlock):
                return (self._shelf.update(replace(block, inside=_of_agent(inner))),)
        return ()

    def prepend(self, messages: Iterable[Message]) -> tuple[Change, ...]:
        """Take an older page: messages that came before everything applied so far, oldest first."""
        older = Transcript(self._masker)
        older._seen = self._seen
        for message in messages:
            older.apply(message)
        deque(older._void(), maxlen=0)
        self._calls.join(older._calls)
        blocks = self._shelf.put_before(older._shelf)
        return (Prepended(blocks),) if blocks else ()

    # Streaming ------------------------------------------------------------------------------------------------------

    def _stream(self, event: JsonObject) -> Iterable[Change]:
        match event.get("type"):
            case "message_start":
                yield from self._void()
                message = cast("JsonObject", event.get("message") or {})
                self._streaming = Streaming(str(message.get("id", "")))
            case "content_block_start":
                raw = cast("JsonObject", event.get("content_block") or {})
                yield from self._begin(raw)
            case "content_block_delta":
                delta = cast("JsonObject", event.get("delta") or {})
                text = delta.get("text") or delta.get("thinking") or ""
                yield from self._grow(str(text))
            case _:
                pass

    def _begin(self, raw: JsonObject) -> Iterable[Change]:
        streaming = self._streaming
        streaming.kind = str(raw.get("type"))
        streaming.parts = []
        self._mask = StreamMask(self._masker)
        match streaming.kind:
            case "thinking" | "redacted_thinking":
                block = ThoughtBlock(self._shelf.name(streaming.message_id), "", open=True)
                streaming.block_id = block.id
                yield self._shelf.add(block)
            case "tool_use":
                name = str(raw.get("name"))
                block = ToolBlock(str(raw.get("id")), name, looked=name in LOOKING_TOOLS)
                streaming.block_id = block.id
                yield self._shelf.add(block)
            case _:
                pass
        yield from self._grow(str(raw.get("text") or raw.get("thinking") or ""))

    def _grow(self, text: str) -> Iterable[Change]:
        streaming = self._streaming
        if not text or streaming.kind not in ("text", "thinking"):
            return
        text = self._mask.feed(text)
        if not text:
            return
        streaming.parts.append(text)
        if streaming.block_id is not None:
            yield Grew(streaming.block_id, text)
        elif text.strip():
            # Blank text alone never becomes a block, so an open one begins with the first text that is more.
            whole = "".join(streaming.parts)
            block = AnswerBlock(self._shelf.name(streaming.message_id), whole, open=True)
            streaming.block_id = block.id
            yield self._shelf.add(block)

    def _void(self) -> Iterable[Change]:
        """Take back what streamed and was never finished."""
        block_id = self._streaming.block_id
        self._streaming = Streaming(self._streaming.message_id)
        if block_id is not None and block_id in self._shelf:
            yield self._remove(block_id)

    # Finished messages ----------------------------------------------------------------------------------------------

    def _assistant(self, message: AssistantMessage) -> Iterable[Change]:
        message_id = message.message_id or message.uuid or ""
        if message_id != self._streaming.message_id:
            yield from self._void()
            self._streaming = Streaming(message_id)
        for piece in message.content:
            if not self._streaming.is_becoming(piece):
                yield from self._void()
            match piece:
                case api.TextBlock(text):
                    if message.error is not None:
                        block_id = self._shelf.name(message_id)
                        yield from self._finish(ErrorBlock(block_id, text, message.error))
                    elif text.strip():
                        block = AnswerBlock(
                            self._open_id(message_id), text, aborted=message.aborted
                        )
                        yield from self._finish(block)
                case api.ThinkingBlock(thinking, _):
                    yield from self._thought(message, message_id, thinking)
                case api.RedactedThinkingBlock():
                    yield from self._thought(message, message_id, "")
                case api.ToolUseBlock(id_, name, input_) | api.ServerToolUseBlock(
                    id_, name, input_
                ):
                    yield from self._call(message, id_, name, input_)
                case api.ServerToolResultBlock(_, tool_use_id, _):
                    yield from self._calls.set_state(tool_use_id, "done")
                case _:
                    pass
        self._last_time = message.timestamp or self._last_time

    def _thought(self, message: AssistantMessage, message_id: str, text: str) -> Iterable[Change]:
        seconds = seconds_between(self._last_time, message.timestamp)
        yield from self._finish(ThoughtBlock(self._open_id(message_id), text, seconds))

    def _call(
        self, message: AssistantMessage, tool_use_id: str, name: str, tool_input: JsonObject
    ) -> Iterable[Change]:
        looked = name in LOOKING_TOOLS or isinstance(message.display, FileDisplay | SearchDisplay)
        block = ToolBlock(tool_use_id, name, tool_input, display=message.display, looked=looked)
        if message.aborted:
            block = replace(block, state="stopped")
        else:
            self._calls.expect(tool_use_id)
        self._shelf.belongs(tool_use_id, message.message_id or "")
        yield from self._finish(block)
        yield from self._calls.early_result(tool_use_id)

    def _finish(self, block: Block) -> Iterable[Change]:
        """Put a finished block in place of the open one, or at the end."""
        streaming = self._streaming
        if streaming.block_id == block.id:
            yield from self._held_back(block)
            streaming.block_id, streaming.kind, streaming.parts = None, "", []
            self._shelf.update(block)
            yield Closed(block)
        elif block.id in self._shelf:
            yield self._shelf.update(block)
        else:
            yield self._shelf.add(block)

    def _held_back(self, block: Block) -> Iterable[Change]:
        """Let an open block grow by what could have become a secret and has not, so that it has been told whole."""
        said = "".join(self._streaming.parts)
        text = block.text if isinstance(block, AnswerBlock | ThoughtBlock) else ""
        if len(text) > len(said) and text.startswith(said):
            yield Grew(block.id, text[len(said) :])

    def _user(self, message: UserMessage) -> Iterable[Change]:
        pieces = message.content
        if isinstance(pieces, str):
            pieces = (api.TextBlock(pieces),)
        results = [piece for piece in pieces if isinstance(piece, api.ToolResultBlock)]
        for result in results:
            yield from self._calls.result(message, result)
        if not results:
            text = "\n".join(piece.text for piece in pieces if isinstance(piece, api.TextBlock))
            shell = tuple(self._shell_line(message, text)) if text.startswith("<bash-") else ()
            if shell:
                yield from shell
            elif message.synthetic:
                yield from self._synthetic(message, text)
            elif (ended := WorkEnded.told_to_model(message)) is not None:
                yield from self._calls.settle()
                if ended.task_id:  # when it was said, that has been shown already
                    yield from self._calls.work_ended(ended, message.uuid or ended.task_id)
            else:
                yield from self._calls.settle()
                images = sum(isinstance(piece, api.ImageBlock) for piece in pieces)
                block_id = message.uuid or self._shelf.name("prompt")
                yield self._shelf.add(PromptBlock(block_id, text, message.timestamp, images))
        self._last_time = message.timestamp or self._last_time

    def _synthetic(self, message: UserMessage, text: str) -> Iterable[Change]:
        block_id = message.uuid or self._shelf.name("note")
        compact = self._shelf.get(self._last_compact)
        if text.startswith(_INTERRUPTED):
            yield from self._void()
            yield self._shelf.add(NoticeBlock(block_id, "stopped", "Stopped by you"))
        elif text.startswith(_STDOUT[0]):
            said = text.removeprefix(_STDOUT[0]).removesuffix(_STDOUT[1])
            if said != _COMPACTED:  # the row of the cut says it
                yield self._shelf.add(NoticeBlock(block_id, "output", said))
        elif isinstance(compact, CompactBlock) and not compact.summary:
            yield self._shelf.update(replace(compact, summary=text))
        elif text.strip():
            yield self._shelf.add(NoticeBlock(block_id, "info", text))

    def _shell_line(self, message: UserMessage, text: str) -> Iterable[Change]:
        """Show a line that the person ran in the shell, or what came of the last one."""
        block_id = message.uuid or self._shelf.name("shell")
        card = self._shelf.get(self._shell_card)
        done = shell_lines.ended(
            message, text, card if isinstance(card, ToolBlock) else None, block_id
        )
        begun = shell_lines.begun(message, text, block_id)
        if done is not None:
            self._shell_card = ""
            self._calls.forget(done.id)
            yield self._shelf.update(done) if done.id in self._shelf else self._shelf.add(done)
        elif begun is not None:
            yield from self._calls.settle()
            self._shell_card = begun.id
            self._calls.expect(begun.id)
            yield self._shelf.add(begun)

    def _result(self, message: ResultMessage) -> Iterable[Change]:
        yield from self._void()
        for denial in message.permission_denials:
            yield from self._calls.refuse(str(denial.get("tool_use_id")), "refused")
        yield from self._calls.settle()
        if not message.num_turns and self._is_own_line_stopped():
            return  # its card says so
        # of a command that was not to be carried out a notice has said why
        if message.num_turns or message.errors or (message.is_error and not message.result):
            usage = Usage.from_api(message.usage)
            yield self._shelf.add(
                ResultBlock(
                    message.uuid or self._shelf.name("result"),
                    message.num_turns,
                    usage.input_tokens + usage.cache_creation_input_tokens + usage.output_tokens,
                    message.cost_usd,
                    message.duration_ms,
                    message.subtype,
                    why_ended(message),
                )
            )

    def _is_own_line_stopped(self) -> bool:
        last = self._shelf.last
        return isinstance(last, ToolBlock) and (last.name, last.state) == (
            shell_lines.NAME,
            "stopped",
        )

    # System ---------------------------------------------------------------------------------------------------------

    def _system(self, message: SystemMessage) -> Iterable[Change]:
        data = message.data
        block_id = str(data.get("uuid") or self._shelf.name(message.subtype))
        match message.subtype:
            case "api_retry":
                yield from self._void()
            case "retracted":
                yield from self._retract(str(data.get("message_id")))
            case "compact_boundary":
                facts = cast("JsonObject", data.get("compact_metadata") or {})
                self._last_compact = block_id
                yield self._shelf.add(
                    CompactBlock(
                        block_id,
                        str(facts.get("trigger", "auto")),
                        count(facts.get("pre_tokens")),
                        count(facts.get("post_tokens")),
                    )
                )
            case "permission_denied":
                why = str(data.get("decision_reason") or data.get("decision_reason_type") or "")
                yield from self._calls.refuse(str(data.get("tool_use_id")), why or "refused")
            case "task_notification":
                yield from self._calls.work_ended(WorkEnded.of(data), block_id)
            case _:
                notice = notice_of(message.subtype, data, block_id)
                if notice is not None:
                    yield self._shelf.add(notice)

    def _retract(self, message_id: str) -> Iterable[Change]:
        if message_id == self._streaming.message_id:
            yield from self._void()
        for block_id in self._shelf.of(message_id):
            yield self._remove(block_id)

    def _remove(self, block_id: str) -> Change:
        self._calls.forget(block_id)
        return self._shelf.remove(block_id)

    # Open block -----------------------------------------------------------------------------------------------------

    def _open_id(self, message_id: str) -> str:
        return self._streaming.block_id or self._shelf.name(message_id)

    def _whole(self, block: Block) -> Block:
        streaming = self._streaming
        if block.id == streaming.block_id and isinstance(block, AnswerBlock | ThoughtBlock):
            return replace(block, text="".join(streaming.parts))
        return block

    def _is_repeated(self, message: Message) -> bool:
        match message:
            case (
                AssistantMessage(uuid=str(uuid))
                | UserMessage(uuid=str(uuid))
                | ResultMessage(uuid=str(uuid))
            ):
                pass
            case SystemMessage(data={"uuid": str(uuid)}):
                pass
            case _:
                return False
        if uuid in self._seen:
            return True
        self._seen.add(uuid)
        return False


def _of_agent(transcript: Transcript) -> tuple[Block, ...]:
    """Give a sub-agent's blocks without the task it was given, which its card tells."""
    return tuple(block for block in transcript.blocks if not isinstance(block, PromptBlock))
