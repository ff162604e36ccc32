"""Answers a front end's queries about what was changed, and has it taken back, each in its turn between the runs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Protocol, TypeAlias, TypeVar

from anyio import to_thread

from agent_tui.engine.reviewing import Reviewing
from agent_tui.engine.rewinding import Rewinding
from agent_tui.protocol.queries import (
    ChangeOf,
    Changes,
    Data,
    PreviewRewind,
    Reply,
    Rewind,
    RewindFiles,
    RewindList,
    TakeBack,
)

T = TypeVar("T")

HindsightQuery: TypeAlias = (
    Changes | ChangeOf | TakeBack | RewindList | PreviewRewind | Rewind | RewindFiles
)


class Alone(Protocol):
    """Does some work while no run goes (``loop.session.Session.alone``)."""

    async def __call__(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do it.

        Raises:
            UsageError: a run goes.
        """
        ...


class Hindsight:
    """One session's.

    Args:
        reviewing: looks at changes.
        rewinding: goes back.
        alone: keeps runs away meanwhile.
    """

    def __init__(self, reviewing: Reviewing, rewinding: Rewinding, alone: Alone) -> None:
        self._reviewing = reviewing
        self._rewinding = rewinding
        self._alone = alone

    async def answer(self, query: HindsightQuery) -> Reply:
        """Answer a query.

        Raises:
            AgentTuiError: it can't be answered, or done; the text says why.
        """
        back = self._rewinding
        match query:
            case Changes(scope):
                return await to_thread.run_sync(self._reviewing.listed, scope)
            case ChangeOf():
                return await to_thread.run_sync(self._reviewing.change, query)
            case TakeBack():
                return await self._alone(partial(self._reviewing.take_back, query))
            case RewindList():
                return await to_thread.run_sync(back.listed)
            case PreviewRewind(uuid):
                return await to_thread.run_sync(back.plan, uuid)
            case Rewind(uuid, files, conversation, also):
                go = partial(back.rewind, uuid, files=files, conversation=conversation, also=also)
                return await self._alone(go)
            case RewindFiles(uuid, dry_run):
                go = partial(back.files_for_program, uuid, dry_run=dry_run)
                return Data(await (go() if dry_run else self._alone(go)))
