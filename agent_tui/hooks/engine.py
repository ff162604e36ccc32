"""Fires events: the matching hooks run together, what they say is folded, what concerns the person is said.

The engine knows neither loop nor permissions: what it needs of the session comes in as ``Surroundings``. A sub-agent
fires the same hooks, with its own name in the event's fields.
"""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, cast

import anyio

from agent_tui.hooks.background import Background
from agent_tui.hooks.callbacks import run_callback
from agent_tui.hooks.command import Place, Ran, run_command
from agent_tui.hooks.configured import CallbackHook, CommandHook, Hook, Registered
from agent_tui.hooks.events import (
    ALWAYS_SHOWN,
    CALLBACK_SECONDS,
    EVENTS,
    MOST_END_SECONDS,
    Row,
)
from agent_tui.hooks.exits import read_end
from agent_tui.hooks.failure import Failure, blocks, named, refusal, told, way_out
from agent_tui.hooks.folding import fold
from agent_tui.hooks.long_text import MOST, bounded
from agent_tui.hooks.output import SILENT, Said
from agent_tui.protocol.content import JsonObject
from agent_tui.protocol.hooks import NOTHING, HookEvent, HookOutcome
from agent_tui.settings.schema import HookFailures

RuleCovers: TypeAlias = Callable[[str, str, JsonObject], bool]
"""Whether a permission rule covers a call (the rule's text, the tool's name, its input); true where that can't be told."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What hooks need to know of the session, asked each time.

    Attributes:
        common: the input fields every event has.
        place: where commands run, with their environment.
        spill: the folder for texts too long to pass on.
        covers: judges ``if`` rules.
        say: shows the person a sentence with a level.
        tell: says a ``hook_started`` or ``hook_response`` to front ends.
        aliases: other names of tools, by the name that is used.
    """

    common: Callable[[], JsonObject]
    place: Callable[[], Place]
    spill: Callable[[], Path]
    covers: RuleCovers
    say: Callable[[str, str], Awaitable[None]]
    tell: Callable[[str, JsonObject], Awaitable[None]]
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


