"""Messages of a run as lines, and lines with all that binds nobody taken away: texts, ids, counts, notices.

``Recorder`` writes the lines in the form of ``tests/data/sdk-sequences.json``; ``binding`` brings both to one form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from agent_tui.sdk import (
    AssistantMessage,
    ConversationResetMessage,
    ResultMessage,
    StreamEvent,
    SystemMessage,
    TextBlock,
    ThinkingBlock,
    ToolResultBlock,
    ToolUseBlock,
    UserMessage,
)

SHOWN: dict[str, tuple[str, ...]] = {
    "init": ("permissionMode",),
    "status": ("status", "permissionMode", "compact_result"),
    "api_retry": ("attempt", "max_retries", "error_status"),
    "model_fallback": ("trigger",),
    "task_notification": ("status",),
}
"""What a line tells of a system message, where it is there; ``status`` and ``error_status`` may be null."""

UNBOUND = (
    "background_tasks_changed",
    "thinking_tokens",
    "notification",
    "informational",
    "session_state_changed",
    "commands_changed",
)
"""System messages that bind nobody."""


@dataclass
class Recorder:
    """What a driver saw: messages and marks, hooks, questions."""

    lines: list[str] = field(default_factory=list[str])
    hooks: list[str] = field(default_factory=list[str])
    asked: list[list[str]] = field(default_factory=list[list[str]])

    def mark(self, text: str) -> None:
        self.lines.append(f"-- {text}")

    def take(self, message: Any) -> None:
        self.lines.append(_line(message))


def _line(message: Any) -> str:
    match message:
        case SystemMessage(subtype, data):
            shown = {key: data[key] for key in SHOWN.get(subtype, ()) if key in data}
            return f"System {subtype} {json.dumps(shown)}" if shown else f"System {subtype}"
        case AssistantMessage():
            more = f" error={message.error}" if message.error else ""
            more += f" parent={message.parent_tool_use_id}" if message.parent_tool_use_id else ""
            blocks = " ".join(map(_block, message.content))
            return f"Assistant [{blocks}] message_id={message.message_id}{more}"
        case UserMessage(content):
            blocks = '"text"' if isinstance(content, str) else " ".join(map(_block, content))
            parent = message.parent_tool_use_id
            return f"User [{blocks}]" + (f" parent={parent}" if parent else "")
        case StreamEvent(event=event):
            part = event.get("delta", event.get("content_block", {})).get("type", "")
            return f"StreamEvent {event['type']} {part}".rstrip()
        case ResultMessage():
            return f"Result {json.dumps(_result(message))}"
        case ConversationResetMessage():
            return "ConversationReset"
        case _:
            return type(message).__name__


def _block(block: Any) -> str:
    match block:
        case TextBlock(text):
            return f"Text {json.dumps(text)}"
        case ThinkingBlock():
            return "Thinking"
        case ToolUseBlock(id_, name):
            return f"ToolUse {name} {id_}"
        case ToolResultBlock(id_, _, is_error):
            return f"ToolResult {id_} is_error={'absent' if is_error is None else is_error}"
        case _:
            return type(block).__name__


def _result(message: ResultMessage) -> dict[str, Any]:
    return {
        "subtype": message.subtype,
        "is_error": message.is_error,
        "stop_reason": message.stop_reason,
        "terminal_reason": message.terminal_reason,
        "api_error_status": message.api_error_status,
        "structured_output": message.structured_output,
        "result": None if message.result is None else "set",
        "errors": message.errors and len(message.errors),
        "permission_denials": [denied["tool_name"] for denied in message.permission_denials or ()],
    }


def binding(lines: Iterable[str]) -> list[str]:
    """Bring lines to what binds: see the README of the cases."""
    return list(_once(_Binding()(lines)))


class _Binding:
    """Follows which response is spoken and which call has which id."""

    def __init__(self) -> None:
        self._response = ""
        self._calls: dict[str, str] = {}

    def __call__(self, lines: Iterable[str]) -> Iterator[str]:
        for line in lines:
            kind, _, rest = line.partition(" ")
            match kind:
                case "System":
                    if rest.split()[0] not in UNBOUND:
                        yield line
                case "Assistant":
                    yield self._assistant(rest)
                case "User":
                    yield "User " + self._blocks(rest) + self._parent(rest)
                case "StreamEvent":
                    yield re.sub(r"\s+x\d+$", "", line)
                case "Result":
                    yield "Result " + _settled(json.loads(rest))
                case "hook" | "callback":
                    pass
                case _:
                    yield line

    def _assistant(self, rest: str) -> str:
        found = re.search(r"message_id=(\S+)", rest)
        response = found[1] if found else ""
        same, self._response = response == self._response, response
        error = re.search(r"error=(\S+)", rest)
        more = f" error={error[1]}" if error else ""
        place = "same" if same else "new"
        return f"Assistant {place} {self._blocks(rest)}{more}{self._parent(rest)}"

    def _blocks(self, rest: str) -> str:
        said: list[str] = []
        for block in re.finditer(
            r'Text "(?:[^"\\]|\\.)*"|Thinking|ToolUse (\S+) ([^\s\]]+)'
            r'|ToolResult (\S+) is_error=(\w+)|"(?:[^"\\]|\\.)*"',
            rest,
        ):
            name, call, answered, is_error = block.groups()
            if name:
                self._calls[call] = name
                said.append(f"ToolUse {name}")
            elif answered:
                said.append(f"ToolResult {self._calls.get(answered, '?')} is_error={is_error}")
            else:
                said.append("Thinking" if block[0] == "Thinking" else "Text")
        return f"[{', '.join(said)}]"

    def _parent(self, rest: str) -> str:
        found = re.search(r" parent=(\S+)", rest)
        return f" parent={self._calls.get(found[1], '?')}" if found else ""


def _settled(result: dict[str, Any]) -> str:
    """Say what binds of a result."""
    kept = {
        key: result.get(key)
        for key in ("subtype", "is_error", "stop_reason", "terminal_reason", "result")
    }
    kept["errors"] = bool(result.get("errors"))
    kept["denied"] = result.get("permission_denials") or []
    for key in ("api_error_status", "structured_output"):
        if result.get(key) is not None:
            kept[key] = result[key]
    return json.dumps(kept)


def _once(lines: Iterable[str]) -> Iterator[str]:
    """Leave out stream events that repeat: how often they come follows from how the server cuts."""
    before = ""
    for line in lines:
        if line != before or not line.startswith("StreamEvent"):
            yield line
        before = line


def hooks_of(lines: Iterable[str]) -> list[str]:
    """Give the hooks of recorded lines."""
    return [line.removeprefix("hook ") for line in lines if line.startswith("hook ")]
