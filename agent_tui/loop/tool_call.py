"""Tool calls of one response: prepare, execute, finalise.

Calls that only look and follow one another run together; all others run one after another, each prepared (hooks,
permission) only when the one before has ended. Each result is written the moment its tool ends and said in the order
of the calls. Whatever happens, every call gets a result: an interrupt answers what ran and what never did.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import anyio

from agent_tui.loop.answer import CallSeen
from agent_tui.loop.approvals import Approver
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.policy import Judged, Policy
from agent_tui.loop.record import Recorder
from agent_tui.permissions.policy import Allowed, Denied, MustAsk
from agent_tui.protocol.access import Access, RunCommand
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.display import (
    CommandDisplay,
    DiffDisplay,
    Display,
    FileDisplay,
    SearchDisplay,
    TextDisplay,
)
from agent_tui.protocol.hooks import HookOutcome
from agent_tui.protocol.messages import ToolProgress, UserMessage
from agent_tui.protocol.ports import Ports
from agent_tui.protocol.requests import Allow, Deny, HookDecision, PermissionRequest
from agent_tui.tools.base import AnyTool, InvalidInputError, ToolCall, ToolOutput, ToolSet

_log = logging.getLogger(__name__)

DENIED_BY_PERSON = (
    "The person declined this call, so it was not run. Stop and wait: they will say how to go on."
)
STOPPED_BEFORE = "Not run: the person interrupted before this call was started."
STOPPED_DURING = "The person interrupted this call while it ran."
CUT = (
    "This call was cut off by the output limit before its input was complete, so it was not run. "
    "Make the call again in smaller parts, for example write a file in several steps."
)
BROKEN = "This call was not run: the answer it belongs to broke off before it was complete."


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where calls run: the world, the project folder, and the folder for output too long to return."""

    ports: Ports
    cwd: Path
    spill: Path


@dataclass(slots=True)
class _Running:
    """One call on its way. ``seen`` is the newest display, for what an interrupt leaves."""

    call: CallSeen
    started: float = 0.0
    seen: Display | None = None
    message: UserMessage | None = None
    told: bool = False


@dataclass(frozen=True, slots=True)
class _Ready:
    """A call that may run."""

    tool: AnyTool
    args: Any
    note: str = ""
    context: tuple[str, ...] = ()


@dataclass(slots=True)
class BatchOutcome:
    """How the calls of a response went. ``interrupt``: an answer asked to end the run."""

    interrupt: bool = False
    denials: list[JsonObject] = field(default_factory=list[JsonObject])