class HookEngine:
    """Implements ``loop.hooks.Hooks``.

    Args:
        hooks: all hooks, in order.
        around: the session.
        failures: what a hook that failed does to what it guards; None leaves it to the event.
        shown: every command hook is told to front ends, not only those of the session's start.
    """

    def __init__(
        self,
        hooks: Iterable[Registered],
        around: Surroundings,
        *,
        failures: HookFailures | None = None,
        shown: bool = False,
    ) -> None:
        self._by_event: dict[HookEvent, list[Registered]] = {}
        for one in hooks:
            self._by_event.setdefault(one.event, []).append(one)
        self._around = around
        self._failures: HookFailures | None = failures
        self._shown = shown
        self._background = Background()
        self._explained: set[object] = set()

    async def serve(self) -> None:
        """Run what nobody waits for, until cancelled."""
        await self._background.serve()

    def launch(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> None:
        """Fire an event nobody waits for."""
        if event in self._by_event:

            async def job() -> None:
                await self.fire(event, fields, match=match)

            self._background.add(job)

    async def fire(
        self, event: HookEvent, fields: JsonObject | None = None, *, match: str = ""
    ) -> HookOutcome:
        """Run the hooks of an event together and fold what they say; see ``loop.hooks.Hooks``."""
        if event not in self._by_event:
            return NOTHING
        given = {**self._around.common(), "hook_event_name": event, **(fields or {})}
        match = match or str(given.get(EVENTS[event].field) or "")
        firing = _Firing(event, given, match, EVENTS[event])
        hooks = self._matching(firing)
        outcomes = [NOTHING] * len(hooks)

        async def run(index: int, hook: Hook) -> None:
            outcomes[index] = await self._one(firing, hook)

        with anyio.move_on_after(_whole_time(event, hooks)):
            async with anyio.create_task_group() as tasks:
                for index, hook in enumerate(hooks):
                    tasks.start_soon(run, index, hook)
        return fold(outcomes)

    def _matching(self, firing: _Firing) -> list[Hook]:
        """Find the hooks that are meant, identical ones once."""
        found: dict[object, Hook] = {}
        names = (firing.match, *self._around.aliases.get(firing.match, ()))
        for one in self._by_event[firing.event]:
            if firing.row.field and not one.matcher.fits(*names):
                continue
            rule = one.hook.rule if isinstance(one.hook, CommandHook) else None
            if rule is None or self._around.covers(rule, firing.match, firing.tool_input):
                found.setdefault(one.hook.same, one.hook)
        return list(found.values())

    async def _one(self, firing: _Firing, hook: Hook) -> HookOutcome:
        """Run one hook; what it says to the person is said here."""
        if isinstance(hook, CommandHook) and hook.background:
            self._background.add(partial(self._unheard, firing, hook))
            return NOTHING
        return (await self._heard(firing, hook)).outcome

    async def _heard(self, firing: _Firing, hook: Hook) -> Said:
        said = await self._run(firing, hook)
        if isinstance(said, Failure):
            return await self._failed(firing, hook, said)
        said = await bounded(said, self._around.spill)
        if said.warning:
            await self._around.say(said.warning, "warning")
        return said

    async def _unheard(self, firing: _Firing, hook: Hook) -> None:
        """Run a hook whose answer comes too late to count; its faults are told."""
        await self._heard(replace(firing, late=True), hook)

    async def _run(self, firing: _Firing, hook: Hook) -> Said | Failure:
        if isinstance(hook, CallbackHook):
            seconds = hook.seconds or CALLBACK_SECONDS
            return await run_callback(firing.event, hook, firing.given, seconds)
        return await self._command(firing, hook)

    async def _command(self, firing: _Firing, hook: CommandHook) -> Said | Failure:
        if hook.kind != "command":
            what = f"hooks of type {hook.kind} are not supported by this version."
            return Failure("start", f"could not start: {what}")
        place = self._around.place()
        shown = self._shown or firing.event in ALWAYS_SHOWN
        about: JsonObject = {
            "hook_id": str(uuid.uuid4()),
            "hook_name": f"{firing.event}:{firing.match}" if firing.match else firing.event,
            "hook_event": firing.event,
        }
        if shown:
            await self._around.tell("hook_started", about)
        ran = await run_command(hook, firing.given, place, hook.seconds or firing.row.seconds)
        end = read_end(firing.event, hook, ran, place, firing.match)
        if shown:
            await self._around.tell("hook_response", {**about, **_response(ran)})
        return end

    async def _failed(self, firing: _Firing, hook: Hook, failure: Failure) -> Said:
        """Say what went wrong, and take it as the settings and the event's row want it."""
        event = firing.event
        if firing.late:
            text = f"{named(event, firing.match, hook)} {failure.what}"
            await self._around.say(text, "warning")
            return SILENT
        stopped = blocks(event, hook, failure, self._failures)
        text = told(event, firing.match, hook, failure, blocked=stopped)
        if hook.same not in self._explained:  # a guard of every call would fill the screen with it
            self._explained.add(hook.same)
            text = f"{text} {way_out(hook)}".rstrip()
        await self._around.say(text, "error" if stopped else "warning")
        return Said(refusal(event, hook, failure)) if stopped else SILENT


@dataclass(frozen=True, slots=True)
class _Firing:
    """One event on its way. ``late``: nobody waits for what its hooks say."""

    event: HookEvent
    given: JsonObject
    match: str
    row: Row
    late: bool = False

    @property
    def tool_input(self) -> JsonObject:
        """The call's input, for ``if`` rules."""
        found: Any = self.given.get("tool_input")
        return cast("JsonObject", found) if isinstance(found, dict) else {}


def _whole_time(event: HookEvent, hooks: list[Hook]) -> float | None:
    """How long all of an event's hooks may take together; None where each has its own limit only."""
    if event != "SessionEnd":
        return None
    own = max((hook.seconds or 0.0 for hook in hooks), default=0.0)
    return max(EVENTS[event].seconds, min(own, MOST_END_SECONDS))


def _response(ran: Ran) -> JsonObject:
    outcome = "cancelled" if ran.timed_out else "success" if ran.code == 0 else "error"
    stderr = ran.stderr or ran.not_started
    response: JsonObject = {
        "output": (ran.stdout + stderr)[:MOST],
        "stdout": ran.stdout[:MOST],
        "stderr": stderr[:MOST],
        "outcome": outcome,
    }
    return response if ran.code is None else {**response, "exit_code": ran.code}
