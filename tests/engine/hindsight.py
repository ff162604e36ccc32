"""A session that has changed files, and what can be asked of it afterwards."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from agent_tui.engine.opening import OpenSession
from agent_tui.engine.replies import Answerer
from agent_tui.protocol.messages import Message, ResultMessage
from agent_tui.protocol.ops import Prompt
from agent_tui.protocol.queries import (
    ChangeOf,
    Changes,
    Failed,
    PreviewRewind,
    Query,
    Rewind,
    RewindList,
    TakeBack,
)
from agent_tui.protocol.reviews import (
    ChangeList,
    Consent,
    FileChange,
    RewindPlan,
    RewindPoints,
    Rewound,
    Scope,
    TakenBack,
)
from tests.engine.sessions import Place
from tests.fakes.api_server import reply, tool

T = TypeVar("T")


@dataclass
class Desk:
    """An open session, and its answers."""

    place: Place
    opened: OpenSession
    heard: list[Message]

    async def prompt(self, text: str) -> str:
        """Send a prompt, wait for its result; gives its uuid."""
        name = str(uuid.uuid4())
        await self._send(Prompt(text, name))
        return name

    async def _send(self, prompt: Prompt) -> None:
        with self.opened.session.subscribe() as messages:
            self.opened.session.send(prompt)
            async for message in messages:
                self.heard.append(message)
                if isinstance(message, ResultMessage):
                    return
        raise AssertionError("no result")

    async def shell(self, line: str) -> None:
        """Run a line of the person's own."""
        await self._send(Prompt(line, str(uuid.uuid4()), shell=True))

    async def ask(self, query: Query, kind: type[T]) -> T:
        answerer = Answerer(self.place.env)
        answerer.attach(self.opened)
        found = await answerer.answer(query)
        assert isinstance(found, kind), found
        return found

    async def changes(self, scope: Scope = "session") -> ChangeList:
        return await self.ask(Changes(scope), ChangeList)

    async def change(self, path: Path, scope: Scope = "session", context: int = 3) -> FileChange:
        return await self.ask(ChangeOf(str(path), scope, context), FileChange)

    async def take_back(self, path: Path, seen: str, hunk: int | None = None) -> str:
        return (await self.ask(TakeBack(str(path), seen, hunk=hunk), TakenBack)).problem

    async def points(self) -> RewindPoints:
        return await self.ask(RewindList(), RewindPoints)

    async def plan(self, point: str) -> RewindPlan:
        return await self.ask(PreviewRewind(point), RewindPlan)

    async def rewind(
        self,
        point: str,
        *,
        files: bool = True,
        conversation: bool = True,
        also: tuple[Consent, ...] = (),
    ) -> Rewound:
        return await self.ask(Rewind(point, files, conversation, also), Rewound)

    async def failure(self, query: Query) -> str:
        return (await self.ask(query, Failed)).error


async def at_desk(place: Place, body: Callable[[Desk], Awaitable[None]]) -> None:
    """Open a session in which nothing is asked, and run ``body`` with it."""

    async def run(opened: OpenSession) -> None:
        await body(Desk(place, opened, []))

    await place.mode("bypassPermissions").run(run)


def edit(path: Path, old: str, new: str) -> Any:
    """A response that edits a file."""
    return reply(tool("Edit", file_path=str(path), old_string=old, new_string=new))


def write(path: Path, content: str) -> Any:
    """A response that writes a file."""
    return reply(tool("Write", file_path=str(path), content=content))


def bash(line: str) -> Any:
    """A response that runs a line."""
    return reply(tool("Bash", command=line))


def tree(folder: Path) -> dict[str, bytes]:
    """What is in a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
