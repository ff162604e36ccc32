"""The engine in a process of its own: real processes, a real (local) server."""

from __future__ import annotations

import os
import signal
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import anyio
import pytest

from agent_tui.link.base import EngineLost, EngineUp, Incoming, OpenFailed
from agent_tui.link.child import CLOSE_SECONDS, MAX_RESTARTS, ChildLink
from agent_tui.protocol.messages import (
    AssistantMessage,
    QueuedPrompt,
    ResultMessage,
    StatusChanged,
    StreamEvent,
    ToolProgress,
)
from agent_tui.protocol.ops import Open, Prompt
from agent_tui.protocol.queries import Complete, Completions, Failed, SessionList, Sessions
from agent_tui.settings.options import Options, PermissionOptions
from agent_tui.settings.paths import Environment, logs
from tests.fakes.api_server import ApiServer, reply, stall, text, tool

pytestmark = pytest.mark.anyio

M = TypeVar("M")


class Place:
    """A machine with an engine to be started; ``heard`` is what the link said so far."""

    def __init__(self, api: ApiServer, folder: Path) -> None:
        self.api = api
        self.home, self.project = folder / "home", folder / "project"
        self.home.mkdir()
        self.project.mkdir()
        self.env = Environment(
            {
                "PATH": os.environ["PATH"],
                "HOME": str(self.home),
                "ANTHROPIC_BASE_URL": api.url,
                "ANTHROPIC_API_KEY": "sk-test-dummy",
                "IS_SANDBOX": "1",
            },
            self.home,
        )
        self.link = ChildLink(self.env)
        self.heard: list[Incoming] = []
        self._messages: AsyncIterator[Incoming] = self.link.messages()
        permissions = PermissionOptions(mode="bypassPermissions", allow_bypass=True)
        self.options = Options(str(self.project), permissions=permissions, interactive=True)

    def open(self) -> None:
        self.link.send(Open(self.options.to_json()))

    async def until(self, kind: type[M], fits: Callable[[M], object] = lambda m: True) -> M:
        """Hear on until a message of this kind that fits."""
        async for message in self._messages:
            self.heard.append(message)
            if isinstance(message, kind) and fits(message):
                return message
        raise AssertionError(f"the link ended before {kind.__name__}: {self.heard[-3:]}")

    async def prompt(self, words: str, uuid: str) -> ResultMessage:
        self.link.send(Prompt(words, uuid))
        return await self.until(ResultMessage, lambda m: m.user_message_uuid == uuid)

    def kill(self) -> None:
        pid = self.link.engine_pid
        assert pid is not None
        os.kill(pid, signal.SIGKILL)

    async def during(self, body: Callable[[], Awaitable[None]]) -> None:
        """Serve the link while ``body`` goes, then close it."""
        with anyio.fail_after(50):
            async with anyio.create_task_group() as group:
                group.start_soon(self.link.serve)
                try:
                    await body()
                finally:
                    await self.link.aclose()

    def left(self) -> list[str]:
        """Living processes that see this place's home."""
        mark = f"HOME={self.home}".encode()
        found: list[str] = []
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append((entry / "cmdline").read_bytes().decode("utf-8", "replace"))
            except OSError:
                continue
        return found


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with ApiServer() as api:
        place = Place(api, tmp_path)
        yield place
        assert not api.errors
    assert place.left() == []


async def test_what_is_sent_before_the_engine_is_up_arrives(place: Place) -> None:
    place.api.enqueue("Hello.")
    place.open()
    place.link.send(Prompt("hi", "p1"))

    async def body() -> None:
        result = await place.until(ResultMessage)
        assert (result.result, result.user_message_uuid) == ("Hello.", "p1")
        assert [m for m in place.heard if isinstance(m, EngineUp)] == [EngineUp()]

    await place.during(body)


async def test_queries_are_answered_before_and_after_opening(place: Place) -> None:
    (place.project / "apple.txt").write_text("x")

    async def body() -> None:
        assert await place.link.ask(Sessions(str(place.project))) == SessionList()
        place.open()
        await place.until(EngineUp)
        found = Completions(partial=True)
        while isinstance(found, Completions) and found.partial:
            reply = await place.link.ask(Complete("file", "apple"))
            assert isinstance(reply, Completions)
            found = reply
        assert [item.text for item in found.items] == ["apple.txt"]

    await place.during(body)
    assert isinstance(await place.link.ask(Sessions("/")), Failed)


async def test_a_killed_engine_is_told_and_a_new_one_goes_on_with_the_session(
    place: Place,
) -> None:
    place.api.enqueue("First.", reply("so far", text("word " * 50), fault=stall(block=1, chars=20)))

    async def body() -> None:
        place.open()
        first = await place.prompt("one", "p1")
        place.link.send(Prompt("two", "p2"))
        await place.until(AssistantMessage, lambda m: "so far" in str(m.content))
        place.link.send(Prompt("three", "p3"))
        place.kill()
        lost = await place.until(EngineLost)
        assert lost.restarting
        assert "SIGKILL" in lost.reason
        assert lost.unsent == (QueuedPrompt("p3", "three"),)
        assert (await place.until(EngineUp)).restarted
        status = await place.until(StatusChanged)
        assert status.session_id == first.session_id
        assert not status.busy
        place.api.enqueue("Back.")
        again = await place.prompt("four", "p4")
        assert (again.result, again.session_id) == ("Back.", first.session_id)

    await place.during(body)
    assert "three" not in str([request.messages for request in place.api.messages])
    assert "one" in str(place.api.messages[-1].body)


