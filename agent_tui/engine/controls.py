"""What ops and commands change of a session besides prompting it: mode, model, title, rules, a new beginning."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio.to_thread

from agent_tui.engine.auto import NOT_AVAILABLE
from agent_tui.engine.chosen import Chosen, origin_of
from agent_tui.engine.extras import Mirror
from agent_tui.engine.foundation import Foundation
from agent_tui.engine.hooking import SessionHooks
from agent_tui.engine.mirror import sink_of
from agent_tui.engine.sessions import new
from agent_tui.engine.switching import Switch, objection, switched
from agent_tui.engine.titles import given_title
from agent_tui.journal.entries import Stamp
from agent_tui.loop.command_output import CommandOutput
from agent_tui.loop.limits import Budget
from agent_tui.loop.policy import Policy
from agent_tui.loop.record import Recorder
from agent_tui.loop.requests import SessionRequests
from agent_tui.loop.scribe import Sink
from agent_tui.loop.status import Status
from agent_tui.permissions.grants import store
from agent_tui.protocol.errors import SettingsError, UsageError
from agent_tui.protocol.messages import ConversationResetMessage, PermissionMode
from agent_tui.protocol.ops import Rename, SetMode, SetModel, SetThinking
from agent_tui.protocol.requests import PermissionUpdate

AT_THE_START = frozenset({"auto", "bypassPermissions"})
"""Modes that can be changed to only where the session's beginning allows them."""


class Held:
    """The journal a session holds now; ``/clear`` changes it."""

    def __init__(self, chosen: Chosen, mirror: Mirror | None = None) -> None:
        self.chosen = chosen
        self.mirror = mirror

    @property
    def path(self) -> Path:
        """Where it is."""
        return self.chosen.journal.path

    def sink(self) -> Sink:
        """Give what its recorder writes to."""
        return sink_of(self.chosen, self.mirror)

    def close(self) -> None:
        """Let go of it."""
        self.chosen.journal.close()


async def nothing_asked() -> None:
    """Decide no question anew: nobody is asked any."""


