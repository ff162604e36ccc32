"""The permissions of a session, told: which rules hold and where they stand, what would be decided, and changes of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import anyio.to_thread

from agent_tui.engine.folder import look
from agent_tui.engine.foundation import Foundation
from agent_tui.loop.explaining import (
    Around,
    explain_text,
    in_force,
    own_files,
    sandbox_words,
)
from agent_tui.loop.policy import Policy
from agent_tui.loop.workplace import in_sandbox
from agent_tui.permissions.rule import problem_of
from agent_tui.protocol.access import RunCommand
from agent_tui.protocol.explanations import Explanation, PermissionsInForce
from agent_tui.protocol.queries import ChangePermissions, Explain, Explained, Failed, InForce, Reply
from agent_tui.protocol.requests import PermissionUpdate

Apply = Callable[[tuple[PermissionUpdate, ...]], Awaitable[None]]


class Explaining:
    """Tells of one session's permissions.

    Args:
        base: what the session stands on.
        policy: what judges its calls.
        apply: takes over changes as a person's answer does, and stores those that are to last.
    """

    def __init__(self, base: Foundation, policy: Policy, apply: Apply) -> None:
        self._base = base
        self._policy = policy
        self._apply = apply

    @property
    def home(self) -> str:
        """The person's home folder."""
        return str(self._base.env.home)

    async def answer(self, query: InForce | Explain | ChangePermissions) -> Reply:
        """Answer a front end's query."""
        match query:
            case InForce():
                return await self.state()
            case Explain(text):
                try:
                    return Explained(await self.explain(text))
                except ValueError as error:
                    return Failed(str(error))
            case ChangePermissions(updates):
                return await self._change(updates)

    async def explain(self, text: str) -> tuple[Explanation, ...]:
        """Say what would be decided over a shell line, a path or a call.

        Raises:
            ValueError: the text means none.
        """
        ask = partial(explain_text, self._policy, text, self._fenced)
        return await anyio.to_thread.run_sync(ask)

    async def state(self) -> PermissionsInForce:
        """Give everything that calls are judged by."""
        around = await anyio.to_thread.run_sync(self._around)
        return in_force(self._policy, around)

    async def _change(self, updates: tuple[PermissionUpdate, ...]) -> Reply:
        for update in updates:
            for rule in update.rules if update.type == "addRules" else ():
                if why := problem_of(rule, update.behavior):
                    return Failed(f"{rule}: {why}")
        await self._apply(updates)
        return await self.state()

    def _fenced(self, access: RunCommand) -> RunCommand:
        return in_sandbox(access, self._base.ports.sandbox)

    def _around(self) -> Around:
        base = self._base
        problems = (*base.layers.notices, *self._policy.rules.problems)
        brings = bool(look(base.options, base.env).marks)
        sandbox = base.ports.sandbox
        return Around(
            problems,
            base.standing.trusted if brings else None,
            sandbox_words(on=sandbox is not None, unasked=sandbox is not None and sandbox.unasked),
            own_files(base.env, base.project),
        )
