"""Tool calls of one response: prepare, execute, finalise.

Calls that only look and follow one another run together; all others run one after another, each prepared (hooks,
permission) only when the one before has ended. Each result is written the moment its tool ends and said in the order
of the calls. Whatever happens, every call gets a result: an interrupt answers what ran and what never did.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import anyio

from agent_tui.loop.answer import CallSeen
from agent_tui.loop.approvals import Approver
from agent_tui.loop.auto_mode import AutoMode
from agent_tui.loop.hooks import Hooks
from agent_tui.loop.permission import Apply, Asked, Granted, Permission
from agent_tui.loop.policy import Policy
from agent_tui.loop.put_off import alone
from agent_tui.loop.record import Recorder
from agent_tui.loop.shelf import take_unseen
from agent_tui.loop.stopped import STOPPED_BEFORE, stopped_output
from agent_tui.loop.tool_hooks import ToolHooks
from agent_tui.loop.workplace import Workplace
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.decisions import DecisionNote
from agent_tui.protocol.display import DiffDisplay, Display
from agent_tui.protocol.messages import ToolProgress, UserMessage
from agent_tui.tools.base import (
    AnyTool,
    InvalidInputError,
    ToolCall,
    ToolOutput,
    ToolSet,
    read_answer,
)

__all__ = ["BROKEN", "CUT", "STOPPED_BEFORE", "Batch", "BatchOutcome", "Workplace"]

_log = logging.getLogger(__name__)

STOPPED_BY_HOOK = "Not run: a hook ended the run before this call was started."
CUT = (
    "This call was cut off by the output limit before its input was complete, so it was not run. "
    "Make the call again in smaller parts, for example write a file in several steps."
)
BROKEN = "This call was not run: the answer it belongs to broke off before it was complete."


@dataclass(slots=True)
class _Running:
    """One call on its way. ``seen`` (the newest display) and ``output`` are for what an interrupt leaves."""

    call: CallSeen
    started: float = 0.0
    seen: Display | None = None
    output: ToolOutput | None = None
    decision: DecisionNote | None = None
    message: UserMessage | None = None
    told: bool = False


@dataclass(frozen=True, slots=True)
class _Ready:
    """A call that may run."""

    tool: AnyTool
    granted: Granted


@dataclass(slots=True)
class BatchOutcome:
    """How the calls of a response went.

    ``interrupt``: an answer asked to end the run. ``stop``: why a hook ends it (empty without a reason), None to go on.
    ``put_off``: the call that a hook put off, which has no result.
    """

    interrupt: bool = False
    stop: str | None = None
    denials: list[JsonObject] = field(default_factory=list[JsonObject])
    put_off: CallSeen | None = None


class Batch:
    """Runs the calls of one response.

    Args:
        record: writes and says.
        tools: what can be called.
        policy: judges calls.
        approver: answers where the policy wants a question.
        hooks: fired around each call.
        workplace: where calls run.
        apply: takes over the changes of permissions that a hook's answer brings; without it they hold for the session.
        defers: hooks may put a call off; where they may not, it is asked.
        auto: looks at calls in the mode of that name.
    """

    def __init__(
        self,
        record: Recorder,
        tools: ToolSet,
        policy: Policy,
        approver: Approver,
        hooks: Hooks,
        workplace: Workplace,
        apply: Apply | None = None,
        *,
        defers: bool = False,
        auto: AutoMode | None = None,
    ) -> None:
        self._record = record
        self._tools = tools
        self._policy = policy
        self._permission = Permission(record, policy, approver, hooks, workplace, apply, auto)
        self._hooks = ToolHooks(hooks, record, workplace.cwd)
        self._workplace = workplace
        self._defers = defers
        self._outcome = BatchOutcome()
        self._running: list[_Running] = []

    async def run(self, calls: tuple[CallSeen, ...]) -> BatchOutcome:
        """Run all calls; each has a result in the journal when this returns or is cancelled, but for one put off."""
        self._running = [_Running(call) for call in calls]
        try:
            await self._queue_rest(self._running[1:])
            for group in self._groups():
                if self._over:
                    break
                await self._group(group)
            if self._outcome.put_off is not None:
                return self._outcome
            if not self._outcome.interrupt:
                await self.refuse(self._left(), STOPPED_BY_HOOK)
                await self._hooks.ended([call.block.id for call in calls])
        except anyio.get_cancelled_exc_class():
            with anyio.CancelScope(shield=True):
                await self._answer_rest()
                self._hooks.write([call.block.id for call in calls])
            raise
        if self._outcome.interrupt:
            await self._answer_rest()
            self._hooks.write([call.block.id for call in calls])
        self._outcome.stop = self._hooks.stop
        return self._outcome

    def only_looks(self, call: CallSeen) -> bool:
        """Tell whether a call changes nothing: an unknown or unreadable one does not count as such."""
        tool = self._tools.named(call.block.name)
        if tool is None or call.unparsed is not None:
            return False
        if tool.read_only:
            return True
        try:
            access = self._workplace.access(tool, tool.parse(call.block.input))
        except InvalidInputError:
            return False
        return isinstance(access, RunCommand) and self._policy.only_looks(access)

    def lacks(self, call: CallSeen) -> bool:
        """Tell whether a call that was put off has to wait because its tool is not here now."""
        return self._defers and self._tools.named(call.block.name) is None

    async def refuse(self, calls: Iterable[CallSeen], why: str) -> None:
        """Answer calls that will not be run."""
        for call in calls:
            running = next((one for one in self._running if one.call is call), _Running(call))
            self._error(running, why)
            await self._tell([running])

    # Grouping -------------------------------------------------------------------------------------------------------

    @property
    def _over(self) -> bool:
        """Whether no further call may begin."""
        return self._outcome.interrupt or self._hooks.stop is not None

    def _groups(self) -> list[list[_Running]]:
        groups: list[list[_Running]] = []
        together = False
        for running in self._running:
            concurrent = self.only_looks(running.call)
            if concurrent and together:
                groups[-1].append(running)
            else:
                groups.append([running])
            together = concurrent
        return groups

    def _left(self) -> list[CallSeen]:
        return [running.call for running in self._running if running.message is None]

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
        call, block = running.call, running.call.block
        tool = self._tools.named(block.name)
        if tool is None:
            return self._error(running, self._tools.missing(block.name))
        if (unseen := take_unseen(self._workplace.ports.shelf, block.name)) is not None:
            return self._error(running, unseen)
        if call.unparsed is not None:
            return self._error(
                running,
                f"The input of this call is no valid JSON object, so it was not run: {call.unparsed[:300]}\n"
                "Make the call again with its whole input as one JSON object.",
            )
        given = block.input
        try:
            args = tool.parse(given)
        except InvalidInputError as error:
            return self._error(running, str(error))
        hook = await self._hooks.before(tool.name, block.id, given)
        if hook.behavior == "defer" and await self._puts_off(call):
            return None
        if hook.updated_input is not None:
            given = hook.updated_input
            try:
                args = read_answer(tool, given)
            except InvalidInputError as error:
                return self._error(
                    running, f"A hook changed this call's input and broke it: {error}"
                )
        asked = Asked(tool, args, given, self._call(running))
        answer = await self._permission.decide(asked, hook)
        running.decision = answer.decision
        if isinstance(answer, Granted):
            return _Ready(tool, answer)
        self._outcome.interrupt = self._outcome.interrupt or answer.interrupt
        return (self._denied if answer.denial else self._error)(running, answer.text)

    async def _puts_off(self, call: CallSeen) -> bool:
        """Put a call off as a hook wants it, if that can be; else it is asked."""
        if not self._defers or self._hooks.stop is not None:
            return False
        name = call.block.name
        if not alone(self._record.conversation):
            await self._record.notice(
                f"A hook wants to put off a call of {name}, but only a call that is alone in its turn "
                "can be put off; it is asked instead.",
                "warning",
            )
            return False
        self._outcome.put_off = call
        await self._record.notice(
            f"A hook put off a call of {name}. It is decided when the session goes on."
        )
        return True

    # Execute --------------------------------------------------------------------------------------------------------

    async def _execute(self, running: _Running, ready: _Ready) -> None:
        block, place = running.call.block, self._workplace
        tool, granted = ready.tool, ready.granted
        running.started = anyio.current_time()
        if not tool.read_only:
            await self._record.sync()
        await self._record.say(ToolProgress(block.id, block.name, 0))
        before, folder = dict(place.ports.files.seen()), place.ports.shell.cwd
        made = self._about_to_make(tool, granted.args)
        output = await self._run(tool, granted.args, self._call(running))
        duration = round((anyio.current_time() - running.started) * 1000)
        running.output = output
        output = await self._hooks.after(tool.name, block.id, granted.given, output, duration)
        if output.aside:
            self._hooks.aside(block.id, output.aside)
        if granted.note:
            output = _with_note(output, granted.note)
        self._finish(running, output, duration)
        self._note_files(before)
        if isinstance(output.display, DiffDisplay) and output.display.created:
            made = (str(place.cwd / output.display.path),)
        for path in made:
            self._policy.note_made(path)
        await self._hooks.moved(folder, place.ports.shell.cwd)

    def _about_to_make(self, tool: AnyTool, args: Any) -> tuple[str, ...]:
        access = self._workplace.access(tool, args)
        return self._policy.about_to_make(access) if isinstance(access, RunCommand) else ()

    async def _run(self, tool: AnyTool, args: Any, call: ToolCall) -> ToolOutput:
        may_read = self._policy.reader(self._workplace.access(tool, args))
        try:
            return await tool.run(args, replace(call, may_read=may_read))
        except Exception as error:  # boundary: a tool's own fault is its result, the run goes on
            _log.exception("tool %s failed", tool.name)
            text = f"{type(error).__name__}: {error}".rstrip(": ")
            return ToolOutput(
                f"The tool failed: {text}", structured=f"Error: {text}", is_error=True
            )

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
            call.block.id, output, call.line_uuid, duration_ms, running.decision
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
        """Give a result to every call that has none: what ran keeps its output, or what there was of it."""
        for running in self._running:
            if running.message is None:
                ran = running.started > 0
                output = running.output or stopped_output(running.seen, ran=ran)
                duration = round((anyio.current_time() - running.started) * 1000) if ran else None
                self._finish(running, output, duration)
        await self._tell(self._running)


def _with_note(output: ToolOutput, note: str) -> ToolOutput:
    if isinstance(output.content, str):
        return replace(output, content=f"{output.content}\n\n{note}")
    return replace(output, content=[*output.content, {"type": "text", "text": note}])
