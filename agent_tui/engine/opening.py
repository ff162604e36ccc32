"""Opens a session: options in, a session ready to be talked to out; and sees to its end.

Nothing here opens a connection, and the API package is loaded by a task of the session, after the front end has been
told that it can begin.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.to_thread

from agent_tui.engine.chosen import origin_of
from agent_tui.engine.completion import FileIndex
from agent_tui.engine.controls import Held
from agent_tui.engine.explaining import Explaining
from agent_tui.engine.extras import NO_EXTRAS, Extras
from agent_tui.engine.foundation import Foundation, lay
from agent_tui.engine.helping import Helping
from agent_tui.engine.hindsight import Hindsight
from agent_tui.engine.mirror import end as end_mirror
from agent_tui.engine.premises import Premises
from agent_tui.engine.saving import SavingNotice
from agent_tui.engine.serving import Serving
from agent_tui.engine.sessions import choose
from agent_tui.engine.usage_report import UsageReport
from agent_tui.engine.wiring import Wiring, preview
from agent_tui.journal.replay import ToolDisplay
from agent_tui.loop.policy import Policy
from agent_tui.loop.session import Session
from agent_tui.protocol.content import JsonObject
from agent_tui.settings.options import Options
from agent_tui.settings.paths import Environment

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session that is being served, and what answers to queries need of it."""

    session: Session
    base: Foundation
    held: Held
    files: FileIndex
    serving: Serving
    helping: Helping
    usage: UsageReport
    policy: Policy
    explaining: Explaining
    premises: Premises
    hindsight: Hindsight

    @property
    def journal_path(self) -> Path:
        """Where its journal is."""
        return self.held.path

    @property
    def running(self) -> bool:
        """Whether a run is going."""
        return self.session.busy

    async def settled(self) -> None:
        """Wait, after a result, until nothing in the background will bring another; see ``Helping.settled``."""
        await self.helping.settled(self.base.env)

    @property
    def tool_display(self) -> ToolDisplay:
        """How a call looks before it has run."""
        return partial(preview, self.base.tools, self.base.cwd)


async def with_session(
    options: Options,
    env: Environment,
    body: Callable[[OpenSession], Awaitable[T]],
    *,
    extras: Extras = NO_EXTRAS,
) -> T:
    """Open a session, run ``body`` with it, end it: runs are interrupted, children gone, the journal let go.

    Args:
        options: what was asked for.
        env: the variables and the home it sees.
        body: talks to the session; its end is the session's.
        extras: what a program brings itself: who answers permission requests, hooks, in-process servers, a mirror.

    Raises:
        AgentTuiError: it could not be opened; the text says why and what to do.
    """
    laying = partial(
        lay,
        options,
        env,
        answered=extras.approver is not None,
        servers=tuple(extras.servers),
    )
    base = await anyio.to_thread.run_sync(laying)
    try:
        saving = SavingNotice()
        choosing = partial(
            choose, env, base.cwd, options.session, saving.changed, origin_of(options)
        )
        held = Held(await anyio.to_thread.run_sync(choosing), extras.mirror)
        try:
            return await _serve(Wiring(base, extras, held, saving), body)
        finally:
            held.close()
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(held.chosen.clean_up)
    finally:
        with anyio.move_on_after(3, shield=True):
            await base.ports.shell.aclose()
            await base.client.aclose()
        if base.demo is not None:
            base.demo.close()


async def _serve(parts: Wiring, body: Callable[[OpenSession], Awaitable[T]]) -> T:
    """Run the session's tasks, and ``body`` beside them."""
    session, mirror = parts.session, parts.extras.mirror
    opened = OpenSession(
        session,
        parts.base,
        parts.held,
        parts.files,
        parts.serving,
        parts.helping,
        parts.usage,
        parts.policy,
        parts.explaining,
        parts.premises,
        parts.hindsight,
    )
    results: list[T] = []
    async with anyio.create_task_group() as group:
        group.start_soon(session.serve)
        group.start_soon(parts.hooks.serve)
        group.start_soon(parts.files.serve)
        group.start_soon(parts.saving.serve, parts.record)
        group.start_soon(_warm_up, parts)
        group.start_soon(parts.serving.serve)
        group.start_soon(parts.helping.background.serve)
        if mirror is not None:
            group.start_soon(mirror.serve, partial(_mirror_failed, parts))
        try:
            results.append(await body(opened))
        finally:
            with anyio.CancelScope(shield=True):
                await session.end()
                await parts.helping.background.end()
                await parts.hooks.end()
                await end_mirror(mirror)
            group.cancel_scope.cancel()
    return results[0]


async def _mirror_failed(parts: Wiring, key: JsonObject | None, error: str) -> None:
    await parts.record.system("mirror_error", key=key, error=error)


async def _warm_up(parts: Wiring) -> None:
    """Load what the first request needs, and say what the settings left out."""
    base, record = parts.base, parts.record
    lowered = base.lowered(parts.requests.model)
    left_out = (*base.rules.problems, *base.sandboxing.notices, *parts.hooks.problems, *lowered)
    for text in (*base.layers.notices, *left_out, *base.kinds.notices):
        await record.system("informational", content=text, level="warning")
    if damaged := parts.held.chosen.damaged:
        lines = "1 damaged record was" if damaged == 1 else f"{damaged} damaged records were"
        await record.system(
            "informational", content=f"{lines} skipped in this session's file.", level="warning"
        )
    await base.client.warm_up()
