"""The moments of one response's calls at which hooks may act, and what they leave behind.

Texts for the model are kept until every call has its result: they follow the results, in the order of the calls.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

from agent_tui.context.request import reminder
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.record import Recorder
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import HookEvent, HookOutcome
from agent_tui.tools.base import ToolOutput

PATH_FIELDS = {
    "Read": "file_path",
    "Write": "file_path",
    "Edit": "file_path",
    "NotebookEdit": "notebook_path",
}
"""Fields that hooks are given as absolute paths."""


class ToolHooks:
    """Fires the hooks of a response's calls. ``stop``: why the run ends after them, None: it goes on."""

    def __init__(self, hooks: Hooks, record: Recorder, cwd: Path) -> None:
        self._hooks = hooks
        self._record = record
        self._cwd = cwd
        self._texts: dict[str, list[str]] = {}
        self._ran: dict[str, JsonObject] = {}
        self.stop: str | None = None

    async def before(self, name: str, call_id: str, given: JsonObject) -> HookOutcome:
        """Fire PreToolUse."""
        fields = {"tool_name": name, "tool_input": self._shown(name, given), "tool_use_id": call_id}
        outcome = await self._hooks.fire("PreToolUse", fields, match=name)
        self._take(call_id, "PreToolUse", outcome)
        return outcome

    async def after(
        self, name: str, call_id: str, given: JsonObject, output: ToolOutput, duration_ms: int
    ) -> ToolOutput:
        """Fire PostToolUse or PostToolUseFailure; give the output, which they may have replaced."""
        fields: JsonObject = {
            "tool_name": name,
            "tool_input": self._shown(name, given),
            "tool_use_id": call_id,
            "duration_ms": duration_ms,
        }
        event: HookEvent = "PostToolUse"
        if output.is_error:
            event = "PostToolUseFailure"
            fields |= {"error": _text(output), "is_interrupt": False}
        else:
            structured = output.structured
            fields["tool_response"] = output.content if structured is None else structured
        outcome = await self._hooks.fire(event, fields, match=name)
        self._take(call_id, event, outcome)
        if outcome.updated_output is not None:
            output = await self._replaced(name, output, outcome.updated_output)
        call: JsonObject = {
            "tool_name": name,
            "tool_input": fields["tool_input"],
            "tool_use_id": call_id,
        }
        self._ran[call_id] = {**call, "tool_response": _text(output)}
        return output

    async def moved(self, old: str, new: str) -> None:
        """Fire CwdChanged if a command has changed the shell's folder."""
        if old != new:
            await self._hooks.fire("CwdChanged", {"old_cwd": old, "new_cwd": new})

    def aside(self, call_id: str, text: str) -> None:
        """Keep a text of the tool's own that follows the results."""
        self._texts.setdefault(call_id, []).append(text)

    async def ended(self, call_ids: list[str]) -> None:
        """Fire PostToolBatch for the calls that ran, and write what all hooks have to say."""
        ran = [self._ran[one] for one in call_ids if one in self._ran]
        if ran:
            outcome = await self._hooks.fire("PostToolBatch", {"tool_calls": ran})
            self._take("", "PostToolBatch", outcome)
            if outcome.blocked is not None and self.stop is None:
                self.stop = outcome.blocked
        self.write([*call_ids, ""])
        if self.stop is not None:
            why = f": {self.stop}" if self.stop else "."
            await self._record.notice(f"A hook ended the run{why}", "warning")

    def write(self, call_ids: list[str]) -> None:
        """Write the texts for the model that wait, in the order of these calls."""
        for call_id in call_ids:
            for text in self._texts.pop(call_id, ()):
                self._record.reminder(text)

    def _take(self, call_id: str, event: HookEvent, outcome: HookOutcome) -> None:
        texts = [f"A {event} hook adds: {text}" for text in outcome.additional_context]
        if outcome.blocked is not None and event != "PostToolBatch":
            texts.append(f"A {event} hook objects: {outcome.blocked}")
        self._texts.setdefault(call_id, []).extend(map(reminder, texts))
        if outcome.stop is not None and self.stop is None:
            self.stop = outcome.stop

    async def _replaced(self, name: str, output: ToolOutput, given: Any) -> ToolOutput:
        found = replaced(output, given)
        if found is None:
            await self._record.notice(
                f"A hook's updatedToolOutput does not have the shape of what {name} gives; "
                "the model got the tool's own output.",
                "warning",
            )
        return found or output

    def _shown(self, name: str, given: JsonObject) -> JsonObject:
        field = PATH_FIELDS.get(name)
        path = given.get(field) if field else None
        if field is None or not isinstance(path, str) or not path:
            return given
        return {**given, field: str(self._cwd / Path(path).expanduser())}


def replaced(output: ToolOutput, given: Any) -> ToolOutput | None:
    """Give a tool's output with what a hook puts in its place; None where that has not the output's shape.

    Text fits everything. An object may change fields of the structured output; the model is told their texts.
    """
    if isinstance(given, str):
        structured = given if not isinstance(output.structured, dict) else output.structured
        return _with(output, given, structured)
    if isinstance(given, list) and not isinstance(output.structured, dict):
        blocks = [
            cast("JsonObject", one) for one in cast("list[Any]", given) if isinstance(one, dict)
        ]
        whole = len(blocks) == len(cast("list[Any]", given)) > 0
        fits = whole and all(isinstance(block.get("type"), str) for block in blocks)
        return _with(output, blocks, blocks) if fits else None
    if isinstance(given, dict) and isinstance(output.structured, dict):
        fields = cast("JsonObject", given)
        if not fields or not fields.keys() <= output.structured.keys():
            return None
        whole_object = {**output.structured, **fields}
        return _with(output, _told(whole_object), whole_object)
    return None


def _with(output: ToolOutput, content: str | list[JsonObject], structured: Any) -> ToolOutput:
    if isinstance(content, str) and not content.strip():
        content = "(no output)"
    return ToolOutput(content, output.display, structured, output.is_error, output.aside)


def _told(structured: JsonObject) -> str:
    """Say an output object in words: a command's output as it is, anything else as JSON."""
    if isinstance(structured.get("stdout"), str):
        parts = (structured["stdout"], str(structured.get("stderr") or ""))
        return "\n".join(part for part in parts if part)
    return json.dumps(structured, ensure_ascii=False, default=str)


def _text(output: ToolOutput) -> str:
    if isinstance(output.content, str):
        return output.content
    texts = (str(block.get("text", f"[{block.get('type')}]")) for block in output.content)
    return "\n".join(texts)