class Batch:
    """Runs the calls of one response."""

    def __init__(
        self,
        record: Recorder,
        tools: ToolSet,
        policy: Policy,
        approver: Approver,
        hooks: Hooks,
        workplace: Workplace,
    ) -> None:
        self._record = record
        self._tools = tools
        self._policy = policy
        self._approver = approver
        self._hooks = hooks
        self._workplace = workplace
        self._outcome = BatchOutcome()
        self._running: list[_Running] = []

    async def run(self, calls: tuple[CallSeen, ...]) -> BatchOutcome:
        """Run all calls; every one has a result in the journal when this returns or is cancelled."""
        self._running = [_Running(call) for call in calls]
        try:
            await self._queue_rest(self._running[1:])
            for group in self._groups():
                if self._outcome.interrupt:
                    break
                await self._group(group)
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._answer_rest()
            raise
        if self._outcome.interrupt:
            await self._answer_rest()
        return self._outcome

    async def refuse(self, calls: Iterable[CallSeen], why: str) -> None:
        """Answer calls that will not be run."""
        for call in calls:
            running = _Running(call)
            self._finish(running, ToolOutput(why, is_error=True, structured=f"Error: {why}"), None)
            await self._tell([running])

    # Grouping -------------------------------------------------------------------------------------------------------

    def _groups(self) -> list[list[_Running]]:
        groups: list[list[_Running]] = []
        together = False
        for running in self._running:
            concurrent = self._only_looks(running.call)
            if concurrent and together:
                groups[-1].append(running)
            else:
                groups.append([running])
            together = concurrent
        return groups

    def _only_looks(self, call: CallSeen) -> bool:
        tool = self._tools.by_name.get(call.block.name)
        if tool is None or call.unparsed is not None:
            return False
        if tool.read_only:
            return True
        try:
            access = self._access(tool, tool.parse(call.block.input))
        except InvalidInputError:
            return False
        return isinstance(access, RunCommand) and self._policy.only_looks(access)

    def _access(self, tool: AnyTool, args: Any) -> Access:
        """Say what a call would touch; a shell line runs where the shell is by now."""
        access = tool.access(args, self._workplace.cwd)
        if isinstance(access, RunCommand):
            return replace(access, cwd=self._workplace.ports.shell.cwd)
        return access

    async def _queue_rest(self, waiting: list[_Running]) -> None:
        for running in waiting:
            block = running.call.block
            await self._record.say(ToolProgress(block.id, block.name, 0, state="queued"))

    async def _group(self, group: list[_Running]) -> None:
        ready: list[tuple[_Running, _Ready]] = []
        for running in group:
            prepared = await self._prepare(running)
            if prepared is not None:
                ready.append((running, prepared))
            if self._outcome.interrupt:
                return
        if len(ready) == 1:
            await self._execute(*ready[0])
        elif ready:
            async with anyio.create_task_group() as tasks:
                for running, prepared in ready:
                    tasks.start_soon(self._execute, running, prepared)
        await self._tell(group)

    # Prepare --------------------------------------------------------------------------------------------------------

    async def _prepare(self, running: _Running) -> _Ready | None:
        """Check, fire hooks, judge and perhaps ask; None when the call got its answer here."""
        call = running.call
        tool = self._tools.by_name.get(call.block.name)
        if tool is None:
            names = ", ".join(self._tools.by_name)
            return self._error(
                running, f"There is no tool named {call.block.name!r}. There are: {names}."
            )
        if call.unparsed is not None:
            return self._error(
                running,
                f"The input of this call is no valid JSON object, so it was not run: {call.unparsed[:300]}",
            )
        try:
            args = tool.parse(call.block.input)
        except InvalidInputError as error:
            return self._error(running, str(error))
        hook = await self._hooks.fire(
            "PreToolUse",
            {
                "tool_name": tool.name,
                "tool_input": call.block.input,
                "tool_use_id": call.block.id,
            },
            match=tool.name,
        )
        tool_input = call.block.input
        if hook.updated_input is not None:
            tool_input = hook.updated_input
            try:
                args = tool.parse(tool_input)
            except InvalidInputError as error:
                return self._error(
                    running, f"A hook changed this call's input and broke it: {error}"
                )
        return await self._judge(running, tool, args, tool_input, hook)

    async def _judge(
        self,
        running: _Running,
        tool: AnyTool,
        args: Any,
        tool_input: JsonObject,
        hook: HookOutcome,
    ) -> _Ready | None:
        call = running.call
        access = self._access(tool, args)
        behavior = None if hook.behavior == "defer" else hook.behavior
        decision = HookDecision(behavior, hook.reason)
        judged = Judged(access, tool.name, tool_input, decision, tool.read_only)
        match self._policy.judge(judged):
            case Allowed():
                return _Ready(tool, args, context=hook.additional_context)
            case Denied() as denied:
                await self._record.system(
                    "permission_denied",
                    tool_name=tool.name,
                    tool_use_id=call.block.id,
                    message=denied.message,
                    decision_reason=str(denied.rule) if denied.rule else denied.by,
                    decision_reason_type=denied.by,
                )
                return self._denied(running, denied.message)
            case MustAsk() as question:
                return await self._ask(running, tool, args, judged, question)

    async def _ask(
        self, running: _Running, tool: AnyTool, args: Any, judged: Judged, question: MustAsk
    ) -> _Ready | None:
        block = running.call.block
        request = PermissionRequest(
            id=self._record.stamp.new_id(),
            tool_name=tool.name,
            tool_use_id=block.id,
            input=judged.tool_input,
            display=await tool.proposal(args, self._call(running)),
            title=_title(tool.name, tool.preview(args, self._workplace.cwd)),
            reason=question.reason,
            decided_by=question.decided_by,
            rule=question.rule,
            rule_source=question.rule_source,
            cwd=judged.access.cwd
            if isinstance(judged.access, RunCommand)
            else str(self._workplace.cwd),
            parts=question.parts,
            danger=question.danger,
            suggestions=self._policy.proposed(question.suggestions),
            blocked_path=question.blocked_path,
            default_to_no=question.default_to_no,
        )
        self._policy.asked(request.id, judged)
        try:
            answer = await self._approver.decide(request)
        finally:
            self._policy.closed(request.id)
        if isinstance(answer, Deny):
            if answer.interrupt:
                self._outcome.interrupt = True
            return self._denied(running, answer.message or DENIED_BY_PERSON)
        return await self._allowed(running, tool, args, judged, answer)

    async def _allowed(
        self, running: _Running, tool: AnyTool, args: Any, judged: Judged, answer: Allow
    ) -> _Ready | None:
        """Take an allow; changed input is judged by the deny rules again."""
        if answer.updated_input is None or answer.updated_input == judged.tool_input:
            return _Ready(tool, args, answer.note)
        try:
            args = tool.parse(answer.updated_input)
        except InvalidInputError as error:
            return self._error(running, f"The changed input can't be used: {error}")
        access = self._access(tool, args)
        again = replace(judged, access=access, tool_input=answer.updated_input)
        verdict = self._policy.judge(again)
        if isinstance(verdict, Denied):
            return self._denied(running, verdict.message)
        return _Ready(tool, args, answer.note)

    # Execute --------------------------------------------------------------------------------------------------------

    async def _execute(self, running: _Running, ready: _Ready) -> None:
        block = running.call.block
        running.started = anyio.current_time()
        if not ready.tool.read_only:
            await self._record.sync()
        await self._record.say(ToolProgress(block.id, block.name, 0))
        before = dict(self._workplace.ports.files.seen())
        try:
            output = await ready.tool.run(ready.args, self._call(running))
        except Exception as error:  # boundary: a tool's own fault is its result, the run goes on
            _log.exception("tool %s failed", block.name)
            text = f"{type(error).__name__}: {error}".rstrip(": ")
            output = ToolOutput(
                f"The tool failed: {text}", structured=f"Error: {text}", is_error=True
            )
        duration = round((anyio.current_time() - running.started) * 1000)
        after = await self._hooks.fire(
            "PostToolUseFailure" if output.is_error else "PostToolUse",
            {
                "tool_name": ready.tool.name,
                "tool_input": block.input,
                "tool_use_id": block.id,
                "tool_response": output.structured,
                "duration_ms": duration,
            },
            match=ready.tool.name,
        )
        if ready.note:
            output = _with_note(output, ready.note)
        self._finish(running, output, duration)
        self._note_files(before)
        if isinstance(output.display, DiffDisplay) and output.display.created:
            self._policy.note_made(str(self._workplace.cwd / output.display.path))
        for text in (*ready.context, *after.additional_context):
            self._record.reminder(text)

    def _call(self, running: _Running) -> ToolCall:
        block = running.call.block

        async def progress(display: Display) -> None:
            running.seen = display
            elapsed = (
                round((anyio.current_time() - running.started) * 1000) if running.started else 0
            )
            await self._record.say(ToolProgress(block.id, block.name, elapsed, display))

        place = self._workplace
        return ToolCall(
            id=block.id,
            cwd=place.cwd,
            ports=place.ports,
            progress=progress,
            may_read=self._policy.may_read,
            spill=place.spill,
            working_dirs=self._policy.working_dirs,
        )

    def _note_files(self, before: dict[str, Any]) -> None:
        """Write which files the call made known, so that a resumed session knows them too."""
        for path, seen in self._workplace.ports.files.seen().items():
            if before.get(path) != seen:
                self._record.file_seen(path, seen)

    # Finalise -------------------------------------------------------------------------------------------------------

    def _finish(self, running: _Running, output: ToolOutput, duration_ms: int | None) -> None:
        call = running.call
        running.message = self._record.tool_result(
            call.block.id, output, call.line_uuid, duration_ms
        )

    async def _tell(self, group: list[_Running]) -> None:
        for running in group:
            if running.message is not None and not running.told:
                running.told = True
                await self._record.tell(running.message)

    def _error(self, running: _Running, text: str) -> None:
        self._finish(running, ToolOutput(text, is_error=True, structured=f"Error: {text}"), None)

    def _denied(self, running: _Running, text: str) -> None:
        block = running.call.block
        self._outcome.denials.append(
            {"tool_name": block.name, "tool_use_id": block.id, "tool_input": block.input}
        )
        self._error(running, text)

    async def _answer_rest(self) -> None:
        """Give a result to every call that has none: what ran keeps its partial output."""
        for running in self._running:
            if running.message is None:
                ran = running.started > 0
                text = STOPPED_DURING if ran else STOPPED_BEFORE
                display = _stopped(running.seen)
                partial = _partial_text(running.seen) if ran else ""
                output = ToolOutput(
                    f"{text}\n{partial}".strip(),
                    display,
                    structured=f"Error: {text}",
                    is_error=True,
                )
                duration = round((anyio.current_time() - running.started) * 1000) if ran else None
                self._finish(running, output, duration)
        await self._tell(self._running)


def _with_note(output: ToolOutput, note: str) -> ToolOutput:
    if isinstance(output.content, str):
        return replace(output, content=f"{output.content}\n\n{note}")
    return replace(output, content=[*output.content, {"type": "text", "text": note}])


def _stopped(display: Display | None) -> Display | None:
    if isinstance(display, CommandDisplay):
        return replace(display, interrupted=True)
    return display


def _partial_text(display: Display | None) -> str:
    if not isinstance(display, CommandDisplay):
        return ""
    lines = [*display.head]
    if display.hidden_lines:
        lines.append(f"[{display.hidden_lines} lines left out]")
    lines.extend(display.tail)
    code = display.exit_code or 0
    how = f"It was ended by {signal.Signals(-code).name}.\n" if code < 0 else ""
    return how + ("Output until then:\n" + "\n".join(lines)[-4000:] if lines else "")


def _title(tool_name: str, preview: Display) -> str:
    match preview:
        case CommandDisplay():
            return "Run this command?"
        case DiffDisplay(path=what) | FileDisplay(path=what) | SearchDisplay(pattern=what):
            return f"{tool_name} {what}?"
        case TextDisplay(title=what) if what:
            return f"{tool_name} {what}?"
        case _:
            return f"Run {tool_name}?"