class Controls:
    """Carries the changes out: in force, written, said.

    ``reconsider`` decides open questions anew; it is called when rules or mode have changed.
    """

    def __init__(
        self,
        base: Foundation,
        record: Recorder,
        policy: Policy,
        requests: SessionRequests,
        status: Status,
        held: Held,
        modes: tuple[PermissionMode, ...],
        stamp: Callable[[str], Stamp],
        on_state: Callable[[str | None], None],
        budget: Budget,
        hooks: SessionHooks,
        output: CommandOutput,
    ) -> None:
        self._base = base
        self._record = record
        self._policy = policy
        self._requests = requests
        self._status = status
        self._held = held
        self._modes = modes
        self._stamp = stamp
        self._on_state = on_state
        self._budget = budget
        self._hooks = hooks
        self._output = output
        self.reconsider: Callable[[], Awaitable[None]] = nothing_asked

    async def set_mode(self, op: SetMode) -> None:
        """Change the permission mode; one that is not offered is refused."""
        if op.mode not in self._modes:
            await self._output(f"Mode {op.mode} is not available here.", "warning")
            return
        self._policy.mode = op.mode
        await self._mode_changed()
        await self.reconsider()

    async def set_model(self, op: SetModel) -> None:
        """Change the model from the next request on."""
        model = await self.use_model(op.model)
        if self._begun:
            await self._record.command_stdout(f"Model is {model} from the next request on.")

    async def use_model(self, name: str | None) -> str:
        """Change the model; give the id of the one in force then: a hook may keep it as it was."""
        model = self._base.model(name)
        tokens = self._record.conversation.context_tokens
        switch = Switch(self._requests.model, model, name, tokens)
        why = await objection(self._hooks, switch)
        if why is not None:
            await self._output(why, "warning")
            return switch.before
        changed = self._requests.use(model)
        self._status.model = model
        self._status.window = self._requests.window
        if self._begun:
            self._record.model(model)
        self._status.touch()
        for note in changed.notes:
            await self._output(note, "warning")
        await switched(self._hooks, switch, self._record)
        return model

    async def set_thinking(self, op: SetThinking) -> None:
        """Change how much the model may think, from the next request on; say what it can't do of that."""
        wishes = self._requests.wishes
        if op.max_tokens is not None:
            wishes = wishes.with_budget(op.max_tokens)
        for note in self._requests.wish(wishes).notes:
            await self._output(note, "warning")

    def use_effort(self, level: str | None) -> tuple[str, ...]:
        """Change how hard the model thinks, from the next request on; None leaves it to the model."""
        changed = self._requests.wish(replace(self._requests.wishes, effort=level))
        self._status.touch()
        return changed.notes

    async def rename(self, op: Rename) -> None:
        """Give the session a title."""
        title = given_title(op.title)
        if title:
            self._record.title(title, generated=False)
            self._status.touch()

    async def apply(self, updates: tuple[PermissionUpdate, ...]) -> None:
        """Take over the changes of an answer, and store those that are to last."""
        before = self._policy.mode
        updates = await self._offered(updates)
        taken = self._policy.update(updates)
        session = tuple(update for update in taken if update.destination == "session")
        if session:
            self._record.granted(session)
        for update in updates:
            if update.destination != "session":
                await self._store(update)
        if self._policy.mode != before:
            await self._mode_changed()
        await self.reconsider()

    async def clear(self) -> None:
        """Begin a new conversation; the old one stays resumable."""
        await self._hooks.clearing()
        old = self._record.session_id
        title = self._record.conversation.custom_title
        self._held.close()
        folder = self._held.chosen.folder
        fresh = await anyio.to_thread.run_sync(
            partial(new, self._base.env, self._base.cwd, None, self._on_state, folder=folder)
        )
        self._held.chosen = fresh
        self._record.begin_anew(self._held.sink(), self._stamp(fresh.session_id))
        self._budget.restart()
        self.begin()
        if title:
            self._record.title(title, generated=False)
        await self._record.say(
            ConversationResetMessage(fresh.session_id, self._record.stamp.new_id(), old)
        )
        self._status.touch()
        await self._hooks.cleared()

    def begin(self) -> None:
        """Write what a new journal begins with."""
        self._record.started(origin_of(self._base.options))
        self._record.model(self._requests.model)
        self._record.mode(self._policy.mode)
        title = self._record.conversation.custom_title
        if title:
            self._record.title(title, generated=False)

    def stand_again(self) -> None:
        """Write mode and model into a conversation that went back to where they were others."""
        conversation = self._record.conversation
        if conversation.mode != self._policy.mode:
            self._record.mode(self._policy.mode)
        if conversation.model != self._requests.model:
            self._record.model(self._requests.model)

    async def _offered(self, updates: tuple[PermissionUpdate, ...]) -> tuple[PermissionUpdate, ...]:
        """Leave out changes to a mode that has to be allowed at the start and was not."""
        kept = tuple(u for u in updates if u.mode not in AT_THE_START or u.mode in self._modes)
        if len(kept) < len(updates):
            await self._record.notice(
                "An answer wanted a permission mode that is not available here; it is left as it is.",
                "warning",
            )
        return kept

    @property
    def _begun(self) -> bool:
        return self._record.conversation.head is not None

    async def _mode_changed(self) -> None:
        if self._begun:
            self._record.mode(self._policy.mode)
        await self._record.system("status", status=None, permissionMode=self._policy.mode)
        self._status.touch()

    async def _store(self, update: PermissionUpdate) -> None:
        try:
            await anyio.to_thread.run_sync(store, update, self._base.project, self._base.env)
        except SettingsError as error:
            await self._record.notice(
                f"The rule holds for this session, but could not be stored: {error}", "warning"
            )


def check_mode(mode: PermissionMode, modes: tuple[PermissionMode, ...]) -> PermissionMode:
    """Give the mode to start in.

    Raises:
        UsageError: it can't be had; the text says what has to allow it.
    """
    if mode == "bypassPermissions" and mode not in modes:
        raise UsageError(
            "bypassPermissions is not available: it needs --dangerously-skip-permissions or "
            "--allow-dangerously-skip-permissions, settings that don't disable it, and a user other than root"
        )
    if mode == "auto" and mode not in modes:
        raise UsageError(NOT_AVAILABLE)
    return mode