async def test_an_engine_that_dies_before_anything_was_said_begins_anew(place: Place) -> None:
    async def body() -> None:
        place.open()
        await place.until(EngineUp)
        place.kill()
        assert (await place.until(EngineLost)).unsent == ()
        await place.until(EngineUp)
        place.api.enqueue("Hello.")
        assert (await place.prompt("hi", "p1")).result == "Hello."

    await place.during(body)


async def test_queries_fail_when_the_engine_goes(place: Place) -> None:
    replies: list[object] = []

    async def ask() -> None:
        replies.append(await place.link.ask(Sessions(str(place.project))))

    async def body() -> None:
        place.open()
        await place.until(EngineUp)
        pid = place.link.engine_pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)  # it takes the question and never answers
        async with anyio.create_task_group() as group:
            group.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            place.kill()
        await place.until(EngineUp)

    await place.during(body)
    [failed] = replies
    assert isinstance(failed, Failed) and "stopped" in failed.error


async def test_it_gives_up_when_engines_keep_dying(place: Place) -> None:
    async def body() -> None:
        place.open()
        for death in range(1, MAX_RESTARTS + 2):
            await place.until(EngineUp)
            place.kill()
            lost = await place.until(EngineLost)
            assert lost.restarting is (death <= MAX_RESTARTS)
        assert [m async for m in place.link.messages()] == []
        assert place.link.engine_pid is None
        assert isinstance(await place.link.ask(Sessions("/")), Failed)

    await place.during(body)


async def test_what_a_dead_engine_left_running_is_ended(place: Place) -> None:
    command = "setsid sleep 41.75 & sleep 42.75"
    place.api.enqueue(reply(tool("Bash", command=command)))

    async def body() -> None:
        place.open()
        place.link.send(Prompt("go", "p1"))
        await place.until(ToolProgress, lambda m: m.state == "running")
        while not any("sleep\x0042.75" in line for line in place.left()):
            await anyio.lowlevel.checkpoint()
        place.kill()
        await place.until(EngineLost)
        assert not [line for line in place.left() if "sleep" in line]

    await place.during(body)


async def test_closing_leaves_no_process(place: Place) -> None:
    place.api.enqueue(reply(tool("Bash", command="setsid sleep 43.75 & sleep 44.75")))

    async def body() -> None:
        place.open()
        place.link.send(Prompt("go", "p1"))
        await place.until(ToolProgress, lambda m: m.state == "running")
        await place.link.aclose()
        assert place.left() == []
        assert place.link.engine_pid is None

    await place.during(body)


async def test_closing_ends_an_engine_that_does_not_listen(place: Place) -> None:
    async def body() -> None:
        place.open()
        await place.until(EngineUp)
        pid = place.link.engine_pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        await place.link.aclose()
        assert place.left() == []

    await place.during(body)


async def test_closing_does_not_wait_for_a_reader(place: Place) -> None:
    place.api.enqueue(reply(text("x" * 30_000), chunk=1))

    async def body() -> None:
        partial = replace(place.options, partial_messages=True)
        place.link.send(Open(partial.to_json()))
        place.link.send(Prompt("go", "p1"))
        await place.until(StreamEvent)
        with anyio.fail_after(CLOSE_SECONDS - 1):
            await place.link.aclose()
        assert [m async for m in place.link.messages()] == []

    await place.during(body)


async def test_a_link_that_was_never_served_closes_at_once(place: Place) -> None:
    place.open()
    with anyio.fail_after(1):
        await place.link.aclose()
    assert isinstance(await place.link.ask(Sessions("/")), Failed)


async def test_programs_of_our_own_terminal_outlive_an_engine(place: Place) -> None:
    async with await anyio.open_process(["sleep", "45.75"]) as editor:

        async def body() -> None:
            place.open()
            await place.until(EngineUp)
            place.kill()
            await place.until(EngineLost)
            assert editor.returncode is None
            os.kill(editor.pid, 0)

        await place.during(body)
        editor.kill()
        assert await editor.wait() == -signal.SIGKILL


async def test_a_session_that_cannot_be_opened_is_told_and_not_tried_again(place: Place) -> None:
    settings = place.project / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"permissions": ')

    async def body() -> None:
        place.open()
        failed = await place.until(OpenFailed)
        assert failed.kind == "settings"
        assert "settings.json" in failed.error
        assert [m async for m in place.link.messages()] == []

    await place.during(body)


async def test_the_log_is_the_owners_alone(place: Place) -> None:
    async def body() -> None:
        place.open()
        await place.until(EngineUp)

    await place.during(body)
    log = logs(place.env) / "engine.log"
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert stat.S_IMODE(log.parent.stat().st_mode) == 0o700


async def test_without_a_place_for_the_log_the_engine_starts_all_the_same(place: Place) -> None:
    logs(place.env).parent.mkdir(parents=True)
    logs(place.env).write_text("a file is in the way")

    async def body() -> None:
        place.open()
        await place.until(EngineUp)

    await place.during(body)
